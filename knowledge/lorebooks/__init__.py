"""Lorebooks and character cards of other programs: one neutral model, readers, writers, activation. Pure Python."""
