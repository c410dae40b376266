-- The next messages of an order to forget or erase: all of a user's, or of one world's, up to the places that are gone.
--
-- Parameters: tenant_id, end_user_id, world_id (null: all worlds), after_conversation_id, after_seq (0, 0: from the
--   start), longest (characters of the content), batch_size.
-- Rows: id, conversation_id, seq, beginning of the content; by conversation and seq. All alternatives of a place come
--   together, so that there may be more rows than batch_size.
-- Indexes: conversation_by_user; message_alternative_unique, from the place behind the last batch.
SELECT m.id, m.conversation_id, m.seq, m.content
FROM (
    SELECT c.id, c.gone_to
    FROM episodes_conversation c
    WHERE c.tenant_id = %(tenant_id)s
      AND c.end_user_id = %(end_user_id)s
      AND (%(world_id)s::bigint IS NULL OR c.world_id = %(world_id)s)
      AND c.gone_to > 0
      AND c.id >= %(after_conversation_id)s
    ORDER BY c.id
) c
CROSS JOIN LATERAL (
    SELECT s.id, s.conversation_id, s.seq, left(s.content, %(longest)s) AS content
    FROM episodes_message s
    WHERE s.conversation_id = c.id
      AND s.seq <= c.gone_to
      AND s.seq > CASE WHEN c.id = %(after_conversation_id)s THEN %(after_seq)s ELSE 0 END
    ORDER BY s.seq
    FETCH FIRST %(batch_size)s ROWS WITH TIES
) m
ORDER BY c.id, m.seq
FETCH FIRST %(batch_size)s ROWS WITH TIES
