-- Takes the search index's rows of what an order forgets or erases: nothing of it is found or embedded any more.
--
-- Parameters: tenant_id, end_user_id, world_id (null: all worlds).
-- Row: passages, vectors (how many of them had one).
-- Indexes: message_passage_by_user, the primary keys. Locks the rows in pk order.
WITH gone AS (
    SELECT p.id
    FROM episodes_messagepassage p
    JOIN episodes_conversation c ON c.id = p.conversation_id
    WHERE p.tenant_id = %(tenant_id)s
      AND p.end_user_id = %(end_user_id)s
      AND (%(world_id)s::bigint IS NULL OR c.world_id = %(world_id)s)
      AND p.seq <= c.gone_to
    ORDER BY p.id
    FOR UPDATE OF p
),
deleted AS (
    DELETE FROM episodes_messagepassage p USING gone WHERE p.id = gone.id RETURNING p.embedding_state
)
SELECT count(*), count(*) FILTER (WHERE embedding_state = 'done') FROM deleted
