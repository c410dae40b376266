"""Readers and writers of the dialects in which programs keep lorebooks."""
