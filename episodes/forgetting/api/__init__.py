"""Forgetting by REST."""
