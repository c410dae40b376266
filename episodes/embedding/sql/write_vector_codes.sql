-- Writes codes for a part of a user's vectors that were there before the user had a center.
--
-- Parameters: tenant_id, end_user_id, vector_space, after (a passage's id), batch_size.
-- Row: last_id (null: none is left), written.
-- Indexes: the primary key behind `after`, message_passage_by_user. Locks the passages in pk order against deletion: what
-- is forgotten before has no code, what is forgotten after loses it by the trigger.
WITH part AS MATERIALIZED (
    SELECT p.id, p.tenant_id, p.end_user_id, p.conversation_id, p.message_id, p.embedding
    FROM episodes_messagepassage p
    WHERE p.tenant_id = %(tenant_id)s AND p.end_user_id = %(end_user_id)s AND p.embedder = %(vector_space)s
      AND p.id > %(after)s
    ORDER BY p.id
    LIMIT %(batch_size)s
    FOR KEY SHARE OF p
), written AS (
    INSERT INTO episodes_vectorcode
        (passage_id, tenant_id, end_user_id, conversation_id, npc_id, role, sent_at, code)
    SELECT t.id, t.tenant_id, t.end_user_id, t.conversation_id, m.npc_id, m.role, m.sent_at,
           binary_quantize(t.embedding - c.center)
    FROM part t
    JOIN episodes_message m ON m.id = t.message_id
    JOIN episodes_vectorcenter c ON c.end_user_id = t.end_user_id AND c.vector_space = %(vector_space)s
    ON CONFLICT (passage_id) DO NOTHING
    RETURNING passage_id
)
SELECT (SELECT max(id) FROM part) AS last_id, (SELECT count(*) FROM written) AS written
