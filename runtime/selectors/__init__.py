"""Reads of the runtime app."""
