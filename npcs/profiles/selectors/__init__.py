"""Reads of profiles."""
