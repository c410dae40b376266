"""Writes of rollback."""
