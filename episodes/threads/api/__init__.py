"""REST interface of threads."""
