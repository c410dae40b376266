"""Campaigns out of the database and back."""
