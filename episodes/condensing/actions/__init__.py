"""Snippets and summaries of talk: claimed, kept, given up."""
