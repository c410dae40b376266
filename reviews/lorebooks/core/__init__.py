"""Entries as articles and articles as entries."""
