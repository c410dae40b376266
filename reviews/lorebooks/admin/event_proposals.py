"""The button of an event's page that proposes it as canon."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from episodes.events.models import EventNode
from memoryproject.admin.flash import flash_error
from memoryproject.errors import DomainError
from reviews.admin.common import get_actor
from reviews.lorebooks.event_proposals import propose_event
from tenancy.admin.access import get_or_404
from tenancy.models import Role


@require_POST
def propose_event_view(request: HttpRequest, node_id: UUID) -> HttpResponse:
    """A draft of an article from the event, for whoever may see players and edit lore; then its page."""
    node: EventNode = get_or_404(EventNode.objects.all(), request.user, role=Role.REVIEWER, pk=node_id)
    try:
        done, _ = propose_event(actor=get_actor(request, node.tenant_id), node=node, is_draft=True)
    except DomainError as error:
        flash_error(request, error)
        return HttpResponseRedirect(reverse("admin:episodes_eventnode_change", args=[node.pk]))
    if done.change_request_ids:
        messages.success(request, "The article is in this draft. Take out what is the player's own, then submit it.")
        return HttpResponseRedirect(reverse("admin:change_request", args=[done.change_request_ids[0]]))
    messages.info(request, "Canon, or an open change request, says that already: there is nothing to propose.")
    return HttpResponseRedirect(reverse("admin:episodes_eventnode_change", args=[node.pk]))
