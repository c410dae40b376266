-- Names that have one of some keys, as far as they may be resolved against: each once, however often play says it.
--
-- Filled in by code, never by callers: {visible} (a condition on name n).
-- Parameters: tenant_id, world_id, keys varchar[], those of the condition.
-- Rows: key, text, kind, entity_id (what stands for the entity), is_own (not canon's). Index: graph_name_key.
SELECT n.key, n.text, n.kind, COALESCE(e.merged_into_id, e.id) AS entity_id, n.owner_kind <> 'canon' AS is_own
FROM knowledge_graphname n
JOIN knowledge_graphentity e ON e.id = n.entity_id
WHERE n.tenant_id = %(tenant_id)s AND n.world_id = %(world_id)s AND n.key = ANY(%(keys)s::varchar[]) AND {visible}
GROUP BY 1, 2, 3, 4, 5
ORDER BY min(n.id)
