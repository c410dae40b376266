-- Names again that were live in the base and closed by releases that were rolled back.
-- Documents that the release edits are left out: their articles are read anew.
-- Parameters: domain_index_id, base, number, release_id. No rows. Index: graph_name_removed_in.
INSERT INTO knowledge_graphname (
    tenant_id, world_id, entity_id, owner_kind, owner_id, source_kind, source_id, text, key, latin, grams, kind, language,
    is_title, audience, domain_index_id, document_id, added_in, removed_in, reason, actor
)
SELECT tenant_id, world_id, entity_id, owner_kind, owner_id, source_kind, source_id, text, key, latin, grams, kind,
       language, is_title, audience, domain_index_id, document_id, %(number)s, NULL, reason, actor
FROM knowledge_graphname t
WHERE domain_index_id = %(domain_index_id)s
  AND added_in <= %(base)s AND removed_in > %(base)s AND removed_in < %(number)s
  AND NOT EXISTS (
      SELECT 1 FROM knowledge_releaseedit e WHERE e.release_id = %(release_id)s AND e.document_id = t.document_id
  )
