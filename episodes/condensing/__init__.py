"""Snippets of long messages and summaries of talk: derived, claimed by one worker at a time."""
