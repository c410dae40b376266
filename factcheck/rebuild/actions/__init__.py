"""Writes of rebuild."""
