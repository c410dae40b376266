-- Players whose messages are to be read a second time now, each with the reason and with how many are due in all; in
-- turn between tenants.
--
-- Parameters: now, gap (a session's end), many (messages), long (a wait), min_interval (between two runs), tries (answers of no
--             use after which a player is left alone), given_up (for how long), limit.
-- Indexes: conversation_by_user; message_alternative_unique; extraction_run_by_user; breaker_event_newest.
WITH waiting AS (
    SELECT c.tenant_id, c.end_user_id, sum(c.pending_extraction_count) AS pending, max(c.last_message_at) AS last_at,
           min(oldest.created_at) AS since
    FROM episodes_conversation c
    JOIN tenancy_tenant t ON t.id = c.tenant_id AND t.extraction <> 'off'
    CROSS JOIN LATERAL (
        -- The first message behind the watermark; without one, the last change of a message before it.
        (SELECT m.created_at FROM episodes_message m
        WHERE m.conversation_id = c.id AND m.seq > c.extracted_to AND m.is_current
        ORDER BY m.seq
        LIMIT 1)
        UNION ALL
        (SELECT x.created_at FROM episodes_messagechange x
        WHERE x.tenant_id = c.tenant_id AND x.conversation_id = c.id
        ORDER BY x.id DESC
        LIMIT 1)
        LIMIT 1
    ) oldest
    WHERE c.pending_extraction_count > 0
        AND NOT EXISTS (
            -- A breaker of all languages is open: the tenant's players would only take the places of others.
            SELECT 1 FROM (
                SELECT DISTINCT ON (b.kind) b.state FROM factcheck_breakerevent b
                WHERE b.tenant_id = t.id AND b.language = ''
                ORDER BY b.kind, b.id DESC
            ) newest
            WHERE newest.state = 'open'
        )
    GROUP BY c.tenant_id, c.end_user_id
),
reasons AS (
    SELECT w.*, CASE
        WHEN w.last_at < %(now)s - %(gap)s THEN 'session_closed'
        WHEN w.pending >= %(many)s THEN 'pending_15'
        WHEN w.since < %(now)s - %(long)s THEN 'cron'
    END AS reason
    FROM waiting w
),
due AS (
    SELECT r.*, row_number() OVER (PARTITION BY r.tenant_id ORDER BY r.since, r.end_user_id) AS turn
    FROM reasons r
    WHERE r.reason IS NOT NULL
        AND NOT EXISTS (
            SELECT 1 FROM factcheck_extractionrun x
            WHERE x.tenant_id = r.tenant_id AND x.end_user_id = r.end_user_id AND (
                x.state IN ('claimed', 'answered') AND x.lease_until > %(now)s
                OR x.state = 'applied' AND x.follows_id IS NULL AND x.created_at > %(now)s - %(min_interval)s
            )
        )
        AND NOT EXISTS (
            -- The failures since the last run that was applied: each makes the next one wait longer.
            SELECT 1 FROM (
                SELECT count(*) AS failures, max(f.finished_at) AS failed_at,
                       count(*) FILTER (WHERE f.error_code <> 'model_unavailable') AS unusable
                FROM factcheck_extractionrun f
                WHERE f.tenant_id = r.tenant_id AND f.end_user_id = r.end_user_id AND f.state = 'failed'
                    AND f.id > coalesce((
                        SELECT max(a.id) FROM factcheck_extractionrun a
                        WHERE a.tenant_id = r.tenant_id AND a.end_user_id = r.end_user_id AND a.state = 'applied'
                    ), 0)
            ) failed
            WHERE failed.failures > 0 AND failed.failed_at > %(now)s - CASE
                WHEN failed.unusable >= %(tries)s THEN %(given_up)s
                WHEN failed.failures = 1 THEN interval '1 minute'
                WHEN failed.failures = 2 THEN interval '5 minutes'
                ELSE interval '30 minutes'
            END
        )
)
SELECT tenant_id, end_user_id, reason, count(*) OVER () AS due_in_all FROM due ORDER BY turn, since LIMIT %(limit)s
