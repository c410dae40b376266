-- The relations between some entities (and what was merged into them) that the reader may see.
--
-- Filled in by code, never by callers: {visible} (a condition on relation x), {named_src}, {named_dst} (on x and a root).
-- Parameters: tenant_id, entity_ids bigint[], max_relations, those of the conditions.
-- Rows: as `RelationView`, with the entities that stand for both ends. Highest authority first.
-- Indexes: graph_relation_src, graph_entity_merged.
WITH member AS MATERIALIZED (
    SELECT e.id, COALESCE(e.merged_into_id, e.id) AS root
    FROM knowledge_graphentity e
    WHERE e.id = ANY(%(entity_ids)s::bigint[])
    UNION ALL
    SELECT e.id, e.merged_into_id
    FROM knowledge_graphentity e
    WHERE e.tenant_id = %(tenant_id)s AND e.merged_into_id = ANY(%(entity_ids)s::bigint[])
)
SELECT x.id AS relation_id, s.root AS src, x.predicate, d.root AS dst, x.stated_as, x.state, x.source_kind,
       x.source_id, x.document_id, x.source_field, x.span, x.added_in, x.removed_in, x.story_time, x.recorded_at, x.ended_at
FROM member s
JOIN knowledge_graphrelation x ON x.tenant_id = %(tenant_id)s AND x.src_id = s.id
JOIN member d ON d.id = x.dst_id
WHERE s.root <> d.root AND {visible} AND {named_src} AND {named_dst}
ORDER BY x.source_kind, x.id
LIMIT %(max_relations)s
