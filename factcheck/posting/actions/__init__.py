"""Writes of posting."""
