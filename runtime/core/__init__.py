"""Pure parts of runtime: what a context pack is, how it is cut to its budget and rendered."""
