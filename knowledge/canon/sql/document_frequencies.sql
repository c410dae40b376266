-- In how many passages of a release each lexeme occurs.
-- Parameters: domain_index_id, lexemes bigint[] (hashes in the partition), number.
-- Rows: lexeme, document_frequency. Index: lexeme_count_unique, which covers it.
SELECT lexeme, SUM(delta)::int AS document_frequency
FROM knowledge_lexemecount
WHERE domain_index_id = %(domain_index_id)s
  AND lexeme = ANY(%(lexemes)s::bigint[])
  AND release_number <= %(number)s
GROUP BY lexeme
HAVING SUM(delta) > 0
