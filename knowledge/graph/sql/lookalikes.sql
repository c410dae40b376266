-- Names of other entities that look like a name: equal in key or in Latin letters, or sharing trigrams.
--
-- Filled in by code, never by callers: {visible} (a condition on name n).
-- Parameters: tenant_id, world_id, entity_id, key, latin, grams varchar[], limit, those of the condition.
-- Rows: entity_id (what stands for it), text, kind, context (a relation that canon states of it), score; best first.
-- Indexes: graph_name_key, graph_name_latin, graph_name_grams.
SELECT COALESCE(e.merged_into_id, e.id) AS entity_id, n.text, n.kind,
       COALESCE((
           SELECT x.span FROM knowledge_graphrelation x
           WHERE x.tenant_id = %(tenant_id)s AND x.src_id = n.entity_id AND x.source_kind = n.source_kind
             AND x.source_id = n.source_id
           ORDER BY x.id LIMIT 1
       ), '') AS context,
       s.shared::float8 / GREATEST(cardinality(n.grams) + cardinality(%(grams)s::varchar[]) - s.shared, 1) AS score
FROM knowledge_graphname n
JOIN knowledge_graphentity e ON e.id = n.entity_id
CROSS JOIN LATERAL (SELECT COUNT(*) AS shared FROM unnest(n.grams) g WHERE g = ANY(%(grams)s::varchar[])) s
WHERE n.tenant_id = %(tenant_id)s AND n.world_id = %(world_id)s
  AND (n.key = %(key)s OR (n.latin = %(latin)s AND n.latin <> '') OR n.grams && %(grams)s::varchar[])
  AND COALESCE(e.merged_into_id, e.id) <> %(entity_id)s AND {visible}
  AND (n.key = %(key)s OR (n.latin = %(latin)s AND n.latin <> '')
       OR s.shared * 10 >= 3 * (cardinality(n.grams) + cardinality(%(grams)s::varchar[]) - s.shared))
ORDER BY n.key = %(key)s DESC, n.latin = %(latin)s DESC, 5 DESC, n.id
LIMIT %(limit)s
