-- Gives a user a vector center: the mean of some of the vectors that one embedder made of their messages.
--
-- Parameters: tenant_id, end_user_id, vector_space, k_sample.
-- Index: message_passage_by_user. The messages are taken by a hash of their id, so that all years count alike.
INSERT INTO episodes_vectorcenter (tenant_id, end_user_id, vector_space, center)
SELECT %(tenant_id)s, %(end_user_id)s, %(vector_space)s, avg(sample.embedding)::halfvec
FROM (
    SELECT p.embedding
    FROM episodes_messagepassage p
    WHERE p.tenant_id = %(tenant_id)s AND p.end_user_id = %(end_user_id)s AND p.embedder = %(vector_space)s
    ORDER BY hashint8(p.id), p.id
    LIMIT %(k_sample)s
) sample
