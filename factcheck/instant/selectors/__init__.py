"""Labelled messages out of files."""
