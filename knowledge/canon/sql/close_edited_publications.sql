-- Close in a release the publications of all documents that it edits, so that they may exchange slugs.
-- Parameters: release_id, domain_index_id, number. No rows. Index: publication_one_open_per_document.
UPDATE knowledge_publication p SET removed_in = %(number)s
FROM knowledge_releaseedit e
WHERE e.release_id = %(release_id)s AND p.document_id = e.document_id
  AND p.domain_index_id = %(domain_index_id)s AND p.removed_in IS NULL
