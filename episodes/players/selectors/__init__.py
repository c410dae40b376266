"""Reads of players."""
