"""Lorebooks and canon: books become change requests of articles, articles become books."""
