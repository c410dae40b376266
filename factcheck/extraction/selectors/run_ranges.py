"""The messages of a run that is claimed: of its range, or of the run that was held back and that it follows."""

from __future__ import annotations

from typing import Any

from factcheck.extraction.models import ExtractionRun, RunState
from factcheck.extraction.sealing import ANSWER, open_document
from factcheck.extraction.selectors.given import MessageRange, load_again, load_range


def load_run_range(run: ExtractionRun) -> MessageRange:
    """What the run is over, without what was forgotten since. Raises FactKeysMissing."""
    owner_filter: dict[str, Any] = {"tenant_id": run.tenant_id, "end_user_id": run.end_user_id}
    answer: dict[str, Any] = {}
    if run.state == RunState.ANSWERED:
        answer = open_document(bytes(run.answer_sealed), **owner_filter, kind=ANSWER)
    read_ids = answer.get("messages")
    if run.follows is None:
        return load_range(**owner_filter, up_to=read_reaches(run), before=run.created_at, read_ids=read_ids)
    return load_again(**owner_filter, own_ids=answer.get("own", list_own_ids(run.follows)), read_ids=read_ids)


def list_range_ids(run: ExtractionRun) -> tuple[int, ...]:
    """The player's messages that the run is over. An answer is opened only where it says which these are."""
    if run.follows is not None:
        return load_run_range(run).own_ids
    owner_filter: dict[str, Any] = {"tenant_id": run.tenant_id, "end_user_id": run.end_user_id}
    return load_range(**owner_filter, up_to=read_reaches(run), before=run.created_at, read_ids=()).own_ids


def list_own_ids(run: ExtractionRun) -> list[int]:
    """The player's messages that a run has worked off."""
    return list(run.message_rows.order_by("message_id").values_list("message_id", flat=True))


def read_reaches(run: ExtractionRun) -> dict[int, int]:
    """Conversation to the place up to which its messages are in the run's range."""
    return {int(pk): seq for pk, seq in run.conversation_to.items()}
