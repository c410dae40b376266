-- Relations again that were live in the base and closed by releases that were rolled back.
-- Documents that the release edits are left out: their articles are read anew.
-- Parameters: domain_index_id, base, number, release_id. No rows. Index: graph_relation_removed_in.
INSERT INTO knowledge_graphrelation (
    tenant_id, world_id, owner_kind, owner_id, src_id, predicate, dst_id, stated_as, slot, state, audience, source_kind,
    source_id, source_field, span, domain_index_id, document_id, added_in, removed_in, story_time
)
SELECT tenant_id, world_id, owner_kind, owner_id, src_id, predicate, dst_id, stated_as, slot, state, audience,
       source_kind, source_id, source_field, span, domain_index_id, document_id, %(number)s, NULL, story_time
FROM knowledge_graphrelation t
WHERE domain_index_id = %(domain_index_id)s
  AND added_in <= %(base)s AND removed_in > %(base)s AND removed_in < %(number)s
  AND NOT EXISTS (
      SELECT 1 FROM knowledge_releaseedit e WHERE e.release_id = %(release_id)s AND e.document_id = t.document_id
  )
