"""Writes of traces."""
