-- The namespaces of a space that hold an item, cut to a depth, in the order of their labels' code points.
--
-- Filled in by code, never by callers: {condition}, on i.
-- Parameters: max_depth integer (null: whole), limit integer, offset integer, those of the condition.
-- Rows: namespace text[].
-- Index: store_item_unique.
SELECT DISTINCT i.namespace[1:coalesce(%(max_depth)s::integer, cardinality(i.namespace))] COLLATE "C" AS namespace
FROM knowledge_storeitem i
WHERE {condition}
ORDER BY 1
LIMIT %(limit)s OFFSET %(offset)s
