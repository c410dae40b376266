-- Remove what a release added and no other release can see.
-- Parameters: domain_index_id, number. No rows. Index: (domain_index_id, added_in) of either table.
DELETE FROM {table} WHERE domain_index_id = %(domain_index_id)s AND added_in = %(number)s
