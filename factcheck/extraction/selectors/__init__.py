"""Reads of the second stage."""
