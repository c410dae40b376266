-- What BM25 needs to know of a user's messages: how many there are, and how many hold each lexeme. Of a user with more
-- messages than `exact_rows` a lexeme that 100 messages or more of a sixteenth hold is counted in that sixteenth alone.
--
-- Filled in by code, never by callers: {is_sampled} (the condition of message_passage_sample on c), {one_in} (16).
-- Parameters: tenant_id, end_user_id, lexemes bigint[] (hashed in the user's partition), vector_space, exact_rows.
-- Rows: lexeme (null for all messages), messages, waiting (without a vector), others (with a vector of another
--       vector_space), has_codes (whether all vectors of this space have codes); the last three for all messages only.
-- Indexes: message_passage_by_user alone for the first row; GIN on lexemes for the others, fenced (OFFSET 0): the planner
-- would read all of the user's rows in the other index beside each posting list.
WITH total AS MATERIALIZED (
    SELECT count(*) AS messages,
           count(*) FILTER (WHERE p.embedder = '') AS waiting,
           count(*) FILTER (WHERE p.embedder NOT IN ('', %(vector_space)s)) AS others
    FROM episodes_messagepassage p
    WHERE p.tenant_id = %(tenant_id)s AND p.end_user_id = %(end_user_id)s
)
SELECT NULL::bigint AS lexeme, t.messages, t.waiting, t.others, EXISTS (
           SELECT 1
           FROM episodes_vectorcenter c
           WHERE c.tenant_id = %(tenant_id)s AND c.end_user_id = %(end_user_id)s
             AND c.vector_space = %(vector_space)s AND c.is_ready
       ) AS has_codes
FROM total t
UNION ALL
SELECT q.lexeme,
       CASE WHEN sample.messages >= 100 THEN sample.messages * {one_in} ELSE (
           SELECT count(*)
           FROM (SELECT * FROM episodes_messagepassage c WHERE c.lexemes @> ARRAY[q.lexeme] OFFSET 0) p
           WHERE p.tenant_id = %(tenant_id)s AND p.end_user_id = %(end_user_id)s
       ) END,
       0, 0, FALSE
FROM unnest(%(lexemes)s::bigint[]) AS q (lexeme)
CROSS JOIN LATERAL (
    SELECT count(*) AS messages
    FROM (
        SELECT *
        FROM episodes_messagepassage c
        WHERE c.lexemes @> ARRAY[q.lexeme] AND {is_sampled} AND (SELECT messages FROM total) > %(exact_rows)s
        OFFSET 0
    ) p
    WHERE p.tenant_id = %(tenant_id)s AND p.end_user_id = %(end_user_id)s
) sample
