"""Whose messages a search looks at: how many there are, what their words weigh, and how the best of them are found."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from django.utils import timezone

from episodes.alternatives.selectors import Line
from episodes.embedding.models.passages import PARTITION_KIND, SAMPLED_ONE_IN
from knowledge.config import MessageSettings
from knowledge.search.core.bm25 import BM25Params, QueryPlan, plan_query
from knowledge.search.core.lexemes import build_partition_id, hash_lexeme
from knowledge.search.engine import FRESH
from knowledge.search.message_rows import MessageCodes, MessagePartition
from knowledge.search.sql import read_query
from knowledge.text.queries import count_query_lexemes
from memoryproject.prepared import prepared_cursor

STATISTICS = Path(__file__).parent.parent / "sql" / "partition_statistics.sql"
HEAD_LENGTH, ENDING_LENGTH = 600, 80
"""Characters of a message that ranking reads: words of time and neighbouring words; whether it ends by asking."""
ANY_MESSAGE = "TRUE"
WANTED_MESSAGE = (
    "EXISTS (SELECT 1 FROM episodes_message w WHERE w.id = p.message_id"
    " AND (%(role)s::text IS NULL OR w.role = %(role)s)"
    " AND (%(npc_id)s::text IS NULL OR w.npc_id = %(npc_id)s)"
    " AND (%(since)s::timestamptz IS NULL OR w.sent_at >= %(since)s)"
    " AND (%(until)s::timestamptz IS NULL OR w.sent_at < %(until)s))"
)
IS_SAMPLED = f"mod(hashint8(c.id), {SAMPLED_ONE_IN}) = 0"
"""As the index has it."""
IN_CONVERSATION = "{row}.conversation_id = %(conversation_id)s"
IN_LINE = "({row}.conversation_id = %(conversation_id)s OR {row}.conversation_id = ANY(%(trunk_ids)s::bigint[]))"
NOT_IN_OTHER_LINES = (
    "NOT ({row}.conversation_id = ANY(%(other_ids)s::bigint[])) AND NOT EXISTS ("
    "SELECT 1 FROM unnest(%(trunk_ids)s::bigint[], %(fork_seqs)s::integer[]) AS trunk (id, fork_seq)"
    " WHERE trunk.id = {row}.conversation_id AND {seq} > trunk.fork_seq)"
)
CODE_SEQ = "(SELECT q.seq FROM episodes_messagepassage q WHERE q.id = b.passage_id)"
WANTED_CODE = (
    "(%(role)s::text IS NULL OR b.role = %(role)s)"
    " AND (%(npc_id)s::text IS NULL OR b.npc_id = %(npc_id)s)"
    " AND (%(since)s::timestamptz IS NULL OR b.sent_at >= %(since)s)"
    " AND (%(until)s::timestamptz IS NULL OR b.sent_at < %(until)s)"
)
CENTER = "SELECT v.center FROM episodes_vectorcenter v WHERE v.end_user_id = %(end_user_id)s"
FRESH_MESSAGE = (
    "p.embedding_state = 'pending' AND p.created_at > %(fresh_since)s AND EXISTS (SELECT 1 FROM episodes_message f"
    " WHERE f.id = p.message_id AND f.role = 'user' AND f.sent_at > %(fresh_since)s)"
)
SAID = """
SELECT m.sent_at AS said_at,
       CASE WHEN m.role = 'user' THEN 'user' ELSE 'assistant' END AS speaker,
       CASE WHEN m.role = 'user' THEN v.user_name
            WHEN m.npc_id IN ('', v.npc_id) THEN COALESCE(NULLIF(v.assistant_name, ''), replace(m.npc_id, '-', ' '))
            ELSE replace(m.npc_id, '-', ' ') END AS speaker_name,
       left(m.content, %(head_length)s) AS head,
       right(m.content, %(ending_length)s) AS ending
FROM episodes_message m JOIN episodes_conversation v ON v.id = m.conversation_id WHERE m.id = p.message_id
"""


@dataclass(frozen=True, slots=True)
class EpisodeFilters:
    """Which messages may be found; None means any."""

    world_id: int | None = None
    """Conversations of that world only."""
    or_without_world: bool = False
    """With `world_id`, also conversations that belong to no world."""
    conversation_id: int | None = None
    line: Line | None = None
    """Of a conversation that branches: nothing that is said in other lines of its tree."""
    role: str | None = None
    npc_id: str | None = None
    """Only what was said to that NPC and by it; empty: where none took part."""
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    """Said before that time."""

    @property
    def takes_all(self) -> bool:
        """Whether every message of the partition will do."""
        return (self.role, self.npc_id, self.since, self.until) == (None, None, None, None)


@dataclass(frozen=True, slots=True)
class MessagePool:
    """Whose messages share their statistics."""

    tenant_id: int
    end_user_id: int
    vector_space: str

    @property
    def partition_id(self) -> int:
        return build_partition_id(PARTITION_KIND, self.end_user_id)


class PoolCounts(NamedTuple):
    """A user's messages: all, without a vector, with one of another embedder; whether all others have codes."""

    messages: int
    waiting: int
    foreign: int
    has_codes: bool


