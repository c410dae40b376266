-- Close in a release the derived rows of all documents that it edits: its build writes them anew.
-- Parameters: release_id, domain_index_id, number. No rows. Index: the table's open rows by document.
UPDATE {table} t SET removed_in = %(number)s
FROM knowledge_releaseedit e
WHERE e.release_id = %(release_id)s AND t.document_id = e.document_id
  AND t.domain_index_id = %(domain_index_id)s AND t.removed_in IS NULL
