-- The best passages of a partition by keywords and by vector, each with both of its true scores.
--
-- Filled in by code, never by callers: {table}, {partition} (a condition on p), {candidates} (a condition on c.lexemes),
-- {distance} (inner product, negated).
-- Parameters: query_weights sparsevec, query_vector halfvec, k_keyword, k_vector, k_sample, those of {partition} and
--             {candidates}.
-- Rows: id, keyword_score (0 without any query lexeme), vector_score (null without an embedding),
--       is_keyword (whether it is one of the k_keyword best by keywords), created_at,
--       and of up to k_sample passages of the partition their number, the median of their cosines and its absolute deviation
--       (the same in every row).
-- Indexes: GIN on lexemes; the partition's B-tree, or its HNSW index where it has outgrown exact scans. OFFSET 0 keeps the
-- planner from reading the partition's B-tree beside the posting lists, which are the partition's own already.
WITH keyword AS MATERIALIZED (
    SELECT p.id, -(p.bm25 <#> %(query_weights)s::sparsevec) AS score
    FROM (SELECT * FROM {table} c WHERE {candidates} OFFSET 0) p
    WHERE {partition}
    ORDER BY 2 DESC, 1
    LIMIT %(k_keyword)s
), nearest AS MATERIALIZED (
    SELECT p.id
    FROM {table} p
    WHERE {partition} AND p.embedding IS NOT NULL
    ORDER BY {distance}
    LIMIT %(k_vector)s
), sample AS MATERIALIZED (
    SELECT -(p.embedding <#> %(query_vector)s::halfvec) AS score
    FROM {table} p
    WHERE {partition} AND p.embedding IS NOT NULL
    LIMIT %(k_sample)s
), middle AS MATERIALIZED (
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY score) AS median, count(*) AS size FROM sample
), spread AS MATERIALIZED (
    SELECT m.size, m.median, percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(s.score - m.median)) AS mad
    FROM middle m
    LEFT JOIN sample s ON TRUE
    GROUP BY m.size, m.median
), members AS (
    SELECT id FROM keyword UNION SELECT id FROM nearest
)
SELECT p.id,
       -(p.bm25 <#> %(query_weights)s::sparsevec) AS keyword_score,
       -(p.embedding <#> %(query_vector)s::halfvec) AS vector_score,
       k.id IS NOT NULL AS is_keyword,
       p.created_at,
       s.size,
       s.median,
       s.mad
FROM members m
CROSS JOIN spread s
JOIN {table} p ON p.id = m.id
LEFT JOIN keyword k ON k.id = m.id
