"""Reads of labels, runs and breakers for the figures."""
