"""Chunks, their gate and their prompt, as pure Python."""
