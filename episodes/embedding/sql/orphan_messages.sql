-- Messages of each tenant that could not be embedded, or have waited too long; at most `max_count` of each kind are looked at.
--
-- Parameters: waiting_since (waiting from before then is too long), max_count.
-- Rows: tenant (slug), messages; none for tenants without orphans.
-- Indexes: message_passage_pending, message_passage_failed; no row that has its vector is read.
SELECT t.slug AS tenant, count(*) AS messages
FROM (
    (
        SELECT tenant_id FROM episodes_messagepassage
        WHERE embedding_state = 'failed'
        LIMIT %(max_count)s
    )
    UNION ALL
    (
        SELECT tenant_id FROM episodes_messagepassage
        WHERE embedding_state = 'pending' AND created_at < %(waiting_since)s
        LIMIT %(max_count)s
    )
) orphan
JOIN tenancy_tenant t ON t.id = orphan.tenant_id
GROUP BY t.slug
