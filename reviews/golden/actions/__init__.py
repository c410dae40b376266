"""Writes of golden queries, of their runs and of the gate."""
