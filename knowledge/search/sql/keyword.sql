-- The best passages of a partition by keywords, each with its vector score where there is a query vector.
--
-- {vector_score} is filled in by code: an expression on p, or a null. The rest and the rows are as in hybrid.sql.
-- Index: GIN on lexemes.
WITH keyword AS MATERIALIZED (
    SELECT p.id, -(p.bm25 <#> %(query_weights)s::sparsevec) AS score
    FROM (SELECT * FROM {table} c WHERE {candidates} OFFSET 0) p
    WHERE {partition}
    ORDER BY 2 DESC, 1
    LIMIT %(k_keyword)s
)
SELECT p.id, k.score AS keyword_score, {vector_score} AS vector_score, TRUE AS is_keyword, p.created_at,
       0 AS size, NULL::float8 AS median, NULL::float8 AS mad
FROM keyword k
JOIN {table} p ON p.id = k.id
