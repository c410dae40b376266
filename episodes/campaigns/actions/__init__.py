"""Writes of campaigns."""
