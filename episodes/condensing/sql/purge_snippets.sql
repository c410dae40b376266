-- Takes the snippets of forgotten messages and of those right before and after them: their words may tell of these.
--
-- Parameters: message_ids bigint[].
-- Row: how many of them had a text.
-- Indexes: primary keys, message_alternative_unique, episodes_messagesnippet_message_id_key. Source: seed 002, fix 15.
WITH told AS (
    SELECT n.id
    FROM episodes_message m
    JOIN episodes_message n ON n.conversation_id = m.conversation_id AND n.seq BETWEEN m.seq - 1 AND m.seq + 1
    WHERE m.id = ANY(%(message_ids)s::bigint[])
),
deleted AS (
    DELETE FROM episodes_messagesnippet s USING told WHERE s.message_id = told.id RETURNING s.id, s.state
)
SELECT count(DISTINCT id) FILTER (WHERE state = 'ready') FROM deleted
