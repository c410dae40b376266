"""Reads of the reviews app."""
