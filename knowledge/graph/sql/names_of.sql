-- What some entities (and what was merged into them) are called, as far as the reader may know.
--
-- Filled in by code, never by callers: {visible} (a condition on name n).
-- Parameters: tenant_id, entity_ids bigint[], those of the condition.
-- Rows: root, text, language, kind, source_kind, is_title, is_own (of the entity itself, not of one merged into it),
--       slug (of the article that calls it so). The name to show comes first.
-- Indexes: graph_name_entity, graph_entity_merged.
WITH member AS MATERIALIZED (
    SELECT e.id, e.id AS root, e.slug
    FROM knowledge_graphentity e
    WHERE e.id = ANY(%(entity_ids)s::bigint[])
    UNION ALL
    SELECT e.id, e.merged_into_id, e.slug
    FROM knowledge_graphentity e
    WHERE e.tenant_id = %(tenant_id)s AND e.merged_into_id = ANY(%(entity_ids)s::bigint[])
)
SELECT m.root, n.text, n.language, n.kind, n.source_kind, n.is_title, m.id = m.root AS is_own,
       CASE WHEN n.source_kind = 'canon' THEN m.slug ELSE '' END AS slug
FROM member m
JOIN knowledge_graphname n ON n.tenant_id = %(tenant_id)s AND n.entity_id = m.id
WHERE {visible}
ORDER BY m.root, n.source_kind <> 'canon', m.id <> m.root, NOT n.is_title, n.id
