-- Part of a statement: common tables of what some entities are called, and of who is one step from them, by relations
-- and names that the reader may see.
--
-- Filled in by code, never by callers: {linked} (a query of entity_id, source: who is named by what), {visible_relation}
-- (a condition on relation x), {visible_name} (on name n), {named_near}, {named_other} (on x and the root of each end).
-- Parameters: tenant_id, world_id, hub_cap (relations of one entity, each way), max_graph_names, those of the conditions.
-- Tables: graph_counts (root, sources, ids), graph_near (root, other), graph_names (text, root); roots stand for entities.
-- Indexes: graph_relation_src, graph_relation_dst, graph_entity_merged, graph_name_entity.
graph_counts AS MATERIALIZED (
    SELECT COALESCE(e.merged_into_id, e.id) AS root, count(DISTINCT l.source) AS sources, array_agg(DISTINCT e.id) AS ids
    FROM ({linked}) l
    JOIN knowledge_graphentity e ON e.id = l.entity_id AND e.tenant_id = %(tenant_id)s AND e.world_id = %(world_id)s
    GROUP BY 1
), graph_member AS MATERIALIZED (
    SELECT r.root, r.root AS id FROM graph_counts r
    UNION ALL
    SELECT r.root, m.id FROM graph_counts r
    JOIN knowledge_graphentity m ON m.tenant_id = %(tenant_id)s AND m.merged_into_id = r.root
), graph_near AS MATERIALIZED (
    SELECT DISTINCT g.root, COALESCE(o.merged_into_id, o.id) AS other
    FROM graph_member g
    CROSS JOIN LATERAL (
        (SELECT x.dst_id AS other_id, x.source_kind FROM knowledge_graphrelation x
         WHERE x.tenant_id = %(tenant_id)s AND x.src_id = g.id AND x.state = 'active' AND {visible_relation}
         LIMIT %(hub_cap)s)
        UNION ALL
        (SELECT x.src_id, x.source_kind FROM knowledge_graphrelation x
         WHERE x.tenant_id = %(tenant_id)s AND x.dst_id = g.id AND x.state = 'active' AND {visible_relation}
         LIMIT %(hub_cap)s)
    ) x
    JOIN knowledge_graphentity o ON o.id = x.other_id AND o.world_id = %(world_id)s
    WHERE COALESCE(o.merged_into_id, o.id) <> g.root AND {named_near} AND {named_other}
), graph_names AS MATERIALIZED (
    SELECT DISTINCT n.text, w.root
    FROM (SELECT root FROM graph_counts UNION SELECT other FROM graph_near) w
    CROSS JOIN LATERAL (
        SELECT w.root AS id
        UNION ALL
        SELECT m.id FROM knowledge_graphentity m WHERE m.tenant_id = %(tenant_id)s AND m.merged_into_id = w.root
    ) m
    JOIN knowledge_graphname n ON n.tenant_id = %(tenant_id)s AND n.entity_id = m.id
    WHERE {visible_name}
    LIMIT %(max_graph_names)s
)
