-- A condition on the passage p of a summary: the NPC saw it or was told of it.
-- Parameters: tenant_id, npc_id. Indexes: npc_presence_unique, npc_told_unique.
(
    EXISTS (
        SELECT 1 FROM episodes_npcpresence n
        WHERE n.tenant_id = %(tenant_id)s AND n.npc_id = %(npc_id)s AND n.summary_id = p.summary_id
    ) OR EXISTS (
        SELECT 1 FROM episodes_npctold t
        WHERE t.tenant_id = %(tenant_id)s AND t.npc_id = %(npc_id)s AND t.summary_id = p.summary_id
          AND t.undone_by_id IS NULL AND t.revoked_at IS NULL
    )
)
