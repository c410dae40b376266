"""Writes of instant."""
