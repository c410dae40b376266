"""What NPCs remember of a play session, and clearing it. For those who may see players."""

from __future__ import annotations

from typing import Any

import structlog
from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_POST

from episodes.models import Conversation
from memoryproject.admin.pages import show_page
from runtime.session_memory.actions import clear_session, drop_preference
from runtime.session_memory.api.shapes import MAX_SESSION_ID_LENGTH
from runtime.session_memory.core.inference import TAGS
from runtime.session_memory.core.keys import SessionRef
from runtime.session_memory.core.preferences import Preference
from runtime.session_memory.core.signals import SINGLE_FIELDS
from runtime.session_memory.selectors import load_session
from tenancy.admin.access import filter_by_tenants, may_see_players
from tenancy.models import Role, World

log = structlog.get_logger("memory37.session_memory")

RECENT_SESSIONS = 10


class SessionForm(forms.Form):
    """Which session."""

    world = forms.ModelChoiceField(World.objects.none(), empty_label=None)
    session_id = forms.CharField(max_length=MAX_SESSION_ID_LENGTH, label="Session")

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        worlds = filter_by_tenants(World.objects.select_related("tenant"), request.user, role=Role.REVIEWER)
        self.fields["world"].queryset = worlds.order_by("name", "pk")  # type: ignore[attr-defined]

    def to_session(self) -> SessionRef:
        """The session."""
        world = self.cleaned_data["world"]
        return SessionRef(world.tenant_id, world.pk, self.cleaned_data["session_id"])


def sessions_view(request: HttpRequest) -> HttpResponse:
    """The session that the query names, as its NPCs remember it."""
    _check_may_see(request)
    is_asked = bool(request.GET.keys() & {"world", "session_id"})
    form = SessionForm(request.GET if is_asked else None, request=request)
    memory = load_session(form.to_session()) if is_asked and form.is_valid() else None
    shown = list_shown(memory.preference) if memory and memory.preference else []
    recent = [] if is_asked else list_recent_sessions(form)
    return show_page(request, "sessions.html", "Session memory", form=form, memory=memory, shown=shown, recent=recent)


def list_shown(preference: Preference) -> list[dict[str, Any]]:
    """What is known of a preference, a line each, with its source, its evidence, and what drops it."""
    rows = [
        {"label": name.title(), "field": name, "tag": "", "value": getattr(preference, name)}
        for name in SINGLE_FIELDS
        if getattr(preference, name)
    ]
    rows += [{"label": "Topic", "field": TAGS, "tag": tag, "value": tag} for tag in preference.interest_tags]
    for row in rows:
        row["source"] = preference.source.get(row["field"], "")
        evidence = preference.tag_evidence.get(row["tag"]) if row["tag"] else preference.evidence.get(row["field"])
        row["evidence"] = list(evidence or ())
    return rows


def list_recent_sessions(form: SessionForm) -> list[Conversation]:
    """The newest conversations that belong to a session, of the worlds that the form offers."""
    worlds = form.fields["world"].queryset  # type: ignore[attr-defined]
    rows = Conversation.objects.filter(world__in=worlds).exclude(session_id="").select_related("world", "end_user")
    return list(rows.order_by("-id")[:RECENT_SESSIONS])


@require_POST
def session_clear_view(request: HttpRequest) -> HttpResponse:
    """With the session's id typed, its talk and preference are no longer remembered. RAW keeps the messages."""
    _check_may_see(request)
    form = SessionForm(request.POST, request=request)
    if not form.is_valid():
        raise Http404("There is nothing here.")
    session = form.to_session()
    if request.POST.get("confirm", "").strip() != session.session_id:
        messages.error(request, "Nothing was cleared: type the session's id to confirm.")
    else:
        clear_session(session)
        messages.success(request, "Nothing of the session is remembered any more. Its messages are kept.")
    return _back(session)


@require_POST
def preference_drop_view(request: HttpRequest) -> HttpResponse:
    """One field of the preference, or one topic, is no longer known, and is not inferred again from the same words."""
    _check_may_see(request)
    form = SessionForm(request.POST, request=request)
    if not form.is_valid():
        raise Http404("There is nothing here.")
    session = form.to_session()
    field, tag = request.POST.get("field", ""), request.POST.get("tag") or None
    dropped, _ = drop_preference(session, field, tag=tag)
    name = f"topic {tag}" if tag else field
    log.info("preference_dropped", field=field, dropped=dropped, requested_by=request.user.get_username())
    messages.success(request, f"1 preference is gone: {name}." if dropped else f"Nothing was known: {name}.")
    return _back(session)


def _back(session: SessionRef) -> HttpResponse:
    query = QueryDict(mutable=True)
    query.update({"world": str(session.world_id), "session_id": session.session_id})
    return HttpResponseRedirect(f"{reverse('admin:session_memory')}?{query.urlencode()}")


def _check_may_see(request: HttpRequest) -> None:
    if not may_see_players(request):
        raise Http404("There is nothing here.")
