-- A condition on passage p: it is read in the line of a talk that branched, neither another branch's nor behind a fork.
-- Parameters: conversation_id, tree_id. Indexes: those of the conversations of a tree and of ancestors.
NOT EXISTS (
    SELECT 1 FROM episodes_conversation t
    WHERE t.id = p.conversation_id AND t.tree_id = %(tree_id)s AND t.id <> %(conversation_id)s
        AND NOT EXISTS (
            SELECT 1 FROM episodes_conversationancestor a
            JOIN episodes_eventnode b ON b.id = p.node_id
            WHERE a.conversation_id = %(conversation_id)s AND a.ancestor_id = t.id AND b.last_seq <= a.through_seq
        )
)
