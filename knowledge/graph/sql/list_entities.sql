-- Entities that the reader knows a name of, in the order in which they came.
--
-- Filled in by code, never by callers: {visible} (a condition on name n).
-- Parameters: tenant_id, world_id, kind (empty: any), after (an entity), limit, those of the condition.
-- Rows: entity_id. Index: graph_name_key.
SELECT DISTINCT COALESCE(e.merged_into_id, e.id) AS entity_id
FROM knowledge_graphname n
JOIN knowledge_graphentity e ON e.id = n.entity_id
WHERE n.tenant_id = %(tenant_id)s AND n.world_id = %(world_id)s AND (%(kind)s = '' OR n.kind = %(kind)s) AND {visible}
    AND COALESCE(e.merged_into_id, e.id) > %(after)s
ORDER BY 1
LIMIT %(limit)s
