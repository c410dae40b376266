"""Reads of search."""
