-- Conversations with a chunk to close, each with why; in turn between tenants, and of a tenant the one that waits longest.
--
-- Parameters: now, gap (after which a session is over), left_over (messages worth an event then), every (of worlds
-- without a policy), is_enabled (of the same), limit.
-- Rows: conversation_id, tenant_id, trigger. Reads all conversations once a minute: their counters change with every
-- message, and an index on them would cost each post more than this scan.
WITH waiting AS (
    SELECT c.id, c.tenant_id, c.last_message_at, c.last_seq - greatest(coalesce(b.reached, 0), c.gone_to) AS messages,
           coalesce(p.every, %(every)s) AS every
    FROM episodes_conversation c
    LEFT JOIN episodes_eventbook b ON b.conversation_id = c.id
    LEFT JOIN episodes_eventpolicy p ON p.world_id = c.world_id
    WHERE c.last_seq - greatest(coalesce(b.reached, 0), c.gone_to) >= %(left_over)s
        AND coalesce(p.is_enabled, %(is_enabled)s)
), due AS (
    SELECT w.id, w.tenant_id, CASE WHEN w.messages >= w.every THEN 'count' ELSE 'session_closed' END AS reason,
           row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.last_message_at, w.id) AS turn
    FROM waiting w
    WHERE w.messages >= w.every OR w.last_message_at < %(now)s - %(gap)s
)
SELECT id, tenant_id, reason FROM due ORDER BY turn, id LIMIT %(limit)s
