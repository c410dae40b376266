-- All that messages are read with, in one statement and so in one snapshot.
-- Parameters: none.
-- Row shape: number, stamp, packs, patterns, guards, corrections, anchors, concepts, switched off (JSON arrays as text). One row.
-- Reads each table whole; they hold hundreds of rows and are read once for each version and process.
SELECT
    COALESCE((SELECT v.number FROM factcheck_patternversion v), 0),
    COALESCE((SELECT v.number || '@' || v.changed_at FROM factcheck_patternversion v), ''),
    COALESCE((
        SELECT jsonb_agg(jsonb_build_object('name', k.name, 'macros', k.macros) ORDER BY k.id)
        FROM factcheck_patternpack k
    ), '[]')::text,
    COALESCE((
        SELECT jsonb_agg(to_jsonb(p) - 'shipped' || jsonb_build_object('pack', k.name) ORDER BY p.id)
        FROM factcheck_instantpattern p JOIN factcheck_patternpack k ON k.id = p.pack_id AND k.is_active
        WHERE p.is_active
    ), '[]')::text,
    COALESCE((
        SELECT jsonb_agg(to_jsonb(g) - 'shipped' || jsonb_build_object('pack', k.name) ORDER BY g.id)
        FROM factcheck_patternguard g JOIN factcheck_patternpack k ON k.id = g.pack_id AND k.is_active
        WHERE g.is_active
    ), '[]')::text,
    COALESCE((
        SELECT jsonb_agg(to_jsonb(c) - 'shipped' || jsonb_build_object('pack', k.name) ORDER BY c.id)
        FROM factcheck_correctionpattern c JOIN factcheck_patternpack k ON k.id = c.pack_id AND k.is_active
        WHERE c.is_active
    ), '[]')::text,
    COALESCE((
        SELECT jsonb_agg(to_jsonb(a) - 'shipped' || jsonb_build_object('pack', k.name) ORDER BY a.id)
        FROM factcheck_extractionanchor a JOIN factcheck_patternpack k ON k.id = a.pack_id AND k.is_active
        WHERE a.is_active
    ), '[]')::text,
    COALESCE((
        SELECT jsonb_agg(to_jsonb(c) - 'shipped' ORDER BY c.id) FROM factcheck_concept c WHERE c.is_active
    ), '[]')::text,
    COALESCE((
        SELECT jsonb_agg(jsonb_build_object('tenant_id', s.tenant_id, 'pack', k.name) ORDER BY s.id)
        FROM factcheck_packswitchedoff s JOIN factcheck_patternpack k ON k.id = s.pack_id
    ), '[]')::text
