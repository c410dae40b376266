"""The one search engine, for every domain: passages, BM25, vectors, fusion, rerank."""
