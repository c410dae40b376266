-- Where a party stands: its last summaries, its flags and the last events, all of them or what one NPC knows.
--
-- Parameters: tenant_id, world_id, party_id, npc_id (null: everything), scene_id (null: none named), max_summaries,
--             max_flags, max_events.
-- Rows: none for an unknown party, else one: campaign_id (the engine's), is_scene_known, and arrays of JSON objects:
--       summaries (newest first; none of an archived campaign), flags (the one set last first), events with notes (the
--       one told last first; none of an archived campaign). Of the first and the last, `source` is that of hearsay or
--       null, `teller` the name and names of the NPC that told it, or null.
-- An NPC knows the last value of a flag that a scene or event set which it saw or was told of; all others have the last.
-- Nobody is present at an event between scenes: an NPC knows only those that it was told of.
-- A scene is known once a summary or a picture of it was posted; a picture of another campaign's scene does not count.
-- Indexes: party_external_id_unique; scene_external_id_unique; art_card_by_scene; summary_by_party; npc_presence_unique; npc_told_unique;
--          flag_unique; flag_change_in_time; event_seq_unique.
SELECT g.external_id AS campaign_id,
       %(scene_id)s::text IS NULL OR EXISTS (
           SELECT 1 FROM episodes_scene c
           WHERE c.tenant_id = y.tenant_id AND c.campaign_id = y.campaign_id AND c.external_id = %(scene_id)s
       ) OR EXISTS (
           SELECT 1 FROM episodes_artcard a
           WHERE a.tenant_id = y.tenant_id AND a.world_id = y.world_id AND a.scene_id = %(scene_id)s
             AND a.campaign_id IN ('', g.external_id) AND a.undone_by_id IS NULL
       ) AS is_scene_known,
       (
           SELECT coalesce(
               json_agg(json_build_object('summary_id', s.summary_id, 'scene_id', s.scene, 'notes', s.notes,
                                          'outcome', s.outcome, 'language', s.language, 'source', s.source,
                                          'npc_ids', s.npcs, 'is_rumour', s.is_rumour, 'teller', s.teller)
                        ORDER BY s.happened_at DESC, s.seq DESC),
               '[]'
           )
           FROM (
               SELECT e.summary_id, c.external_id AS scene, e.notes, e.outcome, e.language, e.happened_at, e.seq,
                      e.body -> 'who' -> 'npcs' AS npcs,
                      CASE WHEN saw.npc_id IS NULL THEN told.source END AS source,
                      saw.npc_id IS NULL AND coalesce(told.is_rumour, false) AS is_rumour,
                      CASE WHEN saw.npc_id IS NULL THEN (
                          SELECT json_build_object('name', q.name, 'names', q.names) FROM npcs_npc n
                          JOIN npcs_npcpersona q ON q.npc_id = n.id AND q.version = n.persona_version
                          WHERE n.tenant_id = y.tenant_id AND n.world_id = y.world_id AND n.npc_id = told.source
                      ) END AS teller
               FROM episodes_episodicsummary e
               JOIN episodes_scene c ON c.id = e.scene_id
               LEFT JOIN episodes_npcpresence saw
                 ON saw.tenant_id = e.tenant_id AND saw.npc_id = %(npc_id)s AND saw.summary_id = e.id
               LEFT JOIN LATERAL (
                   SELECT t.source, t.is_rumour FROM episodes_npctold t
                   WHERE t.tenant_id = e.tenant_id AND t.npc_id = %(npc_id)s AND t.summary_id = e.id
                     AND t.undone_by_id IS NULL AND t.revoked_at IS NULL
                   ORDER BY t.id LIMIT 1
               ) told ON true
               WHERE e.tenant_id = y.tenant_id AND e.party_id = y.id AND e.expired_at IS NULL AND g.state <> 'archived'
                 AND e.undone_by_id IS NULL
                 AND (%(npc_id)s::text IS NULL OR saw.npc_id IS NOT NULL OR told.source IS NOT NULL)
               ORDER BY e.happened_at DESC, e.seq DESC
               LIMIT %(max_summaries)s
           ) s
       ) AS summaries,
       (
           SELECT coalesce(
               json_agg(json_build_object('name', f.name, 'value', f.value, 'summary_id', f.summary_id, 'event_id', f.event_id)
                        ORDER BY f.happened_at DESC, f.name),
               '[]'
           )
           FROM (
               SELECT * FROM (
                   SELECT DISTINCT ON (l.name) l.name, last.value, last.happened_at, e.summary_id, v.event_id
                   FROM episodes_flag l
                   CROSS JOIN LATERAL (
                       SELECT h.new_value AS value, h.happened_at, h.summary_id, h.event_id
                       FROM episodes_flagchange h
                       WHERE h.tenant_id = l.tenant_id AND h.flag_id = l.id AND NOT h.is_late AND h.undone_by_id IS NULL
                         AND (
                             %(npc_id)s::text IS NULL
                             OR EXISTS (
                                 SELECT 1 FROM episodes_npcpresence n
                                 WHERE n.tenant_id = h.tenant_id AND n.npc_id = %(npc_id)s AND n.summary_id = h.summary_id
                             )
                             OR EXISTS (
                                 SELECT 1 FROM episodes_npctold t
                                 WHERE t.tenant_id = h.tenant_id AND t.npc_id = %(npc_id)s AND t.undone_by_id IS NULL
                                   AND t.revoked_at IS NULL AND NOT t.is_rumour
                                   AND (t.summary_id = h.summary_id OR t.event_id = h.event_id)
                             )
                         )
                       ORDER BY h.happened_at DESC, h.id DESC
                       LIMIT 1
                   ) last
                   LEFT JOIN episodes_episodicsummary e ON e.id = last.summary_id
                   LEFT JOIN episodes_eventfact v ON v.id = last.event_id
                   WHERE l.tenant_id = y.tenant_id AND l.campaign_id = y.campaign_id
                     AND (l.party_id = y.id OR l.party_id IS NULL)
                   ORDER BY l.name, l.party_id NULLS LAST
               ) known
               ORDER BY known.happened_at DESC, known.name
               LIMIT %(max_flags)s
           ) f
       ) AS flags,
       (
           SELECT coalesce(
               json_agg(json_build_object('event_id', k.event_id, 'notes', k.notes, 'source', k.source,
                                          'is_rumour', k.is_rumour, 'teller', k.teller)
                        ORDER BY k.seq DESC),
               '[]'
           )
           FROM (
               SELECT v.event_id, v.notes, v.seq, told.source, coalesce(told.is_rumour, false) AS is_rumour,
                      (
                          SELECT json_build_object('name', q.name, 'names', q.names) FROM npcs_npc n
                          JOIN npcs_npcpersona q ON q.npc_id = n.id AND q.version = n.persona_version
                          WHERE n.tenant_id = y.tenant_id AND n.world_id = y.world_id AND n.npc_id = told.source
                      ) AS teller
               FROM episodes_eventfact v
               LEFT JOIN LATERAL (
                   SELECT t.source, t.is_rumour FROM episodes_npctold t
                   WHERE t.tenant_id = v.tenant_id AND t.npc_id = %(npc_id)s AND t.event_id = v.id
                     AND t.undone_by_id IS NULL AND t.revoked_at IS NULL
                   ORDER BY t.id LIMIT 1
               ) told ON true
               WHERE v.tenant_id = y.tenant_id AND v.campaign_id = y.campaign_id AND v.notes <> ''
                 AND v.undone_by_id IS NULL
                 AND (v.party_id = y.id OR v.party_id IS NULL) AND g.state <> 'archived'
                 AND (%(npc_id)s::text IS NULL OR told.source IS NOT NULL)
               ORDER BY v.seq DESC
               LIMIT %(max_events)s
           ) k
       ) AS events
FROM episodes_party y
JOIN episodes_campaign g ON g.id = y.campaign_id
WHERE y.tenant_id = %(tenant_id)s AND y.world_id = %(world_id)s AND y.external_id = %(party_id)s
