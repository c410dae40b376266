"""Runs, their deltas, and what became of each message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from episodes.models import Conversation, Message, MessageRole
from factcheck.extraction.errors import UnknownRun
from factcheck.extraction.models import (
    ExtractionDelta,
    ExtractionRun,
    FactCandidate,
    MessageOutcome,
    RunMessage,
    RunMode,
)
from factcheck.extraction.sealing import DELTA, open_document, read_candidate
from tenancy.models import Extraction, Tenant

MESSAGE_STATES = ("waiting", "off", "not_read", "extracted", "nothing", "rejected", "failed")
FORGOTTEN_WORDS: Mapping[str, Any] = {"key": None, "value": None, "quotes": []}


@dataclass(frozen=True, slots=True)
class MessageState:
    """What became of a message: `waiting`, `off` (its tenant is not read a second time), `not_read` (nobody reads what
    assistants say), or a run's outcome with its code.
    """

    message_id: int
    state: str
    code: str = ""
    run_id: int | None = None


def list_runs(
    *, tenant_id: int, state: str = "", end_user_id: int | None = None, before: int | None = None, limit: int = 50
) -> list[ExtractionRun]:
    """A tenant's runs, newest first, each with its user. One query."""
    runs: QuerySet[ExtractionRun] = ExtractionRun.objects.filter(tenant_id=tenant_id).select_related("end_user")
    if state:
        runs = runs.filter(state=state)
    if end_user_id is not None:
        runs = runs.filter(end_user_id=end_user_id)
    if before is not None:
        runs = runs.filter(pk__lt=before)
    return list(runs.order_by("-pk")[:limit])


def get_run(*, tenant_id: int, run_id: int) -> ExtractionRun:
    """One run, with its user. Raises UnknownRun."""
    run = ExtractionRun.objects.filter(tenant_id=tenant_id, pk=run_id).select_related("end_user").first()
    if run is None:
        raise UnknownRun(f"There is no run {run_id}.")
    return run


def read_words(delta: ExtractionDelta) -> Mapping[str, Any]:
    """Key, value and quotes of a delta; None and empty where they are forgotten. Raises FactKeysMissing."""
    sealed = bytes(delta.words_sealed)
    if not sealed:
        return FORGOTTEN_WORDS
    words: dict[str, Any] = open_document(sealed, tenant_id=delta.tenant_id, end_user_id=delta.end_user_id, kind=DELTA)
    return words


def list_candidates(
    *, tenant_id: int, end_user_id: int, state: str = "", before: int | None = None, limit: int = 50
) -> list[tuple[FactCandidate, str, str]]:
    """A user's candidates with key and value, newest first, each with its supports. Two queries."""
    rows = FactCandidate.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id).prefetch_related("supports")
    if state:
        rows = rows.filter(state=state)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return [(row, *read_candidate(row)) for row in rows.order_by("-pk")[:limit]]


def find_message_state(*, tenant_id: int, message_id: int) -> MessageState | None:
    """What became of a message; None where there is none that may be read. Three queries at most."""
    message = Message.objects.living().filter(tenant_id=tenant_id, pk=message_id).select_related("conversation").first()
    if message is None:
        return None
    if message.role != MessageRole.USER:
        return MessageState(message_id, "not_read")
    row = RunMessage.objects.filter(message_id=message_id).select_related("run").order_by("-pk").first()
    if row is not None:
        return MessageState(message_id, row.outcome, row.code or _name_unwritten(row), row.run_id)
    if Tenant.objects.get(pk=tenant_id).extraction == Extraction.OFF:
        return MessageState(message_id, "off")
    return MessageState(message_id, "nothing" if message.seq <= message.conversation.extracted_to else "waiting")


def _name_unwritten(row: RunMessage) -> str:
    """Why what was extracted is not written: `held` by a breaker, read in `shadow`, or `not_written` after a trial."""
    if row.outcome != MessageOutcome.EXTRACTED:
        return ""
    if row.run.held_for is not None:
        return "held"
    return {RunMode.SHADOW: "shadow", RunMode.TRIAL: "not_written"}.get(RunMode(row.run.mode), "")


def count_waiting(*, tenant_id: int, end_user_id: int) -> int:
    """How many of the player's messages wait. One query."""
    counts = Conversation.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
    return sum(counts.values_list("pending_extraction_count", flat=True))
