-- In how many art cards of a world each lexeme occurs.
-- Parameters: tenant_id, world_id, lexemes bigint[] (hashed in the partition). Rows: lexeme, frequency.
-- Index: art_passage_lexemes.
SELECT l.lexeme, count(*)
FROM episodes_artcardpassage p
CROSS JOIN LATERAL unnest(p.lexemes) AS l (lexeme)
WHERE p.tenant_id = %(tenant_id)s AND p.world_id = %(world_id)s
  AND p.lexemes && %(lexemes)s::bigint[] AND l.lexeme = ANY(%(lexemes)s::bigint[])
GROUP BY l.lexeme
