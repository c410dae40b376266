-- The items of a space below a prefix that fit a filter, those written last first.
--
-- Filled in by code, never by callers: {condition}, on i.
-- Parameters: limit integer, offset integer, those of the condition.
-- Rows: the columns of knowledge_storeitem.
-- Indexes: store_item_by_time, store_item_namespace.
SELECT i.*
FROM knowledge_storeitem i
WHERE {condition}
ORDER BY i.updated_at DESC, i.id DESC
LIMIT %(limit)s OFFSET %(offset)s
