"""Writes of threads."""
