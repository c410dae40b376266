"""Writes of art cards."""
