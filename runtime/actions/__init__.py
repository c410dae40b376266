"""Writes of runtime."""
