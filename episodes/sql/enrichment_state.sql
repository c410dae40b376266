-- How a tenant's messages stand on their way to a vector; a count ends at `most`.
--
-- Parameters: tenant_id, most.
-- Row: pending, failed, oldest_pending (when the first of those that wait was stored; null for none).
-- Indexes: message_passage_pending, message_passage_failed; no row that has its vector is read.
SELECT (
    SELECT count(*)
    FROM (
        SELECT 1 FROM episodes_messagepassage
        WHERE tenant_id = %(tenant_id)s AND embedding_state = 'pending'
        LIMIT %(most)s
    ) waiting
) AS pending, (
    SELECT count(*)
    FROM (
        SELECT 1 FROM episodes_messagepassage
        WHERE tenant_id = %(tenant_id)s AND embedding_state = 'failed'
        LIMIT %(most)s
    ) given_up
) AS failed, (
    SELECT created_at FROM episodes_messagepassage
    WHERE tenant_id = %(tenant_id)s AND embedding_state = 'pending'
    ORDER BY id
    LIMIT 1
) AS oldest_pending
