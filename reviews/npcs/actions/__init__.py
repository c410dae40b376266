"""Writes of npcs."""
