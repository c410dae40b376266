-- The oldest open sample of one (reason, language, label count) that the reviewer may have, locked; none where there is none.
-- Not theirs: what they labelled, skip for ever or have open, and what as many others have open as it wants labels.
-- A lease holds while its `expires_at` is ahead, compared here: none is ever swept. The lock is NO KEY, so that foreign
-- keys of other rows (a label that is being written) do not hide a free sample.
-- `bound`: how many rows are looked at; those that want a second label may all be the reviewer's own.
-- Parameters: tenant, reason, language, label_count, bound, reviewer. Rows: id.
-- Indexes: extraction_sample_open, sample_label_one_live, sample_skip_unique, sample_lease_unique.
SELECT s.id
FROM (
    SELECT o.id
    FROM factcheck_extractionsample o
    WHERE o.tenant_id = %(tenant)s AND o.reason = %(reason)s AND o.language = %(language)s
        AND o.label_count = %(label_count)s AND NOT o.is_gone AND o.label_count < o.labels_wanted
    ORDER BY o.id
    LIMIT %(bound)s
) oldest
JOIN factcheck_extractionsample s ON s.id = oldest.id
WHERE NOT s.is_gone AND s.label_count < s.labels_wanted
    AND NOT EXISTS (
        SELECT 1 FROM reviews_samplelabel l
        WHERE l.sample_id = s.id AND l.reviewer_id = %(reviewer)s AND l.undone_at IS NULL
    )
    AND NOT EXISTS (SELECT 1 FROM reviews_sampleskip k WHERE k.sample_id = s.id AND k.reviewer_id = %(reviewer)s)
    AND NOT EXISTS (
        SELECT 1 FROM reviews_samplelease m
        WHERE m.sample_id = s.id AND m.reviewer_id = %(reviewer)s AND m.expires_at > clock_timestamp()
    )
    AND (
        SELECT count(*) FROM reviews_samplelease h
        WHERE h.sample_id = s.id AND h.reviewer_id <> %(reviewer)s AND h.expires_at > clock_timestamp()
    ) < s.labels_wanted - s.label_count
ORDER BY s.id
LIMIT 1
FOR NO KEY UPDATE OF s SKIP LOCKED
