-- The entities within some steps of one, by relations that the reader may see between entities that he knows.
--
-- Filled in by code, never by callers: {visible} (a condition on relation x), {named} (a condition on root o and x).
-- Parameters: tenant_id, world_id, root, depth, hub_cap (neighbours of one entity), max_entities, those of the conditions.
-- Rows: entity_id, depth, nearest first; is_hub (whether the cap was met there).
-- Indexes: graph_relation_src, graph_relation_dst, graph_entity_merged, graph_name_entity.
WITH RECURSIVE walk (entity_id, depth) AS (
    SELECT %(root)s::bigint, 0
    UNION
    SELECT step.entity_id, w.depth + 1
    FROM walk w
    CROSS JOIN LATERAL (
        SELECT DISTINCT edge.entity_id
        FROM (
            SELECT COALESCE(e.merged_into_id, e.id) AS entity_id
            FROM (
                SELECT w.entity_id AS id
                UNION ALL
                SELECT m.id FROM knowledge_graphentity m
                WHERE m.tenant_id = %(tenant_id)s AND m.merged_into_id = w.entity_id
            ) member
            CROSS JOIN LATERAL (
                SELECT x.dst_id AS other_id, x.source_kind FROM knowledge_graphrelation x
                WHERE x.tenant_id = %(tenant_id)s AND x.src_id = member.id AND x.state = 'active' AND {visible}
                UNION ALL
                SELECT x.src_id, x.source_kind FROM knowledge_graphrelation x
                WHERE x.tenant_id = %(tenant_id)s AND x.dst_id = member.id AND x.state = 'active' AND {visible}
            ) x
            JOIN knowledge_graphentity e ON e.id = x.other_id AND e.world_id = %(world_id)s
            WHERE {named}
            LIMIT %(hub_cap)s
        ) edge
    ) step
    WHERE w.depth < %(depth)s AND step.entity_id <> w.entity_id
)
SELECT entity_id, MIN(depth) AS depth
FROM walk
GROUP BY entity_id
ORDER BY 2, 1
LIMIT %(max_entities)s
