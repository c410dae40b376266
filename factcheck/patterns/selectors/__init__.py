"""Reads of patterns."""
