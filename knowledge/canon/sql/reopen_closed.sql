-- Open again what a release closed.
-- Parameters: domain_index_id, number. No rows. Index: (domain_index_id, removed_in) of either table.
UPDATE {table} SET removed_in = NULL WHERE domain_index_id = %(domain_index_id)s AND removed_in = %(number)s
