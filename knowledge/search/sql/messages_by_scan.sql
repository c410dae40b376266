-- The best messages of a partition by keywords and by vector, from one look at each: messages of one user lie on pages of their own
-- among others', and both scores come from one visit. A part of messages.sql.
--
-- Filled in by code, never by callers: {source} (the table, or its rows with a query lexeme where there is no vector to
-- compare); conditions on p: {partition}, {wanted}.
-- Parameters: vector_space, k_keyword, k_vector, those of the source and of the conditions.
-- Indexes: the partition's B-tree for the exact scan, GIN on lexemes without a vector.
scored AS MATERIALIZED (
    SELECT p.id,
           p.bm25 <#> (SELECT weights FROM question) AS keyword_distance,
           CASE WHEN p.embedder = %(vector_space)s THEN p.embedding <#> (SELECT vector FROM question) END
               AS vector_distance
    FROM {source} p
    WHERE {partition} AND {wanted}
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
)
