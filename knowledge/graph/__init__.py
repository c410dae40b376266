"""Entities and the relations between them."""
