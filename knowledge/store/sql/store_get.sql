-- The live items of a space under keys of namespaces.
--
-- Filled in by `fetch_prepared`: {columns}, those of knowledge_storeitem.
-- Parameters: tenant_id, space_id, places json: [[[label, …], key], …], each once.
-- Rows: the columns of knowledge_storeitem. Index: store_item_unique.
SELECT {columns}
FROM (
    SELECT ARRAY(SELECT jsonb_array_elements_text(place -> 0)) AS wanted_namespace, place ->> 1 AS wanted_key
    FROM jsonb_array_elements(%(places)s::jsonb) place
) wanted
JOIN knowledge_storeitem i
    ON i.space_id = %(space_id)s AND i.namespace = wanted.wanted_namespace AND i.key = wanted.wanted_key
WHERE i.tenant_id = %(tenant_id)s AND (i.expires_at IS NULL OR i.expires_at > statement_timestamp())
