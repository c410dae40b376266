-- Takes the snippets of all that an order forgets or erases, and of the message right behind it.
--
-- Parameters: conversation_ids bigint[].
-- Row: how many of them had a text.
-- Indexes: primary keys, message_alternative_unique.
WITH deleted AS (
    DELETE FROM episodes_messagesnippet s
    USING episodes_message m, episodes_conversation c
    WHERE s.message_id = m.id
      AND m.conversation_id = c.id
      AND c.id = ANY(%(conversation_ids)s::bigint[])
      AND m.seq <= c.gone_to + 1
    RETURNING s.state
)
SELECT count(*) FILTER (WHERE state = 'ready') FROM deleted
