"""Profiles by REST."""
