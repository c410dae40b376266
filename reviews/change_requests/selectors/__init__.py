"""Reads of change requests."""
