-- The names of canon's entities that the reader may know, with the documents that they are from.
--
-- Filled in by code, never by callers: {visible} (a condition on name n).
-- Parameters: tenant_id, world_id, those of the condition.
-- Rows: entity_id (what stands for it), text, document_id, domain_index_id, language. Index: graph_name_added_in.
SELECT COALESCE(e.merged_into_id, e.id) AS entity_id, n.text, n.document_id, n.domain_index_id, n.language
FROM knowledge_graphname n
JOIN knowledge_graphentity e ON e.id = n.entity_id
WHERE n.tenant_id = %(tenant_id)s AND n.world_id = %(world_id)s AND n.source_kind IN ('canon', 'editor') AND {visible}
