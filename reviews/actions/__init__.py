"""Writes of the reviews app: every change of canon goes through one of these."""
