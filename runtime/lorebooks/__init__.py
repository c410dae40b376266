"""Lorebooks in play: which entries fire on a chat, and why."""
