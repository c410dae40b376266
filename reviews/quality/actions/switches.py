"""Owners stop and resume extraction, each time with a reason that is kept."""

from __future__ import annotations

from django.db import transaction

from factcheck.extraction.actions.breakers import pause_by_hand, resume_breaker
from factcheck.extraction.models import BreakerEvent
from factcheck.extraction.selectors.breakers import ALL_LANGUAGES, name_breaker
from reviews.audit.actions import Transition, write_audit
from reviews.core import permissions
from reviews.core.actor import Actor
from reviews.errors import ReasonRequired


def resume_extraction(event: BreakerEvent, *, state: str, actor: Actor, reason: str) -> BreakerEvent:
    """The breaker half open (a trial) or closed (at once). Raises RoleRequired, ReasonRequired, BreakerMoved."""
    permissions.require(actor, "resume_extraction")
    text = _require_reason(reason)
    with transaction.atomic():
        moved = resume_breaker(event, state=state, made_by=actor.label, reason=text)
        _log(moved, "extraction.resumed", event.state, actor, text)
    return moved


def pause_extraction(tenant_id: int, *, language: str = ALL_LANGUAGES, actor: Actor, reason: str) -> BreakerEvent:
    """Extraction stopped, of all languages or of one. Raises RoleRequired, ReasonRequired, BreakerMoved."""
    permissions.require(actor, "pause_extraction")
    text = _require_reason(reason)
    with transaction.atomic():
        moved = pause_by_hand(tenant_id, language=language, made_by=actor.label, reason=text)
        _log(moved, "extraction.paused", "closed", actor, text)
    return moved


def _require_reason(reason: str) -> str:
    text = " ".join(reason.split())
    if not text:
        raise ReasonRequired("Say why: the reason is kept with the breaker.")
    return text


def _log(event: BreakerEvent, action: str, before: str, actor: Actor, reason: str) -> None:
    transition = Transition(
        action=action,
        object_type="breaker",
        object_id=event.pk,
        object_label=name_breaker(event),
        before=before,
        after=event.state,
        details={"n": event.n, "errors": event.errors, "lower": event.lower, "upper": event.upper},
    )
    write_audit([transition], actor=actor, tenant_id=event.tenant_id, reason=reason)
