-- The entities of a world by their number of relations, as far as the reader may see them.
--
-- Filled in by code, never by callers: {visible} (a condition on relation x), {known} (a condition on name n).
-- Parameters: tenant_id, world_id, limit, those of the conditions.
-- Rows: entity_id, degree, total (of all entities). Indexes: graph_relation_added_in, graph_name_added_in.
WITH named AS MATERIALIZED (
    SELECT DISTINCT COALESCE(e.merged_into_id, e.id) AS id
    FROM knowledge_graphname n
    JOIN knowledge_graphentity e ON e.id = n.entity_id
    WHERE n.tenant_id = %(tenant_id)s AND n.world_id = %(world_id)s AND {known}
), ends AS (
    SELECT x.src_id AS id FROM knowledge_graphrelation x
    WHERE x.tenant_id = %(tenant_id)s AND x.world_id = %(world_id)s AND {visible}
    UNION ALL
    SELECT x.dst_id FROM knowledge_graphrelation x
    WHERE x.tenant_id = %(tenant_id)s AND x.world_id = %(world_id)s AND {visible}
), degrees AS (
    SELECT COALESCE(e.merged_into_id, e.id) AS id, COUNT(*) AS degree
    FROM ends JOIN knowledge_graphentity e ON e.id = ends.id
    GROUP BY 1
)
SELECT named.id AS entity_id, COALESCE(d.degree, 0) AS degree, COUNT(*) OVER () AS total
FROM named
LEFT JOIN degrees d ON d.id = named.id
ORDER BY 2 DESC, 1
LIMIT %(limit)s
