"""Plots, chunks, cards, references and books of events. Pure Python."""
