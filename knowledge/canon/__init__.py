"""Lore documents, their revisions, releases and aliases."""
