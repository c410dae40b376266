"""Vectors of messages: made by queue, counted, renewed, given up where they cannot be made."""
