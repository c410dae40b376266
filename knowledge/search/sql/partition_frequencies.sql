-- How many passages of a partition hold each lexeme of a query, and how many passages there are.
--
-- Filled in by code: {table}; {partition}, a condition on p. Parameters: lexemes bigint[] (hashed in the partition), vector_space
-- text, those of the condition.
-- Rows: passages, passages whose vectors another embedder made, JSON of lexeme to count.
-- Indexes: notebook_passage_lexemes, notebook_passage_by_notebook; store_passage_lexemes, store_passage_by_space;
-- art_passage_lexemes, art_passage_by_world; summary_passage_lexemes, summary_passage_by_party.
SELECT count(*),
       count(*) FILTER (WHERE p.embedder NOT IN ('', %(vector_space)s)),
       (SELECT jsonb_object_agg(f.lexeme::text, f.frequency) FROM (
            SELECT each.lexeme, count(*) AS frequency
            FROM unnest(%(lexemes)s::bigint[]) AS each (lexeme)
            JOIN {table} p ON p.lexemes @> ARRAY[each.lexeme] AND {partition}
            GROUP BY each.lexeme
        ) f)
FROM {table} p
WHERE {partition}
