-- Entities of translations stand for the entity of the article that they translate, in a release.
-- What is itself stood for by others, or translates a translation, is left as it is: one step leads to what stands for it.
-- Parameters: domain_index_id, number. No rows. Indexes: publication_added_in; graph_entity_slug_unique.
UPDATE knowledge_graphentity e SET merged_into_id = root.id, merged_by = 'translation'
FROM knowledge_domainindex d
JOIN knowledge_publication p ON p.domain_index_id = d.id
     AND p.added_in <= %(number)s AND (p.removed_in IS NULL OR p.removed_in > %(number)s)
JOIN knowledge_lorerevision r ON r.id = p.revision_id AND r.translation_of <> ''
JOIN knowledge_graphentity root ON root.tenant_id = d.tenant_id AND root.world_id = d.world_id
     AND root.slug = r.translation_of
WHERE d.id = %(domain_index_id)s
  AND e.tenant_id = d.tenant_id AND e.world_id = d.world_id AND e.slug = p.slug
  AND e.id <> root.id AND e.merged_into_id IS NULL AND root.merged_into_id IS NULL
  AND NOT EXISTS (
      SELECT 1 FROM knowledge_lorerevision rr
      JOIN knowledge_publication pp ON pp.revision_id = rr.id
      WHERE pp.domain_index_id = d.id AND pp.slug = root.slug AND rr.translation_of <> ''
        AND pp.added_in <= %(number)s AND (pp.removed_in IS NULL OR pp.removed_in > %(number)s)
  )
  AND NOT EXISTS (
      SELECT 1 FROM knowledge_graphentity c WHERE c.tenant_id = d.tenant_id AND c.merged_into_id = e.id
  )
  AND NOT EXISTS (
      SELECT 1 FROM knowledge_graphnotsame n
      WHERE n.tenant_id = d.tenant_id AND n.withdrawn_at IS NULL
        AND n.first_id = LEAST(e.id, root.id) AND n.second_id = GREATEST(e.id, root.id)
  )
