"""Writes of NPC profiles through review."""
