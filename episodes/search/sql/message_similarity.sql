-- How near some messages are to a query.
--
-- Parameters: tenant_id, message_ids bigint[], query_vector halfvec, vector_space.
-- Rows: message_id, cosine; a message without a vector of this vector_space, or a forgotten one, has no row.
-- Index: the unique one of message_id.
SELECT p.message_id, -(p.embedding <#> %(query_vector)s::halfvec) AS cosine
FROM episodes_messagepassage p
WHERE p.message_id = ANY(%(message_ids)s::bigint[]) AND p.tenant_id = %(tenant_id)s AND p.embedder = %(vector_space)s
