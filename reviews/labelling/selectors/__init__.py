"""Reads of labelling."""
