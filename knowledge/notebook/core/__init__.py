"""Notebooks without Django: names, commands, importance, conflicts, the memory tool."""