def plan_search(
    pool: MessagePool, query: str, settings: MessageSettings
) -> tuple[QueryPlan | None, PoolCounts, list[str]]:
    """The query's terms weighed by the user's own messages, their numbers, and what they lack as codes. One query.

    No plan where there are no messages.
    """
    counts = count_query_lexemes(query)
    by_hash = {hash_lexeme(pool.partition_id, lexeme): lexeme for lexeme in counts}
    with prepared_cursor() as cursor:
        cursor.execute(
            read_query(STATISTICS).format(is_sampled=IS_SAMPLED, one_in=SAMPLED_ONE_IN),
            {
                "tenant_id": pool.tenant_id,
                "end_user_id": pool.end_user_id,
                "lexemes": list(by_hash),
                "vector_space": pool.vector_space,
                "exact_rows": settings.retrieval.exact_scan_rows,
            },
        )
        rows = {lexeme: PoolCounts(*counts) for lexeme, *counts in cursor.fetchall()}
    all_counts = rows.pop(None)
    if not all_counts.messages:
        return None, all_counts, []
    plan = plan_query(
        counts,
        {by_hash[lexeme]: held.messages for lexeme, held in rows.items()},
        document_count=all_counts.messages,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )
    if settings.retrieval.mode == "keyword":
        return plan, all_counts, []
    missing = (("embeddings_pending", all_counts.waiting), ("embedder_changed", all_counts.foreign))
    return plan, all_counts, [code for code, count in missing if count]


def build_partition(
    pool: MessagePool, filters: EpisodeFilters, counts: PoolCounts, settings: MessageSettings
) -> MessagePartition:
    """The user's messages, or one conversation's; other filters leave the neighbours' scores as they are."""
    parameters: dict[str, Any] = {
        "tenant_id": pool.tenant_id,
        "end_user_id": pool.end_user_id,
        "fresh_since": timezone.now() - FRESH,
        "head_length": HEAD_LENGTH,
        "ending_length": ENDING_LENGTH,
        "role": filters.role,
        "npc_id": filters.npc_id,
        "since": filters.since,
        "until": filters.until,
    }
    conditions = ["{row}.tenant_id = %(tenant_id)s", "{row}.end_user_id = %(end_user_id)s"]
    if filters.conversation_id is not None:
        conditions.append(IN_CONVERSATION if filters.line is None else IN_LINE)
        parameters["conversation_id"] = filters.conversation_id
    if filters.line is not None:
        conditions.append(NOT_IN_OTHER_LINES)
        parameters["other_ids"] = list(filters.line.other_ids)
        parameters["trunk_ids"] = [trunk_id for trunk_id, _ in filters.line.ancestors]
        parameters["fork_seqs"] = [through for _, through in filters.line.ancestors]
    if filters.world_id is not None:
        conditions.append(
            "EXISTS (SELECT 1 FROM episodes_conversation s"
            " WHERE s.id = {row}.conversation_id"
            " AND (s.world_id = %(world_id)s OR (s.world_id IS NULL AND %(or_without_world)s)))"
        )
        parameters["or_without_world"] = filters.or_without_world
        parameters["world_id"] = filters.world_id
    where = " AND ".join(conditions)
    wanted = [ANY_MESSAGE if filters.takes_all else WANTED_MESSAGE]
    if filters.line is not None:  # a message beside another may stand in another line
        wanted.append(NOT_IN_OTHER_LINES.format(row="p", seq="p.seq"))
    return MessagePartition(
        table="episodes_messagepassage",
        partition_id=pool.partition_id,
        where=where.format(row="p", seq="p.seq"),
        wanted=" AND ".join(wanted),
        fresh=FRESH_MESSAGE,
        said=SAID,
        parameters=parameters,
        vector_space=pool.vector_space,
        message_count=counts.messages,
        is_large=counts.messages > settings.retrieval.exact_scan_rows,
        codes=MessageCodes("episodes_vectorcode", f"{where.format(row='b', seq=CODE_SEQ)} AND {WANTED_CODE}", CENTER)
        if counts.has_codes
        else None,
    )
