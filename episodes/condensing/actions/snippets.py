"""Snippets are claimed, kept, given up and cleared. Who makes their text is none of this app's business."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.utils import timezone

from episodes.models import Message, MessageSnippet, SnippetState
from episodes.search.core import takes_snippet
from knowledge.search.sql import read_query

_SQL = Path(__file__).resolve().parents[1] / "sql"
_PURGE, _PURGE_GONE = _SQL / "purge_snippets.sql", _SQL / "purge_gone_snippets.sql"
DROPPED = "dropped"
"""The code of a snippet that a person took away: the same prompt does not make it again."""


@dataclass(frozen=True, slots=True)
class SnippetClaim:
    """A message that this worker, and no other, asks a model about."""

    id: uuid.UUID
    message_id: int
    tenant_id: int
    role: str
    language: str
    content: str


def claim_snippet(*, tenant_id: int, message_id: int, prompt_version: int, lease: dt.timedelta) -> SnippetClaim | None:
    """The claim; None where there is a snippet, another worker is at it, it failed, or the message takes none.

    A claim that ran out is taken over; what failed is tried again by a newer prompt. Locks conversation and message.
    """
    message = Message.objects.living().filter(tenant_id=tenant_id, pk=message_id).first()
    if message is None or not takes_snippet(
        role=message.role,
        memory_type=message.memory_type,
        length=len(message.content),
        response_description=message.response_description,
    ):
        return None
    now = timezone.now()
    token = uuid.uuid4()
    claim: dict[str, Any] = {
        "state": SnippetState.WRITING,
        "code": "",
        "claim": token,
        "claimed_until": now + lease,
        "prompt_version": prompt_version,
    }
    try:
        with transaction.atomic():
            row = MessageSnippet(tenant_id=tenant_id, message_id=message_id, **claim)
            MessageSnippet.objects.bulk_create([row], ignore_conflicts=True)
            is_mine = MessageSnippet.objects.filter(message_id=message_id, claim=token).exists()
            if not is_mine:
                free = Q(state=SnippetState.WRITING, claimed_until__lt=now) | Q(
                    state=SnippetState.FAILED, prompt_version__lt=prompt_version
                )
                is_mine = bool(MessageSnippet.objects.filter(free, message_id=message_id).update(**claim))
    except IntegrityError:  # it was forgotten since it was read
        return None
    if not is_mine:
        return None
    return SnippetClaim(token, message_id, tenant_id, message.role, message.language, message.content)


def keep_snippet(claim: SnippetClaim, text: str, *, model: str) -> bool:
    """Whether the snippet stands: not where the message, or one beside it, was forgotten meanwhile."""
    return _settle(claim, state=SnippetState.READY, text=text, model=model)


def fail_snippet(claim: SnippetClaim, code: str, *, model: str) -> bool:
    """Whether it is noted that this prompt makes none of the message."""
    return _settle(claim, state=SnippetState.FAILED, code=code, model=model)


def release_snippet(claim: SnippetClaim) -> None:
    """Another worker may try: the model did not answer."""
    MessageSnippet.objects.filter(message_id=claim.message_id, claim=claim.id).delete()


def drop_snippet(*, tenant_id: int, message_id: int) -> bool:
    """Whether there was a snippet that is gone now, by a person's hand; the same prompt makes it no more."""
    rows = MessageSnippet.objects.filter(tenant_id=tenant_id, message_id=message_id, state=SnippetState.READY)
    return bool(rows.update(state=SnippetState.FAILED, text="", code=DROPPED))


def clear_snippets(message_ids: Sequence[int]) -> int:
    """How many snippets are gone, of these messages and of their neighbours. Call it under the messages' locks."""
    return _purge(_PURGE, {"message_ids": list(message_ids)})


def clear_gone_snippets(conversation_ids: Sequence[int]) -> int:
    """How many snippets are gone of all that nobody reads any more. Call it under the conversations' locks."""
    return _purge(_PURGE_GONE, {"conversation_ids": list(conversation_ids)})


def _settle(claim: SnippetClaim, *, state: str, model: str, text: str = "", code: str = "") -> bool:
    rows = MessageSnippet.objects.filter(message_id=claim.message_id, claim=claim.id)
    values = {"state": state, "text": text, "code": code, "model": model[:200], "claim": None, "claimed_until": None}
    try:
        with transaction.atomic():
            return bool(rows.update(**values))
    except IntegrityError:  # an order took it while the model wrote
        rows.delete()
        return False


def _purge(path: Path, values: dict[str, Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(read_query(path), values)
        (count,) = cursor.fetchone()
    return int(count)
