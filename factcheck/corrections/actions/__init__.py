"""Writes of corrections."""
