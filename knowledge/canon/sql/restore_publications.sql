-- Publish again what was live in the base and closed by releases that were rolled back; edited documents are left out.
-- Parameters: domain_index_id, base, number, release_id. No rows. Index: publication_removed_in.
INSERT INTO knowledge_publication (
    tenant_id, domain_index_id, document_id, revision_id, slug, title, type, names, rule_id, audience, tags, mentions,
    added_in, removed_in
)
SELECT p.tenant_id, p.domain_index_id, p.document_id, p.revision_id, p.slug, p.title, p.type, p.names, p.rule_id,
       p.audience, p.tags, p.mentions, %(number)s, NULL
FROM knowledge_publication p
WHERE p.domain_index_id = %(domain_index_id)s
  AND p.added_in <= %(base)s AND p.removed_in > %(base)s AND p.removed_in < %(number)s
  AND NOT EXISTS (
      SELECT 1 FROM knowledge_releaseedit e WHERE e.release_id = %(release_id)s AND e.document_id = p.document_id
  )
