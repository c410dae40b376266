"""People label what the second stage of extraction proposed, one item at a time."""
