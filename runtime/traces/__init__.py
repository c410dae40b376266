"""Traces: what packs and answers were made of, and what they were worth."""
