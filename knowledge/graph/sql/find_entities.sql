-- Entities that a name may mean, as far as the reader may know the name.
--
-- Filled in by code, never by callers: {visible} (a condition on name n).
-- Parameters: tenant_id, world_id, key, latin (empty: none), slug, grams varchar[], kind (empty: any), limit, those of
--             the condition.
-- Rows: entity_id (what stands for it), score: 3 an equal name, 2 the same in another script or the slug, else the share
--       of trigrams. Indexes: graph_name_key, graph_name_latin, graph_entity_slug_unique, graph_name_grams.
WITH hit AS (
    SELECT n.entity_id, 3.0::float8 AS score
    FROM knowledge_graphname n
    WHERE n.tenant_id = %(tenant_id)s AND n.world_id = %(world_id)s AND n.key = %(key)s AND {visible}
    UNION ALL
    SELECT n.entity_id, 2.0
    FROM knowledge_graphname n
    WHERE n.tenant_id = %(tenant_id)s AND n.world_id = %(world_id)s AND n.latin = %(latin)s AND n.latin <> '' AND {visible}
    UNION ALL
    SELECT e.id, 2.0
    FROM knowledge_graphentity e
    WHERE e.tenant_id = %(tenant_id)s AND e.world_id = %(world_id)s AND e.slug = %(slug)s AND e.slug <> ''
      AND EXISTS (SELECT 1 FROM knowledge_graphname n WHERE n.tenant_id = e.tenant_id AND n.entity_id = e.id
                  AND n.source_kind = 'canon' AND {visible})
    UNION ALL
    SELECT alike.entity_id, alike.score
    FROM (
        SELECT n.entity_id,
               s.shared::float8 / (cardinality(n.grams) + cardinality(%(grams)s::varchar[]) - s.shared) AS score,
               s.shared::float8 / cardinality(%(grams)s::varchar[]) AS held
        FROM knowledge_graphname n
        CROSS JOIN LATERAL (
            SELECT COUNT(*) AS shared FROM unnest(n.grams) g WHERE g = ANY(%(grams)s::varchar[])
        ) s
        WHERE n.tenant_id = %(tenant_id)s AND n.world_id = %(world_id)s AND n.grams && %(grams)s::varchar[] AND {visible}
    ) alike
    WHERE alike.score >= 0.3 OR alike.held >= 0.6
)
SELECT COALESCE(e.merged_into_id, e.id) AS entity_id, MAX(hit.score) AS score
FROM hit
JOIN knowledge_graphentity e ON e.id = hit.entity_id
WHERE %(kind)s = '' OR EXISTS (
    SELECT 1 FROM knowledge_graphname n WHERE n.tenant_id = %(tenant_id)s AND n.entity_id = e.id AND n.kind = %(kind)s
      AND {visible}
)
GROUP BY 1
ORDER BY 2 DESC, 1
LIMIT %(limit)s
