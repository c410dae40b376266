"""Writes of embedding."""
