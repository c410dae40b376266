"""Reads of npc memory."""
