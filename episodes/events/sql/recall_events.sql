-- The events of a player that keywords, vectors or names find, each with both of its true scores and what the names
-- that were asked for say to it.
--
-- Filled in by code: a condition on p, one on c.lexemes, and a distance (inner product, negated, or a null). Parameters: query_weights sparsevec, query_vector halfvec, k_keyword, k_vector, k_names,
-- targets: names text[] (folded), name_refs int[], name_weights float8[] and entities bigint[], entity_refs int[],
-- entity_weights float8[], both with which of the names asked for they stand for; k_sample, those of the conditions.
-- Rows: passage_id, bm25, vector (its scores), sample_size, sample_median and sample_deviation (of cosines), names (how
-- many lead to it), name_weight, then the columns of the event.
-- Indexes: event_passage_lexemes; event_passage_by_user; event_name_by_user; event_name_by_entity.
WITH searched AS MATERIALIZED (
    SELECT p.id, p.node_id, p.bm25, p.embedding FROM episodes_eventpassage p WHERE {condition}
), keyword AS MATERIALIZED (
    SELECT c.id, -(c.bm25 <#> %(query_weights)s::sparsevec) AS score
    FROM episodes_eventpassage c
    WHERE {candidates} AND c.id IN (SELECT id FROM searched)
    ORDER BY 2 DESC, 1 LIMIT %(k_keyword)s
), nearest AS MATERIALIZED (
    SELECT p.id, {distance} AS distance FROM searched p WHERE p.embedding IS NOT NULL ORDER BY 2 LIMIT %(k_vector)s
), named AS MATERIALIZED (
    SELECT best.id, count(*) AS names, sum(best.weight) AS weight
    FROM (
        SELECT p.id, led.ref, max(led.weight) AS weight
        FROM (
            SELECT n.node_id, t.ref, t.weight
            FROM unnest(%(names)s::text[], %(name_refs)s::int[], %(name_weights)s::float8[]) AS t (folded, ref, weight)
            JOIN episodes_eventname n ON n.tenant_id = %(tenant_id)s AND n.end_user_id = %(end_user_id)s
                AND n.folded = t.folded
            UNION ALL
            SELECT n.node_id, t.ref, t.weight
            FROM unnest(%(entities)s::bigint[], %(entity_refs)s::int[], %(entity_weights)s::float8[])
                AS t (entity_id, ref, weight)
            JOIN episodes_eventname n ON n.tenant_id = %(tenant_id)s AND n.end_user_id = %(end_user_id)s
                AND n.entity_id = t.entity_id
        ) led
        JOIN searched p ON p.node_id = led.node_id
        GROUP BY p.id, led.ref
    ) best
    GROUP BY best.id
), sample AS MATERIALIZED (
    SELECT -({distance}) AS score FROM searched p WHERE p.embedding IS NOT NULL LIMIT %(k_sample)s
), middle AS MATERIALIZED (
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY score) AS median, count(*) AS size FROM sample
), spread AS MATERIALIZED (
    SELECT m.size, m.median, percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(s.score - m.median)) AS mad
    FROM middle m LEFT JOIN sample s ON TRUE GROUP BY m.size, m.median
), members AS (
    SELECT id FROM keyword UNION SELECT id FROM nearest
    UNION (SELECT id FROM named ORDER BY weight DESC, id DESC LIMIT %(k_names)s)
)
SELECT p.id AS passage_id, -(p.bm25 <#> %(query_weights)s::sparsevec) AS bm25, -({distance})::float8 AS vector,
       s.size AS sample_size, s.median AS sample_median, s.mad AS sample_deviation,
       coalesce(d.names, 0) AS names, coalesce(d.weight, 0) AS name_weight,
       n.id AS node_id, n.title, n.display_text, n.plot, n.edit, n.state, n.language, n.conversation_id, n.first_seq, n.last_seq,
       n.evidence, n.npc_ids, n.tokens
FROM members m
CROSS JOIN spread s
JOIN searched p ON p.id = m.id
JOIN episodes_eventnode n ON n.id = p.node_id
LEFT JOIN named d ON d.id = m.id
