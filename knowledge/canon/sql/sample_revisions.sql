-- Some revisions that a release brings, evenly spread.
-- Parameters: release_id, sample. Rows: revision_id. Index: release_edit_document_unique.
SELECT revision_id
FROM (
    SELECT e.revision_id, ROW_NUMBER() OVER (ORDER BY e.id) - 1 AS place, COUNT(*) OVER () AS total
    FROM knowledge_releaseedit e
    WHERE e.release_id = %(release_id)s AND e.revision_id IS NOT NULL
) numbered
WHERE total <= %(sample)s OR place * %(sample)s / total <> (place - 1) * %(sample)s / total OR place = 0
