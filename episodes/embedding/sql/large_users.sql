-- Users who said more than a number of messages and whose vectors have no codes yet, or those of another embedder.
--
-- Parameters: vector_space, exact_rows, limit.
-- Rows: end_user_id.
-- Index: none is of use: conversations are counted, of which there are few; messages, of which there are many, are not.
SELECT v.end_user_id
FROM episodes_conversation v
LEFT JOIN episodes_vectorcenter c
    ON c.end_user_id = v.end_user_id AND c.vector_space = %(vector_space)s AND c.is_ready
WHERE c.id IS NULL
GROUP BY v.end_user_id
HAVING sum(v.last_seq - v.gone_to) > %(exact_rows)s
ORDER BY v.end_user_id
LIMIT %(limit)s
