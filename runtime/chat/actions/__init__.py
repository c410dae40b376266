"""Turns of chat: answered, checked, traced."""
