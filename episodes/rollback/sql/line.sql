-- A checkpoint and all above it.
-- Parameters: checkpoint_id. Rows: id. Index: the primary key.
WITH RECURSIVE line AS (
    SELECT c.id, c.parent_id FROM episodes_checkpoint c WHERE c.id = %(checkpoint_id)s
    UNION ALL
    SELECT c.id, c.parent_id FROM episodes_checkpoint c JOIN line l ON c.id = l.parent_id
)
SELECT id FROM line
