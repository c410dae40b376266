"""The messages around one, as far as they are not forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from episodes.conversations.models import LIVING
from episodes.models import Message, MessageRole
from memoryproject.prepared import prepared_cursor

MAX_SEQ = 2_147_483_647
"""Behind all places."""
CLAIM_WITHIN = 50
"""How many places back an assistant's message still counts as what a player answers."""


_SEEN = """
FROM (
    SELECT %(conversation)s::bigint AS id, 2147483647 AS through_seq
    UNION ALL
    SELECT a.ancestor_id, a.through_seq FROM episodes_conversationancestor a WHERE a.conversation_id = %(conversation)s
) s
CROSS JOIN LATERAL (
    SELECT m.id, m.conversation_id, m.seq, m.role, m.content, m.forgotten_at, m.is_current FROM episodes_message m
    WHERE m.conversation_id = s.id AND m.seq <= s.through_seq AND m.is_current AND {wanted}
    ORDER BY m.seq DESC LIMIT 1
) m
JOIN episodes_conversation c ON c.id = m.conversation_id
"""
"""What is seen in a conversation: its own messages, and of a branch those of its trunks up to the fork."""
_BEFORE = _SEEN.format(wanted="m.role = %(role)s AND m.seq < %(seq)s AND m.seq >= %(first)s")
_LAST_BEFORE = f"SELECT m.id, m.content, {LIVING} {_BEFORE} ORDER BY m.seq DESC LIMIT 1"
_AT_PLACE = f"SELECT m.id {_SEEN.format(wanted='m.seq = %(seq)s')} WHERE {LIVING}"
_JUST_BEFORE = (
    f"SELECT m.role, m.content, {LIVING} {_SEEN.format(wanted='m.seq < %(seq)s')} ORDER BY m.seq DESC LIMIT 1"
)
_CLAIM_REPLIED_TO = f"""
SELECT m.id, m.content, {LIVING}
FROM episodes_message r
JOIN episodes_message m ON m.conversation_id = r.conversation_id AND m.seq = r.seq AND m.is_current
JOIN episodes_conversation c ON c.id = m.conversation_id
WHERE r.id = %(reply_to)s AND m.role = %(role)s
"""  # noqa: S608 - our own text
"""Whichever alternative of the message replied to is current."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What was said last."""

    message_id: int
    content: str


def find_previous_id(*, conversation_id: int, seq: int) -> int | None:
    """The message just before a place, unless it is forgotten. One query."""
    with prepared_cursor() as cursor:
        cursor.execute(_AT_PLACE, {"conversation": conversation_id, "seq": seq - 1})
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def find_next_id(*, conversation_id: int, seq: int) -> int | None:
    """The message just after a place, unless it is forgotten. One query."""
    return find_previous_id(conversation_id=conversation_id, seq=seq + 2)


def find_last_said_id(*, conversation_id: int, seq: int) -> int | None:
    """The player's last message before a place, unless it is forgotten. One query."""
    said = _find_last_before(conversation_id, seq, MessageRole.USER)
    return None if said is None else said.message_id


def find_open_claim(*, conversation_id: int, seq: int = MAX_SEQ) -> str:
    """The message just before a place, or the last one, if it is an assistant's: what is said there answers it.

    Empty where the player speaks on, or where it is forgotten. One query.
    """
    with prepared_cursor() as cursor:
        cursor.execute(_JUST_BEFORE, {"conversation": conversation_id, "seq": seq})
        row = cursor.fetchone()
    role, content, is_living = row or ("", "", False)
    return content if role == MessageRole.ASSISTANT and is_living else ""


def find_claim(message: Message) -> Claim | None:
    """The assistant's message that one answers: the one that it names, else the last before it; None where forgotten.

    One query, and one more where it names a message that was not loaded with it.
    """
    replied = message.reply_to if message.reply_to_id is not None else None
    if replied is not None and replied.role == MessageRole.ASSISTANT:
        return find_replied_claim(replied.pk)
    return _find_last_before(message.conversation_id, message.seq, MessageRole.ASSISTANT)


def find_replied_claim(reply_to_id: int) -> Claim | None:
    """The assistant's message of this id, as its current alternative has it. One query.

    None where it is forgotten, or not an assistant's.
    """
    with prepared_cursor() as cursor:
        cursor.execute(_CLAIM_REPLIED_TO, {"reply_to": reply_to_id, "role": MessageRole.ASSISTANT.value})
        return _read_claim(cursor.fetchone())


def _find_last_before(conversation_id: int, seq: int, role: MessageRole) -> Claim | None:
    parameters: dict[str, int | str] = {
        "conversation": conversation_id,
        "role": role.value,
        "seq": seq,
        "first": seq - CLAIM_WITHIN,
    }
    with prepared_cursor() as cursor:
        cursor.execute(_LAST_BEFORE, parameters)
        return _read_claim(cursor.fetchone())


def _read_claim(row: tuple[int, str, bool] | None) -> Claim | None:
    return Claim(row[0], row[1]) if row is not None and row[2] else None
