-- Gives messages the next places of a conversation and stores them with their passages, in one statement.
-- The update of the conversation is the lock under which places follow each other without gaps; the time is read
-- behind it, so that times follow places.
--
-- Parameters: {messages}, one VALUES row a message, in order: place (from 1), role, content, reply_to_id, npc_id,
--   session_id, language, frame, memory_type, response_description, mood, client_message_id, body_hash, sent_at
--   (null: now), length, lexemes, bm25, embedding_hash, embedding (null: it waits for one), embedder (with it);
--   then conversation_id, tenant_id, end_user_id.
-- Rows: id, seq, npc_id, session_id, sent_at, created_at by seq, and, the same in each, previous_id (of the message before
--   them, unless it is forgotten) and follows_fact (whether that is the one that last said an active fact); no row where
--   there is no such conversation.
-- Behind the fork of a branch, the message before them is its trunk's.
-- Indexes: the primary key of episodes_conversation, message_alternative_unique, user_fact_active_unique.
WITH posted (
    place, role, content, reply_to_id, npc_id, session_id, language, frame, memory_type, response_description, mood,
    client_message_id, body_hash, sent_at, length, lexemes, bm25, embedding_hash, embedding, embedder
) AS (VALUES {messages}),
conversation AS (
    UPDATE episodes_conversation
    SET last_seq = last_seq + (SELECT count(*) FROM posted),
        pending_extraction_count = pending_extraction_count + (SELECT count(*) FROM posted WHERE role = 'user'),
        last_message_at = clock_timestamp()
    WHERE id = %s AND tenant_id = %s AND end_user_id = %s
    RETURNING id, tenant_id, end_user_id, npc_id, session_id, last_message_at AS now,
        last_seq - (SELECT count(*) FROM posted) AS behind, gone_to, trunk_id, fork_seq
),
message AS (
    INSERT INTO episodes_message (
        tenant_id, conversation_id, seq, role, content, reply_to_id, npc_id, session_id, language, frame, memory_type,
        response_description, mood, client_message_id, body_hash, sent_at, created_at
    )
    SELECT c.tenant_id, c.id, c.behind + p.place, p.role, p.content, p.reply_to_id,
        COALESCE(NULLIF(p.npc_id, ''), c.npc_id), COALESCE(NULLIF(p.session_id, ''), c.session_id),
        p.language, p.frame, p.memory_type, p.response_description, p.mood, p.client_message_id, p.body_hash,
        COALESCE(p.sent_at, c.now), c.now
    FROM conversation c CROSS JOIN posted p
    ORDER BY p.place
    RETURNING id, seq, npc_id, session_id, sent_at, created_at
),
passage AS (
    INSERT INTO episodes_messagepassage (
        tenant_id, message_id, conversation_id, end_user_id, seq, language, length, lexemes, bm25, embedding_hash,
        embedding, embedder, embedding_state
    )
    SELECT c.tenant_id, m.id, c.id, c.end_user_id, m.seq, left(p.language, 16), p.length, p.lexemes, p.bm25,
        p.embedding_hash, p.embedding, p.embedder, CASE WHEN p.embedding IS NULL THEN 'pending' ELSE 'done' END
    FROM conversation c CROSS JOIN message m JOIN posted p ON p.place = m.seq - c.behind
    WHERE p.role <> 'system'
    ORDER BY m.seq
),
previous AS (
    SELECT p.id, EXISTS (
        SELECT 1 FROM knowledge_userfact f
        WHERE f.tenant_id = c.tenant_id AND f.end_user_id = c.end_user_id AND f.is_active AND f.said_in = p.id
    ) AS says_fact
    FROM conversation c JOIN episodes_message p
        ON p.conversation_id = CASE WHEN c.behind = c.fork_seq THEN COALESCE(c.trunk_id, c.id) ELSE c.id END
        AND p.seq = c.behind
    WHERE p.forgotten_at IS NULL AND p.is_current AND p.seq > c.gone_to
)
SELECT m.id, m.seq, m.npc_id, m.session_id, m.sent_at, m.created_at, p.id AS previous_id,
    COALESCE(p.says_fact, FALSE) AS follows_fact
FROM message m LEFT JOIN previous p ON TRUE
ORDER BY m.seq
