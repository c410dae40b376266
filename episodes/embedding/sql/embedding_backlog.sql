-- What waits for a vector, by tenant: messages and summaries, with when the first of each was stored.
--
-- Parameters: none.
-- Rows: tenant (slug), kind (message, summary), pending, oldest; none for tenants without a backlog.
-- Indexes: message_passage_pending, summary_passage_pending; no row that has its vector is read.
SELECT t.slug AS tenant, backlog.kind, backlog.pending, backlog.oldest
FROM (
    SELECT tenant_id, 'message' AS kind, count(*) AS pending, min(created_at) AS oldest
    FROM episodes_messagepassage
    WHERE embedding_state = 'pending'
    GROUP BY tenant_id
    UNION ALL
    SELECT tenant_id, 'summary' AS kind, count(*) AS pending, min(created_at) AS oldest
    FROM episodes_summarypassage
    WHERE embedding_state = 'pending'
    GROUP BY tenant_id
) backlog
JOIN tenancy_tenant t ON t.id = backlog.tenant_id
