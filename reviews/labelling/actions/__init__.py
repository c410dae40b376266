"""Writes of labelling."""
