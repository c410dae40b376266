"""The pure parts of search: BM25, fusion, the offline embedder."""
