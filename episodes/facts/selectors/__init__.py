"""Reads of facts."""
