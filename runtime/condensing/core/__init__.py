"""What a condensed text may say: pure functions."""
