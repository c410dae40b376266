-- The best turns of conversations by keywords, by vector and by being new, and the turns beside them, with true scores.
--
-- Filled in by code, never by callers: {table}; conditions on p: {scope} (whose turns), {wanted} (the caller's filters),
-- {fresh} (too new for a vector).
-- Parameters: query_weights sparsevec, candidate_lexemes bigint[], query_vector halfvec or null, vector_space,
--             k_keyword, k_vector, k_fresh, and those of the conditions.
-- Rows: id, keyword_score (0 without any query lexeme), vector_score (null without a vector of this vector_space),
--       is_fresh, is_wanted, before_id, after_id (of candidates only: the turns just before and after).
-- Indexes: GIN on lexemes; the scope's B-tree for the exact scan; (conversation_id, seq) for the turns beside.
WITH keyword AS MATERIALIZED (
    SELECT p.id
    FROM {table} p
    WHERE p.lexemes && %(candidate_lexemes)s::bigint[] AND {scope} AND {wanted}
    ORDER BY p.bm25 <#> %(query_weights)s::sparsevec, p.id
    LIMIT %(k_keyword)s
), nearest AS MATERIALIZED (
    SELECT p.id
    FROM {table} p
    WHERE {scope} AND {wanted} AND p.embedder = %(vector_space)s
    ORDER BY p.embedding <#> %(query_vector)s::halfvec, p.id
    LIMIT %(k_vector)s
), fresh AS MATERIALIZED (
    SELECT p.id
    FROM {table} p
    WHERE {scope} AND {wanted} AND {fresh}
    ORDER BY p.id DESC
    LIMIT %(k_fresh)s
), candidates AS MATERIALIZED (
    SELECT p.id, b.id AS before_id, a.id AS after_id
    FROM (SELECT id FROM keyword UNION SELECT id FROM nearest UNION SELECT id FROM fresh) found
    JOIN {table} p ON p.id = found.id
    LEFT JOIN LATERAL (
        SELECT t.id FROM {table} t
        WHERE t.conversation_id = p.conversation_id AND t.seq < p.seq ORDER BY t.seq DESC LIMIT 1
    ) b ON TRUE
    LEFT JOIN LATERAL (
        SELECT t.id FROM {table} t
        WHERE t.conversation_id = p.conversation_id AND t.seq > p.seq ORDER BY t.seq LIMIT 1
    ) a ON TRUE
), turns AS (
    SELECT id FROM candidates
    UNION SELECT before_id FROM candidates
    UNION SELECT after_id FROM candidates
)
SELECT p.id,
       -(p.bm25 <#> %(query_weights)s::sparsevec) AS keyword_score,
       CASE WHEN p.embedder = %(vector_space)s THEN -(p.embedding <#> %(query_vector)s::halfvec) END AS vector_score,
       {fresh} AS is_fresh,
       {wanted} AS is_wanted,
       c.before_id,
       c.after_id
FROM turns t
JOIN {table} p ON p.id = t.id
LEFT JOIN candidates c ON c.id = t.id
