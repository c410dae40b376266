"""Conversations by REST."""
