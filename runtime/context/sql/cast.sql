-- Who takes part in a turn: NPCs as they are, how they stand, and the newest safe picture of the scene.
--
-- Parameters: tenant_id, world_id, speaker (or null), lore_index_id and lore_number (of the release of lore that is read,
--             or null), npc_ids text[], party_id (null: towards the player), external_id (the player's, or
--             null), scene_id (null: no picture).
-- Rows: one: languages and kind of the world, article (the fields of the speaker's article of lore, or null), scale (JSON
--       of the world's, or null), people (array of JSON objects, version 0 and nulls where there is no profile; last_move
--       is the last one that stands, or null), picture (JSON or null).
-- A speaker is shown a picture that it is in, one of a scene that it saw or was told of, and one of a scene of which
-- nothing was told yet: that is being played. Others would tell it what it does not know.
-- A picture that names a campaign is shown to its parties only.
-- An NPC is in the rows when it has a row of its own, was ever in a scene or told of one, or is an article of lore.
-- Indexes: npc_id_unique; npc_persona_version_unique; disposition_unique; disposition_entry_seq_unique;
--          npc_presence_unique; npc_told_unique; publication_slug_added_in_unique; art_card_by_scene;
--          party_external_id_unique; scene_external_id_unique; that of summaries by their scene.
SELECT w.languages,
       w.kind,
       (
           SELECT r.fields
           FROM knowledge_publication b JOIN knowledge_lorerevision r ON r.id = b.revision_id
           WHERE b.domain_index_id = %(lore_index_id)s AND b.slug = %(speaker)s AND b.added_in <= %(lore_number)s
             AND (b.removed_in IS NULL OR b.removed_in > %(lore_number)s)
       ) AS article,
       (
           SELECT json_build_object('least', c.least, 'most', c.most, 'initial', c.initial)
           FROM npcs_dispositionscale c WHERE c.tenant_id = %(tenant_id)s AND c.world_id = %(world_id)s
       ) AS scale,
       (
           SELECT coalesce(
               json_agg(
                   json_build_object('npc_id', m.npc_id, 'persona_version', coalesce(p.version, 0), 'name', p.name,
                                     'names', p.names, 'archetype', p.archetype, 'persona', p.persona,
                                     'secrets', p.secrets, 'value', d.value, 'last_move', d.last_move)
                   ORDER BY m.place
               ),
               '[]'
           )
           FROM unnest(%(npc_ids)s::text[]) WITH ORDINALITY AS m (npc_id, place)
           LEFT JOIN npcs_npc n
             ON n.tenant_id = %(tenant_id)s AND n.world_id = %(world_id)s AND n.npc_id = m.npc_id
           LEFT JOIN npcs_npcpersona p ON p.npc_id = n.id AND p.version = n.persona_version
           LEFT JOIN LATERAL (
               SELECT b.value,
                      (
                          SELECT json_build_object('reason', e.reason, 'summary_id', e.summary_id) FROM npcs_dispositionentry e
                          WHERE e.tenant_id = b.tenant_id AND e.disposition_id = b.id AND e.compensates_id IS NULL
                            AND NOT EXISTS (SELECT 1 FROM npcs_dispositionentry x WHERE x.compensates_id = e.id)
                          ORDER BY e.seq DESC LIMIT 1
                      ) AS last_move
               FROM npcs_disposition b
               LEFT JOIN tenancy_enduser u ON u.id = b.end_user_id
               WHERE b.tenant_id = %(tenant_id)s AND b.npc_id = n.id
                 AND CASE WHEN %(party_id)s::text IS NULL THEN u.external_id = %(external_id)s
                          ELSE b.party_id = %(party_id)s END
           ) d ON true
           WHERE n.id IS NOT NULL
              OR EXISTS (
                  SELECT 1 FROM episodes_npcpresence s JOIN episodes_episodicsummary y ON y.id = s.summary_id
                  WHERE s.tenant_id = %(tenant_id)s AND s.npc_id = m.npc_id AND y.world_id = %(world_id)s
                    AND y.undone_by_id IS NULL
              )
              OR EXISTS (
                  SELECT 1 FROM episodes_npctold t
                  LEFT JOIN episodes_episodicsummary y ON y.id = t.summary_id
                  LEFT JOIN episodes_eventfact v ON v.id = t.event_id
                  WHERE t.tenant_id = %(tenant_id)s AND t.npc_id = m.npc_id AND t.undone_by_id IS NULL AND t.revoked_at IS NULL
                    AND coalesce(y.world_id, v.world_id) = %(world_id)s
              )
              OR EXISTS (
                  SELECT 1 FROM knowledge_domainindex i JOIN knowledge_publication l ON l.domain_index_id = i.id
                  WHERE i.tenant_id = %(tenant_id)s AND i.world_id = %(world_id)s AND i.domain = 'lore'
                    AND l.slug = m.npc_id
              )
       ) AS people,
       (
           SELECT json_build_object('image_id', a.image_id, 'tags', a.visual_tags, 'style', a.style_preset, 'seed', a.style_seed)
           FROM episodes_artcard a
           WHERE a.tenant_id = %(tenant_id)s AND a.world_id = %(world_id)s AND a.scene_id = %(scene_id)s AND a.is_safe
             AND a.undone_by_id IS NULL
             AND a.campaign_id IN (
                 '',
                 (
                     SELECT p.external_id FROM episodes_party y JOIN episodes_campaign p ON p.id = y.campaign_id
                     WHERE y.tenant_id = %(tenant_id)s AND y.world_id = %(world_id)s AND y.external_id = %(party_id)s
                 )
             )
             AND (
                 %(speaker)s::text IS NULL
                 OR %(speaker)s = ANY (a.npc_ids)
                 OR (
                     SELECT count(*) = 0 OR bool_or(
                         EXISTS (
                             SELECT 1 FROM episodes_npcpresence s
                             WHERE s.tenant_id = e.tenant_id AND s.npc_id = %(speaker)s AND s.summary_id = e.id
                         )
                         OR EXISTS (
                             SELECT 1 FROM episodes_npctold t
                             WHERE t.tenant_id = e.tenant_id AND t.npc_id = %(speaker)s AND t.summary_id = e.id
                               AND t.undone_by_id IS NULL AND t.revoked_at IS NULL
                         )
                     )
                     FROM episodes_party g
                     JOIN episodes_scene c ON c.tenant_id = g.tenant_id AND c.campaign_id = g.campaign_id
                     JOIN episodes_episodicsummary e ON e.tenant_id = c.tenant_id AND e.scene_id = c.id
                     WHERE g.tenant_id = %(tenant_id)s AND g.world_id = %(world_id)s AND g.external_id = %(party_id)s
                       AND c.external_id = %(scene_id)s AND e.undone_by_id IS NULL
                 )
             )
           ORDER BY a.id DESC
           LIMIT 1
       ) AS picture
FROM tenancy_world w
WHERE w.id = %(world_id)s AND w.tenant_id = %(tenant_id)s
