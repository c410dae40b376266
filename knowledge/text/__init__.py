"""Analysis, chunking and token counts: pure functions, the same for documents and queries."""
