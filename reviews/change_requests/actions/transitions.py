"""Moving change requests between states, with the audit entry in the same transaction."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from reviews.audit.actions import Transition, describe_request, write_audit
from reviews.change_requests.models.changes import APPROVED_STATES, TRANSITIONS
from reviews.core.actor import Actor
from reviews.errors import InvalidField, NotYourRequest, ReasonRequired, WrongState
from reviews.models import ChangeRequest, ChangeState

MAX_REASON_LENGTH = 2000


def move_request(
    request: ChangeRequest,
    state: ChangeState,
    *,
    actor: Actor,
    action: str,
    reason: str = "",
    changes: dict[str, Any] | None = None,
    details: dict[str, Any] | None = None,
) -> None:
    """Put one locked request into a state and log it. Raises WrongState if it can't go there from where it is."""
    entry = change_state(request, state, action=action, changes=changes, details=details)
    write_audit([entry], actor=actor, tenant_id=request.tenant_id, reason=reason)


def move_requests(
    requests: Sequence[ChangeRequest],
    state: ChangeState,
    *,
    actor: Actor,
    tenant_id: int,
    action: str,
    group: uuid.UUID,
    reason: str = "",
    changes: dict[str, Any] | None = None,
) -> None:
    """Put locked requests into a state and log them under one group."""
    entries = [change_state(request, state, action=action, changes=changes) for request in requests]
    write_audit(entries, actor=actor, tenant_id=tenant_id, reason=reason, group=group)


def change_state(
    request: ChangeRequest,
    state: ChangeState,
    *,
    action: str,
    changes: dict[str, Any] | None = None,
    details: dict[str, Any] | None = None,
) -> Transition:
    """Save a locked request in its new state and describe it for the log, which the caller writes."""
    require_transition(request, state)
    before = request.state
    values: dict[str, Any] = {"state": state, **(changes or {})}
    if state not in APPROVED_STATES:
        values |= {"approved_by": None, "approved_at": None, "release": None}
    for name, value in values.items():
        setattr(request, name, value)
    request.save(update_fields=[*values, "updated_at"])
    return describe_request(request, action, before=before, after=state, **(details or {}))


def require_transition(request: ChangeRequest, state: ChangeState) -> None:
    """Raise WrongState unless the request may go from its state into that one."""
    if state not in TRANSITIONS[ChangeState(request.state)]:
        raise WrongState(
            f"The request is {ChangeState(request.state).label.lower()}: it can't become {state.label.lower()}.",
            state=request.state,
        )


def require_state(request: ChangeRequest, *states: ChangeState) -> None:
    """Raise WrongState unless the request is in one of the states."""
    if request.state not in states:
        wanted = " or ".join(state.label.lower() for state in states)
        raise WrongState(
            f"The request is {ChangeState(request.state).label.lower()}; this needs it to be {wanted}.",
            state=request.state,
        )


def require_author(actor: Actor, request: ChangeRequest) -> None:
    """Raise NotYourRequest unless the actor wrote the request or issued the key that did."""
    if not is_author(actor, request):
        raise NotYourRequest("Only the author of the request may do this.")


def is_author(actor: Actor, request: ChangeRequest) -> bool:
    """Whether the actor wrote the request, or issued the key that did. Authors never approve."""
    if actor.key_id is not None:
        return request.author_key_id == actor.key_id
    if actor.user_id is None:
        return False
    key = request.author_key
    return request.author_id == actor.user_id or (key is not None and key.created_by_id == actor.user_id)


def require_reason(reason: str) -> str:
    """The reason, trimmed. Raises ReasonRequired when there is none, InvalidField when it is too long."""
    reason = reason.strip()
    if not reason:
        raise ReasonRequired("Say why.")
    if len(reason) > MAX_REASON_LENGTH:
        raise InvalidField(f"A reason has at most {MAX_REASON_LENGTH} characters.", field="reason")
    if "\x00" in reason:
        raise InvalidField("A reason can't hold a NUL character.", field="reason")
    return reason


def approval_of(actor: Actor) -> dict[str, Any]:
    """The columns that say who approved, and when."""
    return {"approved_by_id": actor.user_id, "approved_at": timezone.now()}
