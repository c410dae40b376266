"""Reads of claims."""
