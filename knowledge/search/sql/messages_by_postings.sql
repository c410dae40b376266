-- The best messages of a large partition by keywords, from posting lists, and by vector. A part of messages.sql.
--
-- Filled in by code, never by callers: {table}; {candidates} (a condition on c.lexemes); conditions on p: {partition}, {wanted};
-- {compared} (another condition on p: whose vectors are compared).
-- Parameters: vector_space, k_keyword, k_vector, those of the conditions.
-- Indexes: GIN on lexemes, fenced (OFFSET 0): its lists are the partition's own already. For vectors those of {compared}.
keyword AS MATERIALIZED (
    SELECT p.id
    FROM (SELECT * FROM {table} c WHERE {candidates} OFFSET 0) p
    WHERE {partition} AND {wanted}
    ORDER BY p.bm25 <#> (SELECT weights FROM question), p.id
    LIMIT %(k_keyword)s
), nearest AS MATERIALIZED (
    SELECT p.id
    FROM {table} p
    WHERE {compared} AND p.embedder = %(vector_space)s
    ORDER BY p.embedding <#> (SELECT vector FROM question), p.id
    LIMIT %(k_vector)s
)
