-- When the summaries of a campaign took place, newest first.
--
-- Filled in by code: {partition}, the conditions of a search on p.
-- Parameters: those of the conditions; limit.
-- Rows: passage id, happened_at.
-- Indexes: those of the conditions; the primary key of summaries.
SELECT p.id, s.happened_at
FROM episodes_summarypassage p
JOIN episodes_episodicsummary s ON s.id = p.summary_id
WHERE {partition}
ORDER BY s.happened_at DESC, p.id DESC
LIMIT %(limit)s
