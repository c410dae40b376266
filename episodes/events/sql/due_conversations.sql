-- Conversations with a chunk to close, each with why; in turn between tenants, and of a tenant the one that waits longest.
--
-- Parameters: now, gap (after which a session is over), left_over (messages worth an event then), every (of worlds
-- without a policy), is_enabled (of the same), limit.
-- Rows: conversation_id, tenant_id, trigger. Reads all conversations once a minute: their counters change with every
-- message, and an index on them would cost each post more than this scan.
WITH waiting AS (
    SELECT c.id, c.tenant_id, c.last_message_at, c.last_seq - greatest(b.reached, c.gone_to, c.fork_seq) AS messages,
           coalesce(p.every, %(every)s) AS every, coalesce(b.tried_seq = c.last_seq, FALSE) AS is_tried,
           coalesce(b.tried_seq = c.last_seq AND b.is_tried_closed, FALSE) AS is_tried_closed
    FROM episodes_conversation c
    LEFT JOIN episodes_eventbook b ON b.conversation_id = c.id
    LEFT JOIN episodes_eventpolicy p ON p.world_id = c.world_id
    WHERE c.last_seq - greatest(b.reached, c.gone_to, c.fork_seq) >= %(left_over)s
        AND coalesce(p.is_enabled, %(is_enabled)s)
), due AS (
    SELECT w.id, w.tenant_id, CASE WHEN w.last_message_at < %(now)s - %(gap)s THEN 'session_closed' ELSE 'count' END AS reason,
           row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.last_message_at, w.id) AS turn
    FROM waiting w
    WHERE w.messages >= w.every AND NOT w.is_tried OR w.last_message_at < %(now)s - %(gap)s AND NOT w.is_tried_closed
)
SELECT id, tenant_id, reason FROM due ORDER BY turn, id LIMIT %(limit)s
