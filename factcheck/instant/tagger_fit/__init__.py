"""Fitting the tagger of words: needs torch, which the service does not."""
