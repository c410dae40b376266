-- The reviewer's lease on a sample that is locked: new, or theirs again. Nothing where others took its last place
-- meanwhile: a lease that was committed between the look and the lock is seen only by this second statement.
-- Parameters: sample, reviewer, minutes. Rows: all columns.
-- Indexes: primary key of samples, sample_lease_unique.
INSERT INTO reviews_samplelease (tenant_id, sample_id, gold_id, reviewer_id, taken_at, heartbeat_at, expires_at)
SELECT s.tenant_id, s.id, NULL, %(reviewer)s, clock_timestamp(), clock_timestamp(),
    clock_timestamp() + make_interval(mins => %(minutes)s)
FROM factcheck_extractionsample s
WHERE s.id = %(sample)s AND NOT s.is_gone AND s.label_count < s.labels_wanted
    AND (
        SELECT count(*) FROM reviews_samplelease h
        WHERE h.sample_id = s.id AND h.reviewer_id <> %(reviewer)s AND h.expires_at > clock_timestamp()
    ) < s.labels_wanted - s.label_count
ON CONFLICT (sample_id, reviewer_id) DO UPDATE
SET taken_at = excluded.taken_at, heartbeat_at = excluded.heartbeat_at, expires_at = excluded.expires_at
RETURNING id, tenant_id, sample_id, gold_id, reviewer_id, taken_at, heartbeat_at, expires_at
