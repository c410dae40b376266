"""Every transition of a change request, allowed or not: by the actions and past them by SQL."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction

from memoryproject.errors import DomainError
from reviews.change_requests.actions.review import (
    reject_change_request,
    reopen_change_request,
    request_changes,
    submit_change_request,
    withdraw_change_request,
)
from reviews.change_requests.models.changes import TRANSITIONS
from reviews.models import AuditEntry, ChangeRequest, ChangeState
from reviews.releases.actions.releases import roll_back_release, swap_release
from reviews.releases.actions.stage import discard_stage, stage_approved
from tests.factories.canon import article
from tests.factories.change_requests import Selmar

pytestmark = pytest.mark.django_db
Step = Callable[[Selmar, ChangeRequest], object]


def bring_to(selmar: Selmar, state: ChangeState) -> ChangeRequest:
    """A request in that state, by the actions alone."""
    if state in (ChangeState.LIVE, ChangeState.ROLLED_BACK):
        _, first = selmar.publish(article("bell", "The first bell."))
        request, _ = selmar.publish(article("bell", "The second bell."))
        if state == ChangeState.ROLLED_BACK:
            roll_back_release(
                actor=selmar.reviewer, domain_index_id=selmar.index.pk, to_number=first.number, reason="No"
            )
    elif state == ChangeState.STAGED:
        request, _ = selmar.staged(article("bell"))
    elif state == ChangeState.APPROVED:
        request = selmar.approved(article("bell"))
    elif state == ChangeState.DRAFT:
        request = selmar.draft(article("bell"))
    else:
        request = selmar.submitted(article("bell"))
        if state == ChangeState.NEEDS_CHANGES:
            request_changes(actor=selmar.reviewer, change_request_id=request.pk, reason="More")
        elif state == ChangeState.REJECTED:
            reject_change_request(actor=selmar.reviewer, change_request_id=request.pk, reason="No")
        elif state == ChangeState.WITHDRAWN:
            withdraw_change_request(actor=selmar.editor, change_request_id=request.pk)
    request.refresh_from_db()
    assert request.state == state
    return request


STEPS: dict[str, tuple[ChangeState, Step]] = {
    "submit": (
        ChangeState.IN_REVIEW,
        lambda s, r: submit_change_request(actor=s.editor, change_request_id=r.pk),
    ),
    "approve": (ChangeState.APPROVED, lambda s, r: s.approve(r)),
    "request_changes": (
        ChangeState.NEEDS_CHANGES,
        lambda s, r: request_changes(actor=s.reviewer, change_request_id=r.pk, reason="Why"),
    ),
    "reject": (
        ChangeState.REJECTED,
        lambda s, r: reject_change_request(actor=s.reviewer, change_request_id=r.pk, reason="Why"),
    ),
    "withdraw": (
        ChangeState.WITHDRAWN,
        lambda s, r: withdraw_change_request(actor=s.editor, change_request_id=r.pk),
    ),
    "reopen": (
        ChangeState.NEEDS_CHANGES,
        lambda s, r: reopen_change_request(actor=s.editor, change_request_id=r.pk),
    ),
    "stage": (
        ChangeState.STAGED,
        lambda s, r: stage_approved(actor=s.reviewer, domain_index_id=s.index.pk, change_request_ids=[r.pk]),
    ),
    "swap": (ChangeState.LIVE, lambda s, r: swap_release(actor=s.reviewer, release_id=r.release_id or 0)),
    "discard": (
        ChangeState.APPROVED,
        lambda s, r: discard_stage(actor=s.reviewer, release_id=r.release_id or 0, reason="Why"),
    ),
}
ALLOWED = {
    ChangeState.DRAFT: {"submit", "withdraw"},
    ChangeState.IN_REVIEW: {"approve", "request_changes", "reject", "withdraw"},
    ChangeState.NEEDS_CHANGES: {"submit", "withdraw"},
    ChangeState.APPROVED: {"stage", "request_changes", "withdraw"},
    ChangeState.STAGED: {"swap", "discard"},
    ChangeState.LIVE: set(),
    ChangeState.ROLLED_BACK: {"reopen", "withdraw"},
    ChangeState.REJECTED: set(),
    ChangeState.WITHDRAWN: set(),
}


@pytest.mark.parametrize("state", list(ChangeState))
def test_each_action_works_in_its_states_and_changes_nothing_in_others(selmar: Selmar, state: ChangeState):
    request = bring_to(selmar, state)
    for name, (after, step) in STEPS.items():
        entries = AuditEntry.objects.count()
        with transaction.atomic():
            if name in ALLOWED[state]:
                step(selmar, request)
                request.refresh_from_db()
                assert request.state == after, name
                assert AuditEntry.objects.count() > entries, name
            else:
                with pytest.raises(DomainError):
                    step(selmar, request)
                request.refresh_from_db()
                assert request.state == state, name
                assert AuditEntry.objects.count() == entries, name
            transaction.set_rollback(True)
        request.refresh_from_db()


@pytest.mark.parametrize("before", list(ChangeState))
def test_database_refuses_transitions_that_are_not_in_the_table(selmar: Selmar, before: ChangeState):
    request = selmar.draft(article("bell"))
    _force_state(request, before)
    for after in ChangeState:
        if after == before or after in TRANSITIONS[before]:
            continue
        with pytest.raises(IntegrityError, match="change_request_transition_allowed"), transaction.atomic():
            connection.cursor().execute(
                "UPDATE reviews_changerequest SET state = %s WHERE id = %s", [after.value, request.pk]
            )


def _force_state(request: ChangeRequest, state: ChangeState) -> None:
    """Put a row into a state without the triggers, keeping the check constraints content."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE reviews_changerequest DISABLE TRIGGER USER")
        cursor.execute("ALTER TABLE reviews_changerequest DROP CONSTRAINT change_request_approval_matches_state")
        cursor.execute("ALTER TABLE reviews_changerequest DROP CONSTRAINT change_request_staged_has_release")
        cursor.execute("UPDATE reviews_changerequest SET state = %s WHERE id = %s", [state.value, request.pk])
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE reviews_changerequest ENABLE TRIGGER USER")
