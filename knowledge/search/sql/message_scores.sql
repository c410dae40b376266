-- The best keyword scores among messages that hold certain lexemes: what a message with none of them would have to beat.
--
-- Filled in by code, never by callers: {table}, {candidates} (a condition on c.lexemes); conditions on p: {partition}, {wanted}.
-- Parameters: query_weights sparsevec, k_keyword, those of the conditions.
-- Rows: keyword_score, best first.
-- Index: GIN on lexemes, fenced (OFFSET 0).
SELECT -(p.bm25 <#> %(query_weights)s::sparsevec) AS keyword_score
FROM (SELECT * FROM {table} c WHERE {candidates} OFFSET 0) p
WHERE {partition} AND {wanted}
ORDER BY 1 DESC
LIMIT %(k_keyword)s
