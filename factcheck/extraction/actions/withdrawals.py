"""The second stage lets go of a message that is read no more; of what stands in its place it reads again, once."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import F

from episodes.models import Conversation, Message, MessageRole
from factcheck.extraction.actions.candidates import SERVICE, change_state, weigh_supports
from factcheck.extraction.actions.run_failures import fail_run
from factcheck.extraction.actions.sample_labels import withdraw_samples
from factcheck.extraction.models import CandidateState, CandidateSupport, ExtractionRun, FactCandidate, RunState
from factcheck.extraction.sealing import ANSWER, open_document, read_candidate
from memoryproject.forgetting.registry import Withdrawal

CHANGED = "messages_changed"
EDITED_AWAY = "What stated it was edited or swiped away."


def withdraw_in_extraction(withdrawal: Withdrawal) -> int:
    """How many open runs, candidates and samples let go of the deselected message.

    A run whose answer read it, or what stands in its place, begins anew. A candidate that nothing states any more is
    closed; it may be proposed again. What was proposed and decided stays told. Raises FactKeysMissing.
    """
    owner_filter = {"tenant_id": withdrawal.tenant_id, "end_user_id": withdrawal.end_user_id}
    gone = _fail_answered(owner_filter, withdrawal.message_ids)
    gone += _withdraw_supports(owner_filter, withdrawal.deselected_id)
    gone += len(withdraw_samples(**owner_filter, message_ids=[withdrawal.deselected_id]))
    _count_waiting(withdrawal)
    return gone


def _fail_answered(owner_filter: dict[str, int], message_ids: Collection[int]) -> int:
    run = ExtractionRun.objects.select_for_update(no_key=True).filter(**owner_filter, state=RunState.ANSWERED).first()
    if run is None:
        return 0
    answer = open_document(bytes(run.answer_sealed), tenant_id=run.tenant_id, end_user_id=run.end_user_id, kind=ANSWER)
    if set(answer["messages"]).isdisjoint(message_ids):
        return 0
    fail_run(run, failure=CHANGED, detail="What it read was edited or swiped before its answer was applied.")
    return 1


def _withdraw_supports(owner_filter: dict[str, int], message_id: int) -> int:
    supports = CandidateSupport.objects.filter(candidate__in=FactCandidate.objects.filter(**owner_filter))
    rows = supports.filter(message_id=message_id)
    touched = list(FactCandidate.objects.filter(pk__in=rows.values("candidate")).order_by("pk"))
    rows.delete()
    for candidate in touched:
        if candidate.state != CandidateState.OPEN:
            continue
        if candidate.supports.exists():
            weigh_supports(candidate, read_candidate(candidate)[1])
        else:
            change_state(candidate, CandidateState.CONTRADICTED, made_by=SERVICE, reason=EDITED_AWAY)
    return len(touched)


def _count_waiting(withdrawal: Withdrawal) -> None:
    """What was worked off already waits once more in its new words."""
    selected = Message.objects.filter(pk=withdrawal.selected_id, role=MessageRole.USER)
    worked_off = Conversation.objects.filter(pk=withdrawal.conversation_id, extracted_to__gte=withdrawal.seq)
    if selected.exists():
        worked_off.update(pending_extraction_count=F("pending_extraction_count") + 1)
