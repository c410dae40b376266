-- What a search among a player's events starts from: how many there are, how many have vectors of another embedder, in
-- how many each lexeme stands, the names that lead to them, and, of a world, who of its graph they name and who is near.
--
-- Filled in by code: a condition on p, common tables of the graph (or nothing), and what reads them (or null).
-- Parameters: lexemes bigint[], vector_space, max_names, those of the condition and of the tables.
-- Rows: one: event_count, foreign_count, and as JSON frequencies (lexeme to events), names (name, folded, type, events,
-- entity_ids; the newest first) and graph.
-- Indexes: event_passage_by_user; event_name_once.
WITH searched AS MATERIALIZED (
    SELECT p.id, p.node_id, p.conversation_id, p.lexemes, p.embedder FROM episodes_eventpassage p WHERE {condition}
), named AS MATERIALIZED (
    SELECT n.folded, max(n.name) AS name, max(n.type) AS type, count(*) AS events, max(n.id) AS last,
           array_agg(DISTINCT n.entity_id) FILTER (WHERE n.entity_id IS NOT NULL) AS entity_ids
    FROM searched s JOIN episodes_eventname n ON n.node_id = s.node_id
    GROUP BY n.folded ORDER BY max(n.id) DESC LIMIT %(max_names)s
){graph}
SELECT (SELECT count(*) FROM searched) AS event_count,
       (SELECT count(*) FROM searched WHERE embedder NOT IN ('', %(vector_space)s)) AS foreign_count,
       (SELECT jsonb_object_agg(held.lexeme, held.events) FROM (
            SELECT l.lexeme, count(*) AS events FROM searched s CROSS JOIN unnest(s.lexemes) AS l (lexeme)
            WHERE l.lexeme = ANY(%(lexemes)s::bigint[]) GROUP BY l.lexeme
        ) held) AS frequencies,
       (SELECT jsonb_agg(jsonb_build_object('name', name, 'folded', folded, 'type', type, 'events', events,
                                            'entity_ids', entity_ids) ORDER BY last DESC) FROM named) AS names,
       {read_graph} AS graph
