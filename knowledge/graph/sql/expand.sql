-- The neighbours of some entities, by relations that the reader may see to entities that he knows.
--
-- Filled in by code, never by callers: {visible} (a condition on relation x), {named} (on x and the root of e).
-- Parameters: tenant_id, world_id, frontier bigint[], hub_cap (neighbours of one entity), those of the conditions.
-- Rows: from_id, to_id, each pair once. Indexes: graph_relation_src, graph_relation_dst, graph_name_entity.
SELECT f.id AS from_id, step.to_id
FROM unnest(%(frontier)s::bigint[]) AS f (id)
CROSS JOIN LATERAL (
    SELECT DISTINCT COALESCE(e.merged_into_id, e.id) AS to_id
    FROM (
        SELECT f.id
        UNION ALL
        SELECT m.id FROM knowledge_graphentity m WHERE m.tenant_id = %(tenant_id)s AND m.merged_into_id = f.id
    ) member (id)
    CROSS JOIN LATERAL (
        SELECT x.dst_id AS other_id, x.source_kind FROM knowledge_graphrelation x
        WHERE x.tenant_id = %(tenant_id)s AND x.src_id = member.id AND x.state = 'active' AND {visible}
        UNION ALL
        SELECT x.src_id, x.source_kind FROM knowledge_graphrelation x
        WHERE x.tenant_id = %(tenant_id)s AND x.dst_id = member.id AND x.state = 'active' AND {visible}
    ) x
    JOIN knowledge_graphentity e ON e.id = x.other_id AND e.world_id = %(world_id)s
    WHERE {named} AND COALESCE(e.merged_into_id, e.id) <> f.id
    LIMIT %(hub_cap)s
) step
