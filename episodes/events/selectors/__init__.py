"""Reads of events."""
