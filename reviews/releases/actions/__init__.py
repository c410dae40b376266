"""Writes of releases."""
