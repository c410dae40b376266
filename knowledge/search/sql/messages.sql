-- The best messages of conversations by keywords, by vector and by being new, and up to two messages on either side of each,
-- with true scores and what the ranking of messages reads.
--
-- Filled in by code, never by callers: {table}; {found}: the tables `keyword` and `nearest`, by messages_by_scan.sql or
-- messages_by_postings.sql; conditions on p: {partition} (whose messages), {wanted} (the caller's filters), {fresh} (too new for a
-- vector); {said}: a query for one row about p (said_at, speaker, speaker_name, head, ending).
-- Parameters: query_weights sparsevec, terms sparsevec[] (one term each), query_vector halfvec or null, vector_space,
--             k_fresh, time_zone, those of {found} and of the conditions.
-- Rows: id, conversation_id, seq, is_candidate (then the messages beside it are here, too), keyword_score (0 without any
--       query lexeme), terms (the document weight of each), vector_score (null without a vector of this vector_space),
--       is_fresh, is_wanted, length, language, and what {said} tells, of the time its day.
-- Indexes: those of {found}; (conversation_id, seq) for the messages beside.
WITH question AS MATERIALIZED (
    SELECT %(query_weights)s::sparsevec AS weights, %(query_vector)s::halfvec AS vector
), {found}
, fresh AS MATERIALIZED (
    SELECT p.id
    FROM {table} p
    WHERE {partition} AND {wanted} AND {fresh}
    ORDER BY p.id DESC
    LIMIT %(k_fresh)s
), candidates AS MATERIALIZED (
    SELECT p.id, p.conversation_id, p.seq
    FROM (SELECT id FROM keyword UNION SELECT id FROM nearest UNION SELECT id FROM fresh) found
    JOIN {table} p ON p.id = found.id
), messages AS (
    SELECT id FROM candidates
    UNION
    SELECT b.id FROM candidates c CROSS JOIN LATERAL (
        SELECT t.id FROM {table} t
        WHERE t.conversation_id = c.conversation_id AND t.seq < c.seq ORDER BY t.seq DESC LIMIT 2
    ) b
    UNION
    SELECT a.id FROM candidates c CROSS JOIN LATERAL (
        SELECT t.id FROM {table} t
        WHERE t.conversation_id = c.conversation_id AND t.seq > c.seq ORDER BY t.seq LIMIT 2
    ) a
)
SELECT p.id,
       p.conversation_id,
       p.seq,
       EXISTS (SELECT 1 FROM candidates c WHERE c.id = p.id) AS is_candidate,
       -(p.bm25 <#> (SELECT weights FROM question)) AS keyword_score,
       ARRAY(
           SELECT -(p.bm25 <#> one.term)
           FROM unnest(%(terms)s::text[]::sparsevec[]) WITH ORDINALITY AS one (term, place)
           ORDER BY one.place
       ) AS terms,
       CASE WHEN p.embedder = %(vector_space)s THEN -(p.embedding <#> (SELECT vector FROM question)) END AS vector_score,
       {fresh} AS is_fresh,
       {wanted} AS is_wanted,
       p.length,
       p.language,
       (said.said_at AT TIME ZONE %(time_zone)s)::date AS said_on,
       said.speaker,
       said.speaker_name,
       said.head,
       said.ending
FROM messages t
JOIN {table} p ON p.id = t.id
CROSS JOIN LATERAL ({said}) said
