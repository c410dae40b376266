"""Writes of art."""
