"""Work that beat does for tenancy."""

from __future__ import annotations

from celery import shared_task

from tenancy.actions.idempotency import delete_old_answers
from tenancy.actions.keys import flush_key_uses


@shared_task(name="tenancy.flush_key_uses")
def flush_key_uses_task() -> int:
    """Bring `last_used_at` of the keys up to date."""
    return flush_key_uses()


@shared_task(name="tenancy.delete_old_answers")
def delete_old_answers_task() -> int:
    """Delete stored answers that nobody will ask for again."""
    return delete_old_answers()
