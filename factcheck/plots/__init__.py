"""Plots of talk: a proposer reads a chunk of messages, a gate holds its answer against them."""
