"""Reads of episodes."""
