"""Reads of traces."""
