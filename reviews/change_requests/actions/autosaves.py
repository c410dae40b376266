"""Keeping what a person writes before they save it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence

from django.db.models.functions import Now
from django.utils import timezone

from reviews import errors
from reviews.actions.constraints import atomic_action
from reviews.change_requests.models.autosaves import TARGET_PATTERN
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.models import Autosave

MAX_AUTOSAVE_CHARACTERS = 1_500_000
"""An article of the largest size, its properties, and room to spare."""
MAX_FORM_FIELDS = 2_000
KEPT_DAYS = 90


def keep_autosave(*, actor: Actor, tenant_id: int, target: str, fields: Mapping[str, Sequence[str]]) -> Autosave:
    """The person's unsaved form of one article, in place of what was kept before. Raises InvalidField."""
    require(actor, "create")
    if actor.user_id is None or not re.fullmatch(TARGET_PATTERN, target):
        raise errors.InvalidField("This is no form that is kept.", field="target")
    size = sum(len(value) for values in fields.values() for value in values)
    if size > MAX_AUTOSAVE_CHARACTERS or sum(map(len, fields.values())) > MAX_FORM_FIELDS:
        raise errors.InvalidField("The form is too large to be kept: save it.", field="fields")
    kept = {name: [_clean(value) for value in values] for name, values in fields.items()}
    with atomic_action():
        Autosave.objects.filter(
            user_id=actor.user_id, saved_at__lt=timezone.now() - dt.timedelta(days=KEPT_DAYS)
        ).delete()
        row, _ = Autosave.objects.update_or_create(
            user_id=actor.user_id,
            target=target,
            defaults={"tenant_id": tenant_id, "fields": kept, "saved_at": Now()},
        )
    row.refresh_from_db()
    return row


def discard_autosave(*, actor: Actor, target: str) -> bool:
    """Whether there was an unsaved form, which is gone now: it was saved, or is not wanted."""
    deleted, _ = Autosave.objects.filter(user_id=actor.user_id or 0, target=target).delete()
    return bool(deleted)


def find_autosave(*, actor: Actor, target: str) -> Autosave | None:
    """The person's own unsaved form."""
    return Autosave.objects.filter(user_id=actor.user_id or 0, target=target).first()


def _clean(value: str) -> str:
    """What PostgreSQL can store as JSON: no NUL, no half of a surrogate pair."""
    return re.sub("[\x00\ud800-\udfff]", "\ufffd", value)
