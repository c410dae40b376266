-- What BM25 needs to know of a user's messages, counted as they are: how many there are, and how many hold each lexeme.
--
-- Parameters: tenant_id, end_user_id, lexemes bigint[] (hashed in the user's scope), vector_space.
-- Rows: lexeme (null for all messages), messages, waiting (without a vector), foreign (with a vector of another
--       vector_space); the last two for all messages only.
-- Indexes: message_passage_by_user alone for the first row; GIN on lexemes for the others, fenced (OFFSET 0): the planner
-- would read all of the user's rows in the other index beside each posting list.
SELECT NULL::bigint AS lexeme,
       count(*) AS messages,
       count(*) FILTER (WHERE p.embedder = '') AS waiting,
       count(*) FILTER (WHERE p.embedder NOT IN ('', %(vector_space)s)) AS foreign
FROM episodes_messagepassage p
WHERE p.tenant_id = %(tenant_id)s AND p.end_user_id = %(end_user_id)s
UNION ALL
SELECT q.lexeme, held.messages, 0, 0
FROM unnest(%(lexemes)s::bigint[]) AS q (lexeme)
CROSS JOIN LATERAL (
    SELECT count(*) AS messages
    FROM (SELECT * FROM episodes_messagepassage c WHERE c.lexemes @> ARRAY[q.lexeme] OFFSET 0) p
    WHERE p.tenant_id = %(tenant_id)s AND p.end_user_id = %(end_user_id)s
) held
