"""`make demo`: the whole service with a sample world on one machine."""
