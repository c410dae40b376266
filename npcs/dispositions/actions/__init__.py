"""Writes of dispositions."""
