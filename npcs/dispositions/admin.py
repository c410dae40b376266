"""What people may do to how NPCs stand: take a move back, and set a world's scale. Owners only."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from memoryproject.admin.pages import show_page
from memoryproject.admin.row_versions import FIELD, VersionedForm, lock_on_post
from npcs.dispositions.actions.moves import compensate_disposition
from npcs.dispositions.actions.scales import set_scale
from npcs.dispositions.core.moves import MAX_REASON_LENGTH, Scale, as_number
from npcs.dispositions.selectors import find_entries, get_scale, get_standing, list_compensated, view_entry
from npcs.errors import InvalidDispositionChange, InvalidScale
from npcs.models import Npc
from npcs.profiles.admin.access import get_npc_or_404, name_author
from tenancy.admin.access import get_or_404
from tenancy.models import Role, World


class ScaleForm(VersionedForm):
    """The bounds of dispositions in one world."""

    least = forms.DecimalField(max_digits=7, decimal_places=2)
    most = forms.DecimalField(max_digits=7, decimal_places=2)
    initial_value = forms.DecimalField(
        label="Start", max_digits=7, decimal_places=2, help_text="Where an NPC stands before anything happened."
    )
    step_most = forms.DecimalField(
        label="Largest step", max_digits=7, decimal_places=2, help_text="A larger single change is refused."
    )

    def to_scale(self) -> Scale:
        """What was typed."""
        numbers = {name: as_number(value) for name, value in self.cleaned_data.items() if name != FIELD}
        return Scale(numbers["least"], numbers["most"], numbers["initial_value"], numbers["step_most"])


def take_back_view(request: HttpRequest, npc_pk: int, entry_id: int) -> HttpResponse:
    """What the move applied; with a reason and the NPC's id typed, a new move takes it back."""
    npc = get_npc_or_404(request, npc_pk, role=Role.OWNER)
    row = find_entries(tenant_id=npc.tenant_id, npc_pk=npc.pk).filter(pk=entry_id).first()
    if row is None:
        raise Http404("There is nothing here.")
    if request.method == "POST":
        return _take_back(request, npc, entry_id)
    entry = view_entry(row)
    standing = get_standing(
        tenant_id=npc.tenant_id,
        world_id=npc.world_id,
        npc_pk=npc.pk,
        towards_kind=entry.towards_kind,
        towards_id=entry.towards_id,
    )
    after = min(max(standing.value - entry.applied, standing.scale.least), standing.scale.most)
    is_done = entry.compensates is not None or bool(list_compensated(tenant_id=npc.tenant_id, entry_ids=[entry.id]))
    return show_page(
        request,
        "npc_take_back.html",
        f"Take back a move of {npc.npc_id}",
        npc=npc,
        entry=entry,
        standing=standing,
        after=round(after, 2),
        is_done=is_done,
        reason_length=MAX_REASON_LENGTH,
    )


@transaction.atomic
def scale_view(request: HttpRequest, world_id: int) -> HttpResponse:
    """The scale of a world. Of two people who save at once, the second sees what the first wrote."""
    worlds = lock_on_post(request, World.objects.select_related("tenant"))
    world: World = get_or_404(worlds, request.user, role=Role.OWNER, pk=world_id)
    scale = get_scale(tenant_id=world.tenant_id, world_id=world.pk)
    initial: dict[str, Any] = {
        "least": scale.least,
        "most": scale.most,
        "initial_value": scale.initial,
        "step_most": scale.step_most,
    }
    form = ScaleForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            set_scale(tenant_id=world.tenant_id, world_id=world.pk, scale=form.to_scale())
        except InvalidScale as error:
            form.add_error(None, error.detail)
        else:
            messages.success(request, f"The scale of {world} is set. Values that stand stay as they are.")
            return HttpResponseRedirect(reverse("admin:npcs_npc_changelist"))
    return show_page(request, "npc_scale.html", f"Scale of dispositions in {world}", world=world, form=form)


def _take_back(request: HttpRequest, npc: Npc, entry_id: int) -> HttpResponse:
    if request.POST.get("confirm", "").strip() != npc.npc_id:
        raise InvalidDispositionChange("Type the NPC's id to confirm.")
    compensation = compensate_disposition(
        tenant_id=npc.tenant_id,
        world_id=npc.world_id,
        npc_id=npc.npc_id,
        entry_id=entry_id,
        reason=request.POST.get("reason", ""),
        author=name_author(request),
    )
    messages.success(request, f"Taken back: {npc.npc_id} stands at {as_number(compensation.balance_after)} now.")
    return HttpResponseRedirect(reverse("admin:npc", args=[npc.pk]))
