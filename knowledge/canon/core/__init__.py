"""The pure parts of the canon: articles, their chunks, and the order of chunks."""
