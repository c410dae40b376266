"""Traces by REST."""
