-- What a reviewer has open, and how long ago they met a gold item; one row.
-- Parameters: tenant, reviewer, beside (a lease to leave out, 0 for none), window (labels to look back).
-- Rows: open (lease ids, the oldest first), held (how many), holds_gold, since_gold (labels since the last gold
-- item was judged or skipped, at most the window), last_gold_at.
-- Indexes: sample_lease_by_reviewer, sample_label_by_reviewer, sample_skip_by_reviewer.
WITH leases AS MATERIALIZED (
    SELECT l.id, l.gold_id
    FROM reviews_samplelease l
    LEFT JOIN factcheck_extractionsample s ON s.id = l.sample_id
    WHERE l.reviewer_id = %(reviewer)s AND l.tenant_id = %(tenant)s AND l.expires_at > clock_timestamp()
        AND s.is_gone IS NOT TRUE
), labels AS MATERIALIZED (
    SELECT b.gold_id, b.created_at
    FROM reviews_samplelabel b
    WHERE b.tenant_id = %(tenant)s AND b.reviewer_id = %(reviewer)s
    ORDER BY b.id DESC
    LIMIT %(window)s
), gold AS MATERIALIZED (
    SELECT greatest(
        (SELECT max(created_at) FROM labels WHERE gold_id IS NOT NULL),
        (
            SELECT max(k.created_at) FROM reviews_sampleskip k
            WHERE k.tenant_id = %(tenant)s AND k.reviewer_id = %(reviewer)s AND k.gold_id IS NOT NULL
        )
    ) AS last_at
)
SELECT
    (SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM leases WHERE id <> %(beside)s) AS open,
    (SELECT count(*) FROM leases) AS held,
    (SELECT count(gold_id) > 0 FROM leases) AS holds_gold,
    (SELECT count(*) FROM labels, gold WHERE gold.last_at IS NULL OR labels.created_at > gold.last_at) AS since_gold,
    (SELECT last_at FROM gold) AS last_gold_at
