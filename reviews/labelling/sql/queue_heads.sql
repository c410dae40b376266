-- The oldest open sample of every (reason, language, label count): a loose scan, a probe of the index a row.
-- Parameters: tenant. Rows: reason, language, label_count, id.
-- Index: extraction_sample_open.
WITH RECURSIVE heads AS (
    (
        SELECT s.reason, s.language, s.label_count, s.id
        FROM factcheck_extractionsample s
        WHERE s.tenant_id = %(tenant)s AND NOT s.is_gone AND s.label_count < s.labels_wanted
        ORDER BY s.reason, s.language, s.label_count, s.id
        LIMIT 1
    )
    UNION ALL
    SELECT n.reason, n.language, n.label_count, n.id
    FROM heads h
    CROSS JOIN LATERAL (
        SELECT s.reason, s.language, s.label_count, s.id
        FROM factcheck_extractionsample s
        WHERE s.tenant_id = %(tenant)s AND NOT s.is_gone AND s.label_count < s.labels_wanted
            AND (s.reason, s.language, s.label_count) > (h.reason, h.language, h.label_count)
        ORDER BY s.reason, s.language, s.label_count, s.id
        LIMIT 1
    ) n
)
SELECT reason, language, label_count, id FROM heads
