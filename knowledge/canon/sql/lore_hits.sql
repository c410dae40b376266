-- What a hit shows, for passages found in releases.
-- Parameters: passage_ids bigint[] and numbers int[] (of the release in which each was found), name_keys varchar[] (the
--             query as a name).
-- Rows: one a passage, in no order. Indexes: primary keys; publication_document_added_in_unique.
SELECT p.id AS passage_id, p.document_id, b.slug, b.title, b.type, c.heading_path, c.anchor, c.version, c.text,
       c.token_count, p.language, p.tags, p.audience, r.number AS revision_number, r.source, b.names,
       b.names && %(name_keys)s::varchar[] AS is_named
FROM unnest(%(passage_ids)s::bigint[], %(numbers)s::int[]) AS w (id, number)
JOIN knowledge_lorepassage p ON p.id = w.id
JOIN knowledge_lorechunk c ON c.id = p.chunk_id
JOIN knowledge_publication b ON b.document_id = p.document_id
     AND b.added_in <= w.number AND (b.removed_in IS NULL OR b.removed_in > w.number)
JOIN knowledge_lorerevision r ON r.id = b.revision_id
