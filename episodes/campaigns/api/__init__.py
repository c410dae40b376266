"""Campaigns by REST."""
