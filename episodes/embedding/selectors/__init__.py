"""Reads of embedding."""
