"""Instant patterns, corrections, batch extraction, the validator gate, lore_assert."""
