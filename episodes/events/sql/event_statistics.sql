-- What a search among a player's events starts from: how many there are, how many have vectors of another embedder, in
-- how many each lexeme stands, and the names that lead to them.
--
-- One place is filled in by code: a condition on p. Parameters: lexemes bigint[], vector_space, max_names, those of the condition.
-- Rows: one of count, foreign, an object of lexemes as JSON, [[name, folded, type] …] as JSON, the newest names first.
-- Indexes: event_passage_by_user; event_name_once.
WITH scope AS MATERIALIZED (
    SELECT p.id, p.node_id, p.lexemes, p.embedder FROM episodes_eventpassage p WHERE {scope}
)
SELECT (SELECT count(*) FROM scope),
       (SELECT count(*) FROM scope WHERE embedder NOT IN ('', %(vector_space)s)),
       (SELECT jsonb_object_agg(held.lexeme, held.events) FROM (
            SELECT l.lexeme, count(*) AS events FROM scope s CROSS JOIN unnest(s.lexemes) AS l (lexeme)
            WHERE l.lexeme = ANY(%(lexemes)s::bigint[]) GROUP BY l.lexeme
        ) held),
       (SELECT jsonb_agg(jsonb_build_array(named.name, named.folded, named.type) ORDER BY named.last DESC) FROM (
            SELECT n.folded, max(n.name) AS name, max(n.type) AS type, max(n.id) AS last
            FROM scope s JOIN episodes_eventname n ON n.node_id = s.node_id
            GROUP BY n.folded ORDER BY max(n.id) DESC LIMIT %(max_names)s
        ) named)
