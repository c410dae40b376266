-- Two articles that would share a slug in a release: both edited, or one edited and one live and left alone.
-- Parameters: release_id, domain_index_id, base. Rows: at most one: slug, title, other title.
-- Indexes: release_edit_document_unique; publication_slug_added_in_unique.
WITH edited AS MATERIALIZED (
    SELECT r.slug, r.title, e.document_id
    FROM knowledge_releaseedit e
    JOIN knowledge_lorerevision r ON r.id = e.revision_id
    WHERE e.release_id = %(release_id)s
)
(
    SELECT slug, MIN(title) AS title, MAX(title) AS other_title
    FROM edited
    GROUP BY slug
    HAVING COUNT(*) > 1
    LIMIT 1
)
UNION ALL
(
    SELECT edited.slug, edited.title, p.title
    FROM edited
    JOIN knowledge_publication p ON p.domain_index_id = %(domain_index_id)s AND p.slug = edited.slug
         AND p.added_in <= %(base)s AND (p.removed_in IS NULL OR p.removed_in > %(base)s)
    WHERE NOT EXISTS (
        SELECT 1 FROM knowledge_releaseedit e WHERE e.release_id = %(release_id)s AND e.document_id = p.document_id
    )
    LIMIT 1
)
LIMIT 1
