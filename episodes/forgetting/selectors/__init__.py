"""Reads of forgetting."""
