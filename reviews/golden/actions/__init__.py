"""Writes of golden."""
