"""Mail to a tenant's owners when a breaker opens; none where no mail server is set."""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.core.mail import send_mail

from episodes.embedding.actions.queue import publish_in_one_try
from factcheck.extraction.models import BreakerEvent
from factcheck.extraction.selectors.breakers import name_breaker
from memoryproject.celery import find_task
from tenancy.models import Membership, Role


def queue_breaker_notice(event_id: int) -> None:
    """Have a worker send the mail, where mail is set up."""
    if not settings.EMAIL_HOST:
        return
    publish_in_one_try(partial(find_task("factcheck.send_breaker_notice").delay, event_id))


def mail_breaker_notice(event_id: int) -> int:
    """Tell the tenant's owners that a breaker opened: how many were told."""
    event = BreakerEvent.objects.select_related("tenant").get(pk=event_id)
    owners = Membership.objects.filter(tenant_id=event.tenant_id, role=Role.OWNER, user__is_active=True)
    addresses = sorted({email for email in owners.values_list("user__email", flat=True) if email})
    if not addresses:
        return 0
    text = (
        f"Extraction of {event.tenant.name} has stopped by itself ({name_breaker(event)}).\n\n"
        f"{event.reason}.\nRule: {event.rule}.\n"
        f"Error rate: {event.lower:.1%} to {event.upper:.1%}, n = {event.n}, errors = {event.errors}.\n\n"
        "Messages are kept and rules still read them. Nothing is lost: what waits is read once you resume.\n"
        "Look at Extraction quality in the admin site, then resume it there with a reason.\n"
    )
    return send_mail(f"[{event.tenant.slug}] extraction has stopped", text, None, addresses)
