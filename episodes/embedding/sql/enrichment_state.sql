-- How a tenant's messages and summaries, or those of one world, stand on their way to a vector; a count ends at `max_count`.
--
-- Parameters: tenant_id, world_id (null for all worlds and for what belongs to none), max_count.
-- Row: pending, failed, oldest_pending (when the first message that waits was stored; null for none), pending_summaries,
-- oldest_summary.
-- Indexes: message_passage_pending, message_passage_failed, summary_passage_pending; no row that has its vector is read.
SELECT (
    SELECT count(*)
    FROM (
        SELECT 1 FROM episodes_messagepassage p
        WHERE p.tenant_id = %(tenant_id)s AND p.embedding_state = 'pending' AND (%(world_id)s::bigint IS NULL OR EXISTS (
            SELECT 1 FROM episodes_conversation c WHERE c.id = p.conversation_id AND c.world_id = %(world_id)s
        ))
        LIMIT %(max_count)s
    ) waiting
) AS pending, (
    SELECT count(*)
    FROM (
        SELECT 1 FROM episodes_messagepassage p
        WHERE p.tenant_id = %(tenant_id)s AND p.embedding_state = 'failed' AND (%(world_id)s::bigint IS NULL OR EXISTS (
            SELECT 1 FROM episodes_conversation c WHERE c.id = p.conversation_id AND c.world_id = %(world_id)s
        ))
        LIMIT %(max_count)s
    ) given_up
) AS failed, (
    SELECT p.created_at FROM episodes_messagepassage p
    WHERE p.tenant_id = %(tenant_id)s AND p.embedding_state = 'pending' AND (%(world_id)s::bigint IS NULL OR EXISTS (
        SELECT 1 FROM episodes_conversation c WHERE c.id = p.conversation_id AND c.world_id = %(world_id)s
    ))
    ORDER BY p.id
    LIMIT 1
) AS oldest_pending, (
    SELECT count(*)
    FROM (
        SELECT 1 FROM episodes_summarypassage p
        WHERE p.tenant_id = %(tenant_id)s AND p.embedding_state = 'pending' AND (%(world_id)s::bigint IS NULL OR EXISTS (
            SELECT 1 FROM episodes_campaign c WHERE c.id = p.campaign_id AND c.world_id = %(world_id)s
        ))
        LIMIT %(max_count)s
    ) waiting
) AS pending_summaries, (
    SELECT p.created_at FROM episodes_summarypassage p
    WHERE p.tenant_id = %(tenant_id)s AND p.embedding_state = 'pending' AND (%(world_id)s::bigint IS NULL OR EXISTS (
        SELECT 1 FROM episodes_campaign c WHERE c.id = p.campaign_id AND c.world_id = %(world_id)s
    ))
    ORDER BY p.id
    LIMIT 1
) AS oldest_summary
