-- Index again, vectors and all, what was live in the base and closed by releases that were rolled back.
-- Parameters: domain_index_id, base, number. No rows. Index: passage_removed_in.
INSERT INTO knowledge_lorepassage (
    tenant_id, domain_index_id, vector_space_id, document_id, chunk_id, language, type, audience, tags, length, lexemes,
    bm25, embedding, embedding_hash, embedding_state, embedding_attempts, embedding_error, created_at,
    added_in, removed_in
)
SELECT tenant_id, domain_index_id, vector_space_id, document_id, chunk_id, language, type, audience, tags, length,
       lexemes, bm25, embedding, embedding_hash, embedding_state, embedding_attempts, embedding_error, created_at,
       %(number)s, NULL
FROM knowledge_lorepassage
WHERE domain_index_id = %(domain_index_id)s
  AND added_in <= %(base)s AND removed_in > %(base)s AND removed_in < %(number)s
