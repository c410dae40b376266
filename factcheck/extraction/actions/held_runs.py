"""What a breaker held back of a run: kept until it is written, dropped when it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from factcheck.extraction.models import ExtractionRun
from factcheck.extraction.sealing import ANSWER, open_document


def release(run: ExtractionRun) -> None:
    """Nothing of the run is held back any more, and its answer goes. The caller holds the player's lock."""
    run.held_for = None
    run.answer_sealed = b""
    run.save(update_fields=["held_for", "answer_sealed"])


def drop_held_answers(owner_filter: Mapping[str, int], message_ids: Collection[int] | None = None) -> int:
    """How many runs that are held back lost their answer because they read one of the messages (None: any).

    What is left of them is read again once it may be written. Raises FactKeysMissing.
    """
    dropped = 0
    for run in _list_held(owner_filter):
        if message_ids is None or not list_read(run).isdisjoint(message_ids):
            run.answer_sealed = b""
            run.save(update_fields=["answer_sealed"])
            dropped += 1
    return dropped


def list_held_read(owner_filter: Mapping[str, int]) -> set[int]:
    """The messages that runs which are held back read. Raises FactKeysMissing."""
    return {pk for run in _list_held(owner_filter) for pk in list_read(run)}


def list_read(run: ExtractionRun) -> set[int]:
    """The messages that an answered run gave to its proposer. Raises FactKeysMissing."""
    answer = open_document(bytes(run.answer_sealed), tenant_id=run.tenant_id, end_user_id=run.end_user_id, kind=ANSWER)
    return set(answer["messages"])


def _list_held(owner_filter: Mapping[str, int]) -> list[ExtractionRun]:
    held = ExtractionRun.objects.select_for_update(no_key=True).filter(**owner_filter, held_for__isnull=False)
    return list(held.exclude(answer_sealed=b"").order_by("pk"))
