-- An edit for every document that is live in the base and not edited, with the revision that is live already.
-- Parameters: release_id, tenant_id, domain_index_id, base. No rows. Index: publication_added_in.
INSERT INTO knowledge_releaseedit (tenant_id, release_id, document_id, revision_id, state)
SELECT %(tenant_id)s, %(release_id)s, p.document_id, p.revision_id, 'pending'
FROM knowledge_publication p
WHERE p.domain_index_id = %(domain_index_id)s
  AND p.added_in <= %(base)s AND (p.removed_in IS NULL OR p.removed_in > %(base)s)
  AND NOT EXISTS (
      SELECT 1 FROM knowledge_releaseedit e WHERE e.release_id = %(release_id)s AND e.document_id = p.document_id
  )
ORDER BY p.document_id
