"""Verdicts: submit, claim, comment, approve, ask for changes, reject, withdraw, reopen."""

from __future__ import annotations

from django.utils import timezone

from reviews import errors
from reviews.actions.constraints import atomic_action
from reviews.actions.locks import lock_change_request, lock_items, lock_npc_items
from reviews.audit.actions import describe_request, write_audit
from reviews.change_requests.actions.bases import check_items_against_live
from reviews.change_requests.actions.drafts import check_text
from reviews.change_requests.actions.transitions import (
    approval_of,
    is_author,
    move_request,
    require_author,
    require_reason,
    require_state,
    require_transition,
)
from reviews.change_requests.selectors.items import hash_request
from reviews.core.actor import Actor
from reviews.core.permissions import has_role, require
from reviews.models import ChangeKind, ChangeRequest, ChangeState, ReviewComment
from reviews.npcs.actions.changes import check_npc_items, publish_npc_items

MAX_COMMENT_LENGTH = 10_000


def submit_change_request(*, actor: Actor, change_request_id: int) -> ChangeRequest:
    """The draft, in review: its items are frozen. Locks the request.

    Raises NothingToChange without items, StaleItems or SlugInUse if it no longer fits what is live.
    """
    require(actor, "submit")
    with atomic_action():
        request = lock_change_request(actor, change_request_id)
        require_author(actor, request)
        require_transition(request, ChangeState.IN_REVIEW)
        items, npc_items = lock_items(request), lock_npc_items(request)
        if not items and not npc_items:
            raise errors.NothingToChange("The request has no items yet.")
        check_items_against_live(request, items)
        check_npc_items(request, npc_items)
        move_request(
            request,
            ChangeState.IN_REVIEW,
            actor=actor,
            action="submitted",
            changes={"submitted_at": timezone.now()},
            details={"items": len(items) + len(npc_items)},
        )
    return request


def claim_review(*, actor: Actor, change_request_id: int, take_over: bool = False) -> ChangeRequest:
    """The request with the actor as its reviewer. Locks the request.

    A claim tells others who is at it; it keeps nobody from a verdict. Raises ClaimedByOther unless `take_over`.
    """
    require(actor, "claim")
    with atomic_action():
        request = lock_change_request(actor, change_request_id)
        require_state(request, ChangeState.IN_REVIEW)
        _require_other_eyes(actor, request)
        before = request.reviewer_id
        if before not in (None, actor.user_id) and not take_over:
            raise errors.ClaimedByOther("Someone else has claimed this review.", reviewer=before)
        if before != actor.user_id:
            request.reviewer_id = actor.user_id
            request.save(update_fields=["reviewer", "updated_at"])
            entry = describe_request(
                request, "claimed", before=request.state, after=request.state, previous_reviewer=before
            )
            write_audit([entry], actor=actor, tenant_id=request.tenant_id)
    return request


def release_claim(*, actor: Actor, change_request_id: int) -> ChangeRequest:
    """The request without a reviewer: by the one who claimed it, or by an owner. Locks the request."""
    require(actor, "claim")
    with atomic_action():
        request = lock_change_request(actor, change_request_id)
        if request.reviewer_id is None:
            return request
        if request.reviewer_id != actor.user_id and not has_role(actor, "owner"):
            raise errors.ClaimedByOther("Someone else has claimed this review.", reviewer=request.reviewer_id)
        request.reviewer_id = None
        request.save(update_fields=["reviewer", "updated_at"])
        entry = describe_request(request, "claim_released", before=request.state, after=request.state)
        write_audit([entry], actor=actor, tenant_id=request.tenant_id)
    return request


def add_comment(*, actor: Actor, change_request_id: int, text: str, item_id: int | None = None) -> ReviewComment:
    """A person's remark on the request, or on one item of it. Locks the request."""
    require(actor, "comment")
    if actor.user_id is None:
        raise errors.RoleRequired("Only people comment.", required_role="editor", action="comment")
    text = check_text(text, field="comment", most=MAX_COMMENT_LENGTH)
    if not text:
        raise errors.InvalidField("A comment needs a text.", field="comment")
    with atomic_action():
        request = lock_change_request(actor, change_request_id)
        if item_id is not None and not request.items.filter(pk=item_id).exists():
            raise errors.UnknownItem(f"Request {request.pk} has no item {item_id}.")
        comment = ReviewComment.objects.create(
            tenant_id=request.tenant_id,
            change_request=request,
            item_id=item_id,
            author_id=actor.user_id,
            text=text,
        )
        entry = describe_request(
            request, "commented", before=request.state, after=request.state, comment=comment.pk, item=item_id
        )
        write_audit([entry], actor=actor, tenant_id=request.tenant_id)
    return comment


