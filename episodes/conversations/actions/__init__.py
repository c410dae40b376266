"""Writes of conversations."""
