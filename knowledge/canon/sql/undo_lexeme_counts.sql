-- Take back what releases that were rolled back did to the document frequencies.
-- Parameters: tenant_id, domain_index_id, base, number. No rows. Index: lexeme_count_unique.
INSERT INTO knowledge_lexemecount (tenant_id, domain_index_id, lexeme, release_number, delta)
SELECT %(tenant_id)s, %(domain_index_id)s, lexeme, %(number)s, -SUM(delta)
FROM knowledge_lexemecount
WHERE domain_index_id = %(domain_index_id)s AND release_number > %(base)s AND release_number < %(number)s
GROUP BY lexeme
HAVING SUM(delta) <> 0
