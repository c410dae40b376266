"""The prompts that stand around what models are told, and a preview of the pack of one turn. Nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from episodes.models import Conversation, Message
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from runtime.config import load_prompts
from runtime.context.core.pack import Item
from runtime.context.pipeline import AssembledContext, assemble_context
from runtime.context.relevance_filter import MESSAGE_SHARE
from runtime.context.request import ContextRequest
from runtime.traces.selectors.traces import TraceFilters, list_traces
from tenancy.admin.access import filter_by_tenants, get_or_404, has_role, may_see_canon
from tenancy.models import Role, World

SESSIONS_SHOWN = 15
MAX_MESSAGE_LENGTH = 8_000
PLAYER_FIELDS = ("user_id", "conversation_id", "session_id")
REASONS = {
    "too_many_items": "more items than the layer takes",
    "layer_full": "the layer's tokens are used up",
    "budget_full": "the whole budget is used up",
    "older_than_cut": "older than a message that is cut",
    "repeated": "told in another layer already",
    "not_called_for": "found, but the message does not call for it",
}


class PreviewForm(forms.Form):
    """One turn. What players said and what is known of them is for those who may see players."""

    world = forms.ModelChoiceField(World.objects.none(), empty_label=None)
    message = forms.CharField(
        max_length=MAX_MESSAGE_LENGTH,
        label="The player says",
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    npc_id = forms.CharField(max_length=120, required=False, label="NPC who answers")
    party_id = forms.CharField(max_length=120, required=False, label="Party")
    scene_id = forms.CharField(max_length=120, required=False, label="Scene", help_text="Of the party's campaign.")
    location_id = forms.CharField(max_length=120, required=False, label="Place")
    session_id = forms.CharField(max_length=200, required=False, label="Session")
    user_id = forms.CharField(max_length=200, required=False, label="Player")
    conversation_id = forms.IntegerField(required=False, min_value=1, max_value=2**62, label="Conversation")
    model = forms.CharField(
        max_length=120, required=False, label="Chat model", initial=lambda: settings.CHAT_MODEL, help_text="Its budget."
    )
    total = forms.IntegerField(required=False, min_value=1, max_value=100_000, label="Budget in tokens")

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        worlds = filter_by_tenants(World.objects.select_related("tenant"), request.user)
        self.fields["world"].queryset = worlds.order_by("name", "pk")  # type: ignore[attr-defined]
        self.person = request.user

    def clean(self) -> dict[str, Any]:
        """The player's members only where the person may see players in that world's tenant."""
        cleaned: dict[str, Any] = super().clean() or {}
        world = cleaned.get("world")
        if world is not None and not has_role(self.person, world.tenant_id, Role.REVIEWER):
            for name in PLAYER_FIELDS:
                if cleaned.get(name):
                    self.add_error(name, "What is known of players is shown to reviewers and owners.")
        return cleaned

    def to_request(self) -> ContextRequest:
        """The request of the turn; what was left empty is not known."""
        given: dict[str, Any] = {name: value or None for name, value in self.cleaned_data.items()}
        del given["world"], given["message"]
        world = self.cleaned_data["world"]
        return ContextRequest(
            tenant_id=world.tenant_id,
            world_id=world.pk,
            message=self.cleaned_data["message"],
            with_secrets=True,
            is_preview=True,
            **given,
        )


@dataclass(frozen=True, slots=True)
class CutRow:
    """An item that is left out, and why, in words."""

    layer: str
    id: str
    text: str
    tokens: int
    reason: str


def prompts_view(request: HttpRequest) -> HttpResponse:
    """The prompt sets, and the pack of the turn that the form describes."""
    if not may_see_canon(request):
        raise Http404("There is nothing here.")
    form = PreviewForm(request.POST or None, request=request, initial=_prefill(request))
    context = _assemble(form) if request.method == "POST" and form.is_valid() else None
    return show_page(
        request,
        "prompts.html",
        "Prompts",
        form=form,
        prompts=list(load_prompts().values()),
        context=context,
        cuts=_list_cuts(context) if context else (),
        conversations=_list_conversations(request),
    )


def _assemble(form: PreviewForm) -> AssembledContext | None:
    try:
        return assemble_context(form.to_request())
    except DomainError as error:
        form.add_error(None, error.detail)
        return None


def word_reason(reason: str | None, item: Item) -> str:
    """Why an item was cut, in words; of a rule that was kept back also how much of the message it holds."""
    words = REASONS.get(reason or "", reason or "")
    share = item.provenance.scores.get(MESSAGE_SHARE)
    is_judged = reason == "not_called_for" and share is not None
    return f"{words}: it holds {share:.0%} of what is said" if is_judged else words


def _list_cuts(context: AssembledContext) -> tuple[CutRow, ...]:
    return tuple(
        CutRow(cut.layer, cut.item.id, cut.item.text, cut.tokens, word_reason(cut.reason, cut.item))
        for cut in context.pack.cut
    )


def _list_conversations(request: HttpRequest) -> Sequence[Conversation]:
    """The newest ones of tenants in which the person may see players."""
    rows = Conversation.objects.select_related("end_user", "world").filter(world__isnull=False)
    found: Sequence[Conversation] = filter_by_tenants(rows, request.user, role=Role.REVIEWER).order_by("-pk")
    return found[:SESSIONS_SHOWN]


def _prefill(request: HttpRequest) -> dict[str, Any]:
    """The turn of the conversation that `?conversation=` names: its people, the player's last words, and where it is.

    Party, scene and place are those of the newest turn of this talk that left a trace.
    """
    wanted = request.GET.get("conversation", "")
    if not wanted.isdecimal() or len(wanted) > 18:
        return {}
    rows = Conversation.objects.select_related("end_user").filter(world__isnull=False)
    conversation: Conversation = get_or_404(rows, request.user, role=Role.REVIEWER, pk=int(wanted))
    said = Message.objects.living().filter(conversation=conversation, role="user").order_by("-seq")
    last = said.first()
    people = {
        "npc_id": conversation.npc_id or (last.npc_id if last else ""),
        "session_id": conversation.session_id or (last.session_id if last else ""),
        "user_id": conversation.end_user.external_id,
    }
    return {
        "world": conversation.world_id,
        "message": last.content[:MAX_MESSAGE_LENGTH] if last else "",
        "conversation_id": conversation.pk,
        **people,
        **_find_place(conversation, people),
    }


def _find_place(conversation: Conversation, people: dict[str, str]) -> dict[str, Any]:
    """Where the newest traced turn of these people was; nothing without one."""
    if conversation.world_id is None:
        return {}
    newest = list_traces(
        tenant_id=conversation.tenant_id,
        world_id=conversation.world_id,
        filters=TraceFilters(
            user_id=people["user_id"],
            npc_id=people["npc_id"] or None,
            session_id=people["session_id"] or None,
        ),
        limit=1,
    )
    if not newest:
        return {}
    [trace] = newest
    location_id = trace.outline["request"].get("location_id", "")
    return {"party_id": trace.party_id, "scene_id": trace.scene_id, "location_id": location_id}
