"""Reads of art."""
