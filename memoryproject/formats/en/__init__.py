"""English: the day first, hours to 24."""
