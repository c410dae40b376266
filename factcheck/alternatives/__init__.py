"""Edits, swipes and choices of messages, and what they do to what is known."""
