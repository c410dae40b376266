-- In how many passages each lexeme occurs, in several releases at once.
-- Parameters: domain_index_ids bigint[] and numbers int[] (one pair a release), lexemes bigint[] (scoped hashes: each
--             belongs to one of the indexes).
-- Rows: lexeme, document_frequency. Index: lexeme_count_unique, which covers it.
SELECT c.lexeme, SUM(c.delta)::int AS document_frequency
FROM unnest(%(domain_index_ids)s::bigint[], %(numbers)s::int[]) AS r (domain_index_id, number)
JOIN knowledge_lexemecount c
  ON c.domain_index_id = r.domain_index_id AND c.lexeme = ANY(%(lexemes)s::bigint[]) AND c.release_number <= r.number
GROUP BY c.lexeme
HAVING SUM(c.delta) > 0
