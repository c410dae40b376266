"""Reads of instant."""
