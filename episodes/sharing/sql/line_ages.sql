-- A checkpoint and those above it, each with how many scenes ended on the line after it, up to so many.
-- Parameters: checkpoint_id, max_ends. Rows: id, ends, is_end (whether it is a scene's end itself), is_first. Index: the primary key.
WITH RECURSIVE line AS (
    SELECT c.id, c.parent_id, c.kind = 'scene_end' AS is_end, 0 AS ends
    FROM episodes_checkpoint c WHERE c.id = %(checkpoint_id)s
    UNION ALL
    SELECT c.id, c.parent_id, c.kind = 'scene_end', l.ends + l.is_end::int
    FROM episodes_checkpoint c JOIN line l ON c.id = l.parent_id
    WHERE l.ends + l.is_end::int <= %(max_ends)s
)
SELECT id, ends, is_end, parent_id IS NULL AS is_first FROM line
