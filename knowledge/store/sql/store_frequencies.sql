-- How many passages of a part of the store hold each lexeme of a query, and how many passages there are.
--
-- Filled in by code: {scope}, a condition on p. Parameters: lexemes bigint[] (hashed in the space's scope),
-- vector_space text, those of the condition.
-- Rows: passages, passages whose vectors another embedder made, JSON of lexeme to count.
-- Indexes: store_passage_lexemes, store_passage_by_space.
SELECT count(*),
       count(*) FILTER (WHERE p.embedder NOT IN ('', %(vector_space)s)),
       (SELECT jsonb_object_agg(f.lexeme::text, f.frequency) FROM (
            SELECT each.lexeme, count(*) AS frequency
            FROM unnest(%(lexemes)s::bigint[]) AS each (lexeme)
            JOIN knowledge_storepassage p ON p.lexemes @> ARRAY[each.lexeme] AND {scope}
            GROUP BY each.lexeme
        ) f)
FROM knowledge_storepassage p
WHERE {scope}
