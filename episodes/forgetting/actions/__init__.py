"""Writes of forgetting."""
