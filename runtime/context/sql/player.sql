-- A player, how much of theirs is remembered, and the newest talk with whom the turn is about.
--
-- Parameters: tenant_id, world_id, external_id, talk_npc_id ('' for none), conversation_id (null: the newest that fits),
--             session_id (null: none named), max_talk, max_pending, is_world_bound (whether conversations of other
--             worlds, and of none, are left out of all).
-- Rows: none for an unknown player, else one: end_user_id, message_count, conversation_id, pending_count,
--       talk and pending (JSON arrays of message_id, role, text, oldest first; pending only what the player said; of texts
--       longer than 1,500 characters the first 1,101 and the last 400, from which an excerpt comes out the same), last_seq
--       (of the conversation), summary (JSON, of the talk that left the window: summary_id, text, evidence, tried_seq; null: none), tree_id (null: it never branched).
-- Where a session is named, the talk holds only what of it was said in none: session memory has that session's, and what
-- was said in others stays there.
-- Messages wait where a second stage works them off: in a tenant whose extraction is on.
-- A branch has the talk of its trunks up to the fork, whichever session that was said in; what other branches of its tree
-- said is none of its talk.
-- An NPC is told what was said with it or with nobody named, never what was said with another in the same conversation.
-- Indexes: end_user_external_id_unique; talk_summary_by_user; message_passage_by_user; conversation_by_user; message_alternative_unique; conversation_ancestor_unique.
SELECT u.id AS end_user_id,
       (SELECT count(*) FROM episodes_messagepassage p WHERE p.tenant_id = u.tenant_id AND p.end_user_id = u.id
           AND (NOT %(is_world_bound)s OR EXISTS (
               SELECT 1 FROM episodes_message w JOIN episodes_conversation x ON x.id = w.conversation_id
               WHERE w.id = p.message_id AND x.world_id = %(world_id)s
           )))
           AS message_count,
       c.id AS conversation_id,
       c.waiting AS pending_count,
       (
           SELECT coalesce(
                      json_agg(json_build_object('message_id', t.id, 'role', t.role, 'text', t.content) ORDER BY t.seq)
                          FILTER (WHERE %(session_id)s::text IS NULL OR t.session_id = ''),
                      '[]'
                  )
           FROM (
               SELECT m.id, m.role, m.seq, m.session_id,
                      CASE WHEN length(m.content) <= 1500 THEN m.content
                           ELSE left(m.content, 1101) || right(m.content, 400) END AS content
               FROM (
                   SELECT c.id, 2147483647 AS through_seq
                   UNION ALL
                   SELECT a.ancestor_id, a.through_seq FROM episodes_conversationancestor a
                   WHERE c.fork_seq > 0 AND a.conversation_id = c.id
               ) line
               CROSS JOIN LATERAL (
                   SELECT m.id, m.role, m.seq, m.content,
                          CASE WHEN line.id = c.id THEN m.session_id ELSE '' END AS session_id
                   FROM episodes_message m
                   WHERE m.conversation_id = line.id AND m.seq <= line.through_seq AND m.role <> 'system'
                     AND m.forgotten_at IS NULL AND m.is_current AND m.seq > c.gone_to
                     AND (%(talk_npc_id)s = '' OR m.npc_id IN ('', %(talk_npc_id)s))
                   ORDER BY m.seq DESC
                   LIMIT %(max_talk)s
               ) m
               ORDER BY m.seq DESC
               LIMIT %(max_talk)s
           ) t
       ) AS talk,
       (
           SELECT coalesce(json_agg(json_build_object('message_id', t.id, 'role', t.role, 'text', t.content) ORDER BY t.seq), '[]')
           FROM (
               SELECT m.id, m.role, m.seq,
                      CASE WHEN length(m.content) <= 1500 THEN m.content
                           ELSE left(m.content, 1101) || right(m.content, 400) END AS content
               FROM episodes_message m
               WHERE m.conversation_id = c.id AND m.role = 'user' AND m.forgotten_at IS NULL AND m.is_current
                 AND m.seq > c.gone_to
                 AND (%(talk_npc_id)s = '' OR m.npc_id IN ('', %(talk_npc_id)s))
               ORDER BY m.seq DESC
               LIMIT least(%(max_pending)s, c.waiting)
           ) t
       ) AS pending,
       c.last_seq,
       (
           SELECT json_build_object('summary_id', s.id, 'text', s.text, 'evidence', s.evidence, 'tried_seq', s.tried_seq)
           FROM episodes_talksummary s
           JOIN episodes_conversation o ON o.id = s.conversation_id
           WHERE s.tenant_id = u.tenant_id AND s.end_user_id = u.id AND s.npc_id = %(talk_npc_id)s
             AND CASE WHEN %(session_id)s::text IS NULL THEN s.conversation_id = c.id AND s.session_id = ''
                      ELSE o.world_id = %(world_id)s AND s.session_id = %(session_id)s END
           ORDER BY s.updated_at DESC, s.id DESC
           LIMIT 1
       ) AS summary,
       c.tree_id
FROM tenancy_enduser u
LEFT JOIN LATERAL (
    SELECT v.id, v.gone_to, v.last_seq, v.fork_seq, v.tree_id,
           CASE WHEN o.extraction = 'on' THEN v.pending_extraction_count ELSE 0 END AS waiting
    FROM episodes_conversation v
    JOIN tenancy_tenant o ON o.id = v.tenant_id
    WHERE v.tenant_id = u.tenant_id
      AND v.end_user_id = u.id
      AND (v.world_id = %(world_id)s OR (v.world_id IS NULL AND NOT %(is_world_bound)s))
      AND CASE WHEN %(conversation_id)s::bigint IS NULL THEN v.npc_id = %(talk_npc_id)s ELSE v.id = %(conversation_id)s END
    ORDER BY v.last_message_at DESC NULLS LAST, v.id DESC
    LIMIT 1
) c ON true
WHERE u.tenant_id = %(tenant_id)s AND u.external_id = %(external_id)s
