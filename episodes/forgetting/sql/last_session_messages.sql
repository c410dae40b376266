-- A user's sessions, each with their last messages to and from one NPC: what session memory may still hold.
--
-- Parameters: tenant_id, end_user_id, world_id (null: all worlds), max_messages (messages of one session and NPC).
-- Rows: world_id, session_id, npc_id, message_ids bigint[]; forgotten messages among them.
-- Indexes: conversation_by_user, message_alternative_unique. It reads all that the user said, once, for an order.
SELECT said.world_id, said.session_id, said.npc_id, array_agg(said.id ORDER BY said.id)
FROM (
    SELECT c.world_id, m.session_id, m.npc_id, m.id,
           row_number() OVER (PARTITION BY c.world_id, m.session_id, m.npc_id ORDER BY COALESCE(m.alternative_of_id, m.id) DESC) AS place
    FROM episodes_conversation c
    JOIN episodes_message m ON m.conversation_id = c.id
    WHERE c.tenant_id = %(tenant_id)s
      AND c.end_user_id = %(end_user_id)s
      AND (%(world_id)s::bigint IS NULL OR c.world_id = %(world_id)s)
      AND c.world_id IS NOT NULL
      AND m.session_id <> ''
      AND m.is_current
) said
WHERE said.place <= %(max_messages)s
GROUP BY said.world_id, said.session_id, said.npc_id