def approve_change_request(
    *, actor: Actor, change_request_id: int, expected_items_hash: str, comment: str = ""
) -> ChangeRequest:
    """The request, approved by someone other than its author; one of NPC profiles is live with it.

    Locks the request, its items and the alias `latest`, then the NPCs.

    ``expected_items_hash`` pins the verdict to what the reviewer has read. Raises FourEyes, ItemsChanged, StaleItems,
    SlugInUse, WrongState.
    """
    require(actor, "approve")
    comment = check_text(comment, field="comment", most=MAX_COMMENT_LENGTH)
    with atomic_action():
        request = lock_change_request(actor, change_request_id)
        _require_other_eyes(actor, request)
        require_state(request, ChangeState.IN_REVIEW)
        items, npc_items = lock_items(request), lock_npc_items(request)
        actual = hash_request(items, npc_items)
        if actual != expected_items_hash:
            raise errors.ItemsChanged("The request has changed since you opened it: read it again.")
        check_items_against_live(request, items, lock=True)
        check_npc_items(request, npc_items)
        move_request(
            request,
            ChangeState.APPROVED,
            actor=actor,
            action="approved",
            reason=comment,
            changes=approval_of(actor),
            details={"items_hash": actual, "items": len(items) + len(npc_items)},
        )
        if request.kind == ChangeKind.NPC:
            publish_npc_items(request, npc_items, actor=actor)
    return request


def request_changes(*, actor: Actor, change_request_id: int, reason: str) -> ChangeRequest:
    """The request, back with its author: from review, or approved but not staged yet. Locks the request."""
    require(actor, "request_changes")
    return _decide(actor, change_request_id, ChangeState.NEEDS_CHANGES, "changes_requested", require_reason(reason))


def reject_change_request(*, actor: Actor, change_request_id: int, reason: str) -> ChangeRequest:
    """The request, refused for good. Locks the request."""
    require(actor, "reject")
    return _decide(actor, change_request_id, ChangeState.REJECTED, "rejected", require_reason(reason))


def withdraw_change_request(*, actor: Actor, change_request_id: int, reason: str = "") -> ChangeRequest:
    """The request, given up by its author, or cleared away by an owner. Locks the request."""
    require(actor, "withdraw")
    reason = check_text(reason, field="reason", most=2000)
    with atomic_action():
        request = lock_change_request(actor, change_request_id)
        if not has_role(actor, "owner"):
            require_author(actor, request)
        move_request(request, ChangeState.WITHDRAWN, actor=actor, action="withdrawn", reason=reason)
    return request


def reopen_change_request(*, actor: Actor, change_request_id: int, reason: str = "") -> ChangeRequest:
    """A request that was rolled back, open to changes again: by its author or a reviewer. Locks the request."""
    require(actor, "reopen")
    reason = check_text(reason, field="reason", most=2000)
    with atomic_action():
        request = lock_change_request(actor, change_request_id)
        require_state(request, ChangeState.ROLLED_BACK)
        if not has_role(actor, "reviewer"):
            require_author(actor, request)
        move_request(request, ChangeState.NEEDS_CHANGES, actor=actor, action="reopened", reason=reason)
    return request


def _decide(actor: Actor, change_request_id: int, state: ChangeState, action: str, reason: str) -> ChangeRequest:
    with atomic_action():
        request = lock_change_request(actor, change_request_id)
        require_state(request, ChangeState.IN_REVIEW, *_also_from(state))
        move_request(request, state, actor=actor, action=action, reason=reason)
    return request


def _also_from(state: ChangeState) -> tuple[ChangeState, ...]:
    """Changes may also be asked for after approval, as long as nothing is staged."""
    return (ChangeState.APPROVED,) if state == ChangeState.NEEDS_CHANGES else ()


def _require_other_eyes(actor: Actor, request: ChangeRequest) -> None:
    if is_author(actor, request):
        raise errors.FourEyes("You wrote this request (or issued the key that did): someone else must review it.")
