"""Reads of releases."""
