"""Reads of campaigns."""
