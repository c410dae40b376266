-- Events that a worker is to take up, in turn between tenants: those that wait, those whose worker died, those to be
-- read again.
--
-- Parameters: now, limit. Rows: id, tenant_id, state. Index: event_node_open.
WITH due AS (
    SELECT n.id, n.tenant_id, n.state, n.created_at,
           row_number() OVER (PARTITION BY n.tenant_id ORDER BY n.created_at, n.first_seq) AS turn
    FROM episodes_eventnode n
    WHERE n.state IN ('pending', 'extracting', 'stale', 'archiving')
        AND (n.state = 'stale'
            OR n.state = 'pending' AND (n.wait_until IS NULL OR n.wait_until <= %(now)s)
            OR n.state = 'extracting' AND n.lease_until <= %(now)s)
)
SELECT id, tenant_id, state FROM due ORDER BY turn, created_at LIMIT %(limit)s
