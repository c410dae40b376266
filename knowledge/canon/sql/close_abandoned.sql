-- Close in a release what releases after its base added and left open: those releases were rolled back.
-- Parameters: domain_index_id, base, number. No rows. Index: (domain_index_id, added_in) of either table.
UPDATE {table} SET removed_in = %(number)s
WHERE domain_index_id = %(domain_index_id)s
  AND added_in > %(base)s AND added_in < %(number)s
  AND removed_in IS NULL
