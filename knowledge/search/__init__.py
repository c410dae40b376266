"""The one search engine: passages, BM25, vectors, fusion, rerank, for every domain."""
