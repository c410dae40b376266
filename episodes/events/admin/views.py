"""What people do about events, and the time line of a conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from episodes.alternatives.selectors import list_trunks
from episodes.events.actions.decisions import archive_now, hide_event, retry_event
from episodes.events.actions.proposals import accept_proposal, decline_proposal
from episodes.events.admin.nodes import get_badge
from episodes.events.models import EventNode, EventProposal
from episodes.events.selectors.nodes import list_events
from episodes.models import Conversation
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from tenancy.admin.access import get_or_404, has_role
from tenancy.core.audit_log import Decider
from tenancy.models import Role

MAX_SHOWN = 500
DECISIONS: Mapping[str, Callable[..., EventProposal]] = {"accept": accept_proposal, "decline": decline_proposal}
DECIDED = {
    "accept": "The event says what the entry says; search by meaning follows within five minutes.",
    "decline": "The entry tells the event's own card again.",
}


@require_POST
def act_view(request: HttpRequest, node_id: UUID, verb: str) -> HttpResponse:
    """Try again, hide, show or archive now."""
    node: EventNode = get_or_404(EventNode.objects.all(), request.user, role=Role.REVIEWER, pk=node_id)
    if verb == "retry":
        retry_event(tenant_id=node.tenant_id, event_id=node.pk)
        messages.success(request, "It waits to be extracted again; a worker takes it up within a minute.")
    elif verb in ("hide", "show"):
        hide_event(tenant_id=node.tenant_id, event_id=node.pk, is_hidden=verb == "hide")
        messages.success(request, "It is hidden." if verb == "hide" else "It is in the lorebook and found again.")
    elif verb == "archive":
        report = archive_now(tenant_id=node.tenant_id, conversation_ids=[node.conversation_id])[node.conversation_id]
        messages.success(request, f"Archived: {report.archived}. Left in the buffer: {report.waiting}.")
    return HttpResponseRedirect(reverse("admin:episodes_eventnode_change", args=[node.pk]))


@require_POST
def decide_view(request: HttpRequest, proposal_id: int, verb: str) -> HttpResponse:
    """Accept or decline what people wrote into an entry while its event changed; with a reason, logged."""
    proposal: EventProposal = get_or_404(EventProposal.objects.all(), request.user, role=Role.REVIEWER, pk=proposal_id)
    reason = request.POST.get("reason", "").strip()
    page = HttpResponseRedirect(reverse("admin:episodes_eventnode_change", args=[proposal.node_id]))
    if not reason or verb not in DECISIONS:
        messages.error(request, "Say why. Nothing is changed.")
        return page
    decider = Decider("user", request.user.pk or 0, request.user.get_username())
    try:
        DECISIONS[verb](tenant_id=proposal.tenant_id, proposal_id=proposal.pk, decider=decider, reason=reason)
    except DomainError as error:
        messages.error(request, error.detail)
    else:
        messages.success(request, DECIDED[verb])
    return page


def timeline_view(request: HttpRequest, conversation_id: int) -> HttpResponse:
    """A conversation's events in the order of its messages, in whatever state."""
    chat: Conversation = get_or_404(
        Conversation.objects.select_related("end_user", "tenant"), request.user, role=Role.REVIEWER, pk=conversation_id
    )
    trunks = list_trunks(chat)
    nodes = list_events(tenant_id=chat.tenant_id, conversation_id=chat.pk, trunks=trunks, limit=MAX_SHOWN)
    rows = [(node, node.read_plot(), get_badge(node.state)) for node in nodes]
    may_own = chat.world_id is not None and has_role(request.user, chat.tenant_id, Role.OWNER)
    return show_page(request, "event_timeline.html", f"Events of {chat}", chat=chat, rows=rows, may_own=may_own)
