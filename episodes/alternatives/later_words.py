"""What a player said after a time that names given words, or answers an assistant's message that does."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from django.db import connection

from episodes.conversations.models import LIVING
from episodes.conversations.selectors.neighbours import CLAIM_WITHIN
from episodes.embedding.models.passages import PARTITION_KIND
from episodes.models import MessageRole
from knowledge.search.core.lexemes import build_partition_id, hash_lexeme

MAX_NAMING_MESSAGES = 500
"""What is spoken of daily is read again in the newest so many messages that name it, of both sides."""

_LATER_WORDS = f"""
WITH named AS MATERIALIZED (
    SELECT p.message_id, p.conversation_id, p.seq FROM (
        SELECT m.message_id, m.conversation_id, m.seq, m.tenant_id, m.end_user_id, m.created_at
        FROM episodes_messagepassage m WHERE m.lexemes && %(lexemes)s::bigint[]
        OFFSET 0 -- the hashes carry the user: their postings are fewer than what the user said
    ) p
    WHERE p.tenant_id = %(tenant)s AND p.end_user_id = %(end_user)s AND p.created_at >= %(since)s
    ORDER BY message_id DESC LIMIT %(limit)s
),
claim AS MATERIALIZED (
    SELECT n.conversation_id, n.seq, n.seq + %(within)s AS last, COALESCE((
        SELECT a.seq FROM episodes_message a
        WHERE a.conversation_id = n.conversation_id AND a.seq > n.seq AND a.role = %(assistant)s AND a.is_current
        ORDER BY a.seq LIMIT 1
    ), n.seq + %(within)s + 1) AS next
    FROM named n
    WHERE (SELECT m.role FROM episodes_message m WHERE m.id = n.message_id) = %(assistant)s
),
below AS (
    SELECT k.conversation_id, k.seq AS behind, LEAST(k.last, k.next - 1) AS last FROM claim k
    UNION
    SELECT b.conversation_id, b.through_seq, k.last FROM claim k
    JOIN episodes_conversationancestor b ON b.ancestor_id = k.conversation_id
        AND b.through_seq >= k.seq AND b.through_seq < k.next
),
line AS (
    SELECT %(conversation)s::bigint AS conversation_id, %(seq)s::integer AS behind
    UNION ALL
    SELECT b.conversation_id, b.through_seq FROM episodes_conversationancestor b
    WHERE b.ancestor_id = %(conversation)s AND b.through_seq >= %(seq)s
),
said AS (
    SELECT n.message_id AS id FROM named n
    UNION
    SELECT r.id FROM below k CROSS JOIN LATERAL (
        SELECT m.id FROM episodes_message m
        WHERE m.conversation_id = k.conversation_id AND m.seq > k.behind AND m.seq <= k.last OFFSET 0
    ) r
    UNION
    SELECT r.id FROM claim k CROSS JOIN LATERAL (
        SELECT m.id FROM episodes_message m WHERE m.reply_to_id = ANY (ARRAY(
            SELECT q.id FROM episodes_message q WHERE q.conversation_id = k.conversation_id AND q.seq = k.seq
        )) OFFSET 0
    ) r
    UNION
    SELECT r.id FROM line k CROSS JOIN LATERAL (
        SELECT m.id FROM episodes_message m
        WHERE m.conversation_id = k.conversation_id AND m.seq > k.behind AND m.role = %(user)s AND m.is_current
        ORDER BY m.seq LIMIT 1
    ) r
)
SELECT m.id, m.content FROM episodes_message m JOIN episodes_conversation c ON c.id = m.conversation_id
WHERE m.id = ANY (ARRAY(SELECT s.id FROM said s)) AND m.role = %(user)s AND {LIVING}
    AND c.tenant_id = %(tenant)s AND c.end_user_id = %(end_user)s
"""  # noqa: S608 - our own text
"""Indexes: message_passage_lexemes, message_alternative_unique, of `reply_to`, conversation_ancestor_below; no join
reads a whole talk, whatever is estimated."""


def list_later_words(
    *, tenant_id: int, end_user_id: int, conversation_id: int, seq: int, since: dt.datetime, lexemes: Collection[str]
) -> list[tuple[int, str]]:
    """Ids and texts of what the player said since a time and names one of the lexemes, answers an assistant's message
    that does, or came right behind the place. One query by index, however long the talk is."""
    partition_id = build_partition_id(PARTITION_KIND, end_user_id)
    parameters: dict[str, int | str | dt.datetime | list[int]] = {
        "tenant": tenant_id,
        "end_user": end_user_id,
        "conversation": conversation_id,
        "seq": seq,
        "since": since,
        "lexemes": sorted(hash_lexeme(partition_id, lexeme) for lexeme in lexemes),
        "limit": MAX_NAMING_MESSAGES,
        "within": CLAIM_WITHIN,
        "assistant": MessageRole.ASSISTANT.value,
        "user": MessageRole.USER.value,
    }
    with connection.cursor() as cursor:
        cursor.execute(_LATER_WORDS, parameters)
        return [(int(pk), content) for pk, content in cursor.fetchall()]
