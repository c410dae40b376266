-- Entities stand for themselves again where the article of a release no longer translates the one they stood for.
-- Parameters: domain_index_id, number. No rows. Indexes: graph_entity_merged; publication_slug_added_in_unique.
UPDATE knowledge_graphentity e SET merged_into_id = NULL, merged_by = ''
FROM knowledge_domainindex d, knowledge_graphentity root
WHERE d.id = %(domain_index_id)s AND e.tenant_id = d.tenant_id AND e.world_id = d.world_id
  AND e.merged_by = 'translation' AND root.id = e.merged_into_id
  AND EXISTS (
      SELECT 1 FROM knowledge_publication p WHERE p.domain_index_id = d.id AND p.slug = e.slug
  )
  AND NOT EXISTS (
      SELECT 1 FROM knowledge_publication p
      JOIN knowledge_lorerevision r ON r.id = p.revision_id
      WHERE p.domain_index_id = d.id AND p.slug = e.slug AND r.translation_of <> ''
        AND p.added_in <= %(number)s AND (p.removed_in IS NULL OR p.removed_in > %(number)s)
        AND (r.translation_of = root.slug OR EXISTS (
            SELECT 1 FROM knowledge_graphentity t
            WHERE t.tenant_id = d.tenant_id AND t.world_id = d.world_id AND t.slug = r.translation_of
              AND t.merged_into_id = root.id
        ))
  )
