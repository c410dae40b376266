-- Messages as episode cards want them, each with up to `span` messages before it; nothing of what is forgotten.
--
-- Parameters: tenant_id, passage_ids bigint[], span (0: none), span_length, query_vector halfvec or null, vector_space.
-- Rows: by card, then by seq of the message before: passage_id, message columns, content_length, snippet ('': none),
--       snippet_version (of the prompt that made it, failed at it or is at work; null: none), content (of more than 1,500 characters
--       only the first 1,101 and the last 400, from which an excerpt comes out the same), span_id (null: none),
--       span_seq, span_role, span_text, span_cosine (null without a vector of this vector_space).
-- Indexes: primary keys; episodes_messagesnippet_message_id_key; (conversation_id, seq) for the messages before. System messages and those of another NPC are
-- passed over; a forgotten one keeps its place, so that an older one does not stand for it.
SELECT p.id AS passage_id,
       m.id AS message_id,
       m.conversation_id,
       m.seq,
       m.sent_at,
       m.role,
       m.npc_id,
       m.memory_type,
       m.mood,
       m.language,
       m.response_description,
       length(m.content) AS content_length,
       CASE WHEN n.state = 'ready' THEN n.text ELSE '' END AS snippet,
       CASE WHEN n.state <> 'writing' OR n.claimed_until > now() THEN n.prompt_version END AS snippet_version,
       CASE WHEN length(m.content) <= 1500 THEN m.content ELSE left(m.content, 1101) || right(m.content, 400) END
           AS content,
       s.id AS span_id,
       s.seq AS span_seq,
       s.role AS span_role,
       left(s.content, %(span_length)s) AS span_text,
       s.cosine AS span_cosine
FROM unnest(%(passage_ids)s::bigint[]) AS wanted (id)
JOIN episodes_messagepassage p ON p.id = wanted.id
JOIN episodes_message m ON m.id = p.message_id AND m.tenant_id = %(tenant_id)s AND m.forgotten_at IS NULL
    AND m.is_current
JOIN episodes_conversation x ON x.id = m.conversation_id AND x.gone_to < m.seq
LEFT JOIN episodes_messagesnippet n ON n.message_id = m.id
LEFT JOIN LATERAL (
    SELECT b.id, b.seq, b.role, b.content, b.forgotten_at,
           CASE WHEN bp.embedder = %(vector_space)s THEN -(bp.embedding <#> %(query_vector)s::halfvec) END AS cosine
    FROM episodes_message b
    LEFT JOIN episodes_messagepassage bp ON bp.message_id = b.id
    WHERE b.conversation_id = m.conversation_id AND b.seq < m.seq AND b.role <> 'system' AND b.npc_id = m.npc_id
        AND b.is_current
    ORDER BY b.seq DESC
    LIMIT %(span)s
) s ON s.forgotten_at IS NULL AND s.seq > x.gone_to
ORDER BY p.id, s.seq
