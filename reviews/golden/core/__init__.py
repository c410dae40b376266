"""Golden queries in pure Python: their form, and scores of what was found."""
