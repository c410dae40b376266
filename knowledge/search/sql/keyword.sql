-- The best passages of a scope by keywords alone; parameters and rows as in hybrid.sql, vector_score always null.
-- Index: GIN on lexemes.
SELECT p.id,
       -(p.bm25 <#> %(query_weights)s::sparsevec) AS keyword_score,
       NULL::float8 AS vector_score,
       TRUE AS is_keyword,
       p.created_at
FROM {table} p
WHERE p.lexemes && %(candidate_lexemes)s::bigint[] AND {scope}
ORDER BY 2 DESC, 1
LIMIT %(k_keyword)s
