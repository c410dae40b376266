"""Writes of chat."""
