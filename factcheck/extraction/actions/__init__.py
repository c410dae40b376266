"""Writes of the second stage."""
