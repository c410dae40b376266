"""Conversations and their messages, kept word for word: RAW."""
