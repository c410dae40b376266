-- All relations of canon that the reader may see between entities of the world, as pairs of what stands for them.
--
-- Filled in by code, never by callers: {visible} (a condition on relation x).
-- Parameters: tenant_id, world_id, those of the condition. Rows: src, dst, each pair once. Index: graph_relation_added_in.
SELECT DISTINCT COALESCE(s.merged_into_id, s.id) AS src, COALESCE(d.merged_into_id, d.id) AS dst
FROM knowledge_graphrelation x
JOIN knowledge_graphentity s ON s.id = x.src_id
JOIN knowledge_graphentity d ON d.id = x.dst_id
WHERE x.tenant_id = %(tenant_id)s AND x.world_id = %(world_id)s AND x.source_kind = 'canon' AND {visible}
