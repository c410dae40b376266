-- What canon says publicly of some entities in predicates that hold of one thing at a time.
--
-- Filled in by code, never by callers: {visible} (a condition on relation x).
-- Parameters: tenant_id, predicates varchar[], members bigint[] (entities and what was merged into them), those of the
--             condition.
-- Rows: predicate, src, dst (what stands for either end). Indexes: graph_relation_src, graph_relation_dst.
SELECT x.predicate, COALESCE(s.merged_into_id, s.id) AS src, COALESCE(d.merged_into_id, d.id) AS dst
FROM knowledge_graphrelation x
JOIN knowledge_graphentity s ON s.id = x.src_id
JOIN knowledge_graphentity d ON d.id = x.dst_id
WHERE x.tenant_id = %(tenant_id)s AND x.predicate = ANY(%(predicates)s::varchar[])
  AND (x.src_id = ANY(%(members)s::bigint[]) OR x.dst_id = ANY(%(members)s::bigint[]))
  AND x.source_kind = 'canon' AND {visible}
