"""Writes of condensing."""
