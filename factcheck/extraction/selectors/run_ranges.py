"""The messages of a run that is claimed: of its range, or of the run that was held back and that it follows."""

from __future__ import annotations

from factcheck.extraction.models import ExtractionRun, RunState
from factcheck.extraction.sealing import ANSWER, open_document
from factcheck.extraction.selectors.given import MessageRange, load_again, load_range


def load_run_range(run: ExtractionRun) -> MessageRange:
    """What the run is over, without what was forgotten since. Raises FactKeysMissing."""
    tenant_id, end_user_id = run.tenant_id, run.end_user_id
    if run.follows is None:
        return load_range(tenant_id=tenant_id, end_user_id=end_user_id, up_to=read_reaches(run), before=run.created_at)
    own_ids = list_own_ids(run.follows)
    if run.state != RunState.ANSWERED:
        return load_again(tenant_id=tenant_id, end_user_id=end_user_id, own_ids=own_ids)
    answer = open_document(bytes(run.answer_sealed), tenant_id=tenant_id, end_user_id=end_user_id, kind=ANSWER)
    return load_again(
        tenant_id=tenant_id,
        end_user_id=end_user_id,
        own_ids=answer.get("own", own_ids),
        read_ids=answer["messages"],
    )


def list_own_ids(run: ExtractionRun) -> list[int]:
    """The player's messages that a run has worked off."""
    return list(run.message_rows.order_by("message_id").values_list("message_id", flat=True))


def read_reaches(run: ExtractionRun) -> dict[int, int]:
    """Conversation to the place up to which its messages are in the run's range."""
    return {int(pk): seq for pk, seq in run.conversation_to.items()}
