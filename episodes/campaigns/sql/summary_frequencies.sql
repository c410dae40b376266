-- In how many summaries of a campaign each lexeme occurs.
-- Parameters: tenant_id, campaign_id, lexemes bigint[] (hashed in the partition). Rows: lexeme, frequency.
-- Index: summary_passage_lexemes.
SELECT l.lexeme, count(*)
FROM episodes_summarypassage p
CROSS JOIN LATERAL unnest(p.lexemes) AS l (lexeme)
WHERE p.tenant_id = %(tenant_id)s AND p.campaign_id = %(campaign_id)s
  AND p.lexemes && %(lexemes)s::bigint[] AND l.lexeme = ANY(%(lexemes)s::bigint[])
GROUP BY l.lexeme
