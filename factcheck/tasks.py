"""Work of the second stage in Celery. Every task may run twice."""

from __future__ import annotations

from celery import shared_task

from factcheck.extraction.actions.breaker_notices import mail_breaker_notice


@shared_task(
    name="factcheck.send_breaker_notice",
    autoretry_for=(OSError,),
    max_retries=5,
    retry_backoff=30,
    retry_jitter=True,
    acks_late=True,
)
def send_breaker_notice(event_id: int) -> None:
    """Tell the owners that a breaker opened. SMTP's errors are OSErrors: a server that is down is asked again."""
    mail_breaker_notice(event_id)
