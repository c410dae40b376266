-- Passages in bulk, in binary form, columns in the order of `batch_writing._encode_passage`.
COPY knowledge_lorepassage (
    tenant_id, domain_index_id, vector_space_id, document_id, chunk_id, language, type, audience, tags, length, lexemes,
    bm25, embedding, embedding_hash, embedding_state, embedding_error, added_in
) FROM STDIN (FORMAT BINARY)
