-- The best turns of conversations by keywords, by vector and by being new, and the turns beside them, with true scores.
--
-- Filled in by code, never by callers: {table}; {source} (the table, or its rows with a query lexeme where there is no
-- vector to compare); conditions on p: {scope} (whose turns), {wanted} (the caller's filters), {fresh} (too new for a
-- vector).
-- Parameters: query_weights sparsevec, query_vector halfvec or null, vector_space, k_keyword, k_vector, k_fresh, those of
--             the source and of the conditions.
-- Rows: id, keyword_score (0 without any query lexeme), vector_score (null without a vector of this vector_space),
--       is_fresh, is_wanted, before_id, after_id (of candidates only: the turns just before and after).
-- Indexes: the scope's B-tree for the exact scan, GIN on lexemes without a vector; (conversation_id, seq) for the turns
-- beside. Turns of one user lie on pages of their own among others': both scores come from one visit of each.
WITH question AS MATERIALIZED (
    SELECT %(query_weights)s::sparsevec AS weights, %(query_vector)s::halfvec AS vector
), scored AS MATERIALIZED (
    SELECT p.id,
           p.bm25 <#> (SELECT weights FROM question) AS keyword_distance,
           CASE WHEN p.embedder = %(vector_space)s THEN p.embedding <#> (SELECT vector FROM question) END
               AS vector_distance
    FROM {source} p
    WHERE {scope} AND {wanted}
), keyword AS MATERIALIZED (
    SELECT id
    FROM scored
    WHERE keyword_distance < 0
    ORDER BY keyword_distance, id
    LIMIT %(k_keyword)s
), nearest AS MATERIALIZED (
    SELECT id
    FROM scored
    WHERE vector_distance IS NOT NULL
    ORDER BY vector_distance, id
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
       -(p.bm25 <#> (SELECT weights FROM question)) AS keyword_score,
       CASE WHEN p.embedder = %(vector_space)s THEN -(p.embedding <#> (SELECT vector FROM question)) END AS vector_score,
       {fresh} AS is_fresh,
       {wanted} AS is_wanted,
       c.before_id,
       c.after_id
FROM turns t
JOIN {table} p ON p.id = t.id
LEFT JOIN candidates c ON c.id = t.id
