"""Reads of conversations."""
