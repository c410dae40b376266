-- The messages whose codes differ least from the query's: among these are those with the nearest vectors. A condition on p of
-- messages_by_postings.sql: as an array, so that the rows are read page by page.
--
-- Filled in by code, never by callers: {codes} (the table of codes) and {code_partition} (a condition on b); {center} (a
-- query for the mean vector that the codes were made with).
-- Parameters: k_rescored, those of the condition and of the center.
-- Indexes: the codes' own, alone; the primary key of p's table.
p.id = ANY(ARRAY(
    SELECT b.passage_id
    FROM {codes} b
    WHERE {code_partition}
    ORDER BY hamming_distance(
        b.code::pg_catalog."bit",
        (SELECT binary_quantize((SELECT vector FROM question) - center) FROM ({center}) AS mean (center))
    )
    LIMIT %(k_rescored)s
))
