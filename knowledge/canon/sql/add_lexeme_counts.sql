-- Add to what a release does to the document frequencies.
-- Parameters: tenant_id, domain_index_id, number, lexemes bigint[], deltas int[]. No rows. Index: lexeme_count_unique.
INSERT INTO knowledge_lexemecount AS known (tenant_id, domain_index_id, lexeme, release_number, delta)
SELECT %(tenant_id)s, %(domain_index_id)s, change.lexeme, %(number)s, change.delta
FROM unnest(%(lexemes)s::bigint[], %(deltas)s::int[]) AS change (lexeme, delta)
ON CONFLICT (domain_index_id, lexeme, release_number) DO UPDATE SET delta = known.delta + excluded.delta
