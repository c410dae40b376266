-- A condition: an entity, or one merged into it, has a name that the reader knows.
-- Filled in by code, never by callers: {root} (the entity), {source} and {visible} (conditions on name n).
-- Parameters: tenant_id, those of the conditions. Indexes: graph_name_entity, graph_entity_merged.
(
    EXISTS (
        SELECT 1 FROM knowledge_graphname n
        WHERE n.tenant_id = %(tenant_id)s AND n.entity_id = {root} AND {source} AND {visible}
    )
    OR EXISTS (
        SELECT 1 FROM knowledge_graphentity m
        JOIN knowledge_graphname n ON n.tenant_id = m.tenant_id AND n.entity_id = m.id
        WHERE m.tenant_id = %(tenant_id)s AND m.merged_into_id = {root} AND {source} AND {visible}
    )
)
