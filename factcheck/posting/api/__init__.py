"""Posting by REST."""
