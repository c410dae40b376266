"""Reads of art cards."""
