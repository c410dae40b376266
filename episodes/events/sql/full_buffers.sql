-- Conversations whose events are to be archived: enough of them, or enough tokens, or a batch whose worker died.
--
-- Parameters: now, archive_at and archive_tokens (of worlds without a policy), limit. Rows: conversation_id.
-- Indexes: event_node_buffer; event_node_open.
SELECT f.conversation_id FROM (
    SELECT n.conversation_id, n.world_id, count(*) AS events, sum(n.tokens) AS tokens
    FROM episodes_eventnode n
    WHERE n.state = 'buffer' AND (n.wait_until IS NULL OR n.wait_until <= %(now)s)
    GROUP BY n.conversation_id, n.world_id
) f
LEFT JOIN episodes_eventpolicy p ON p.world_id = f.world_id
WHERE f.events >= coalesce(p.archive_at, %(archive_at)s) OR f.tokens >= coalesce(p.archive_tokens, %(archive_tokens)s)
UNION
SELECT n.conversation_id FROM episodes_eventnode n WHERE n.state = 'archiving' AND n.lease_until <= %(now)s
LIMIT %(limit)s
