"""Reads of the canon."""
