"""Writes of change requests."""
