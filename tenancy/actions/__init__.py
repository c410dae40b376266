"""Writes of tenancy."""
