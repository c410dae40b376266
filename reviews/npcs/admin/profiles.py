"""Writing who an NPC is: an edit, a new NPC, and an item of a draft request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from npcs.errors import InvalidProfile, PersonaChanged
from npcs.models import Npc
from npcs.profiles.admin.access import get_npc_or_404
from npcs.profiles.admin.form import ProfileForm, content_of, initial_of
from npcs.profiles.admin.versions import FieldChange, compare_layers
from npcs.profiles.core.profiles import Profile, StaticLayer, parse_profile
from reviews.admin.common import get_actor
from reviews.change_requests.models.changes import EDITABLE_STATES
from reviews.change_requests.selectors.items import get_item_version
from reviews.core.actor import Actor
from reviews.errors import ItemChanged
from reviews.models import NpcChangeItem
from reviews.npcs.actions.changes import find_npc, save_npc_item
from reviews.npcs.actions.writes import find_open_request, write_npc
from tenancy.admin.access import filter_by_tenants, get_or_404
from tenancy.models import NpcReview, World

WRITTEN = {
    "created": "{npc_id} is there.",
    "changed": "Saved. The persona has version {version}.",
    "unchanged": "Nothing differed from what stands, so there is no new version.",
}


@dataclass(frozen=True, slots=True)
class Target:
    """What is being written: an NPC at hand, a new one in a world, or an item of a draft request."""

    world: World
    actor: Actor
    npc: Npc | None = None
    item: NpcChangeItem | None = None

    @property
    def title(self) -> str:
        """The page's title."""
        if self.item is not None:
            return f"Edit {self.item.npc_id} in #{self.item.change_request_id}"
        return f"Edit {self.npc.npc_id}" if self.npc else f"A new NPC of {self.world}"

    @property
    def npc_id(self) -> str | None:
        """The id that can't be changed any more."""
        if self.item is not None:
            return self.item.npc_id
        return self.npc.npc_id if self.npc else None

    @property
    def is_reviewed(self) -> bool:
        """Whether a save becomes a change request."""
        return self.item is not None or self.world.npc_review == NpcReview.ON


def edit_npc_view(request: HttpRequest, npc_pk: int) -> HttpResponse:
    """The form of an NPC that is there; on to the person's own draft of it, if there is one."""
    npc = get_npc_or_404(request, npc_pk)
    target = Target(npc.world, get_actor(request, npc.tenant_id), npc)
    if target.is_reviewed and request.method == "GET":
        mine = find_open_request(actor=target.actor, world_id=npc.world_id, npc_id=npc.npc_id)
        if mine is not None and mine.change_request.state in EDITABLE_STATES:
            messages.info(request, "You have a draft of this NPC already: here it is.")
            return HttpResponseRedirect(reverse("admin:edit_npc_item", args=[mine.change_request_id, mine.pk]))
    return _write(request, target)


def new_npc_view(request: HttpRequest) -> HttpResponse:
    """The form of a new NPC in the world that `?world=` names."""
    worlds = list(filter_by_tenants(World.objects.select_related("tenant"), request.user).order_by("name", "pk"))
    wanted = request.GET.get("world", "")
    chosen = [world for world in worlds if str(world.pk) == wanted] if wanted else worlds[:1]
    if not chosen:
        raise Http404("There is nothing here.")
    return _write(request, Target(chosen[0], get_actor(request, chosen[0].tenant_id)), worlds=worlds)


def edit_npc_item_view(request: HttpRequest, request_id: int, item_id: int) -> HttpResponse:
    """The form of an NPC in a draft request."""
    items = NpcChangeItem.objects.select_related("change_request__domain_index__world")
    item: NpcChangeItem = get_or_404(items, request.user, pk=item_id, change_request_id=request_id)
    world = item.change_request.domain_index.world
    return _write(request, Target(world, get_actor(request, item.tenant_id), item=item))


def _write(request: HttpRequest, target: Target, *, worlds: Sequence[World] = ()) -> HttpResponse:
    start, version = _start(target)
    form = ProfileForm(request.POST or None, initial=start)
    if target.npc_id is not None:
        form.fields["npc_id"].disabled = True
    context: dict[str, Any] = {"worlds": worlds, "version": version}
    if request.method == "POST":
        context["version"] = _read_version(request)
        if form.is_valid():
            try:
                return _save(request, target, parse_profile(content_of(form.cleaned_data)), context["version"])
            except InvalidProfile as error:
                form.show_profile_errors(error)
            except PersonaChanged as error:
                context |= {
                    "newer": _compare(_find_current(target, form.cleaned_data), form.cleaned_data),
                    "newest": error.extra["persona_version"],
                }
            except ItemChanged:
                stored = NpcChangeItem.objects.get(pk=target.item.pk) if target.item else None
                if stored is not None:
                    context |= {
                        "newer": _compare(parse_profile(stored.content).static, form.cleaned_data),
                        "newest_item": get_item_version(stored),
                    }
            except DomainError as error:
                form.add_error(None, error.detail)
    return _show_form(request, target, form, **context)


def _show_form(request: HttpRequest, target: Target, form: ProfileForm, **context: Any) -> HttpResponse:
    item_version = request.POST.get("item_version") or (get_item_version(target.item) if target.item else "")
    return show_page(
        request,
        "npc_edit.html",
        target.title,
        target=target,
        npc=target.npc,
        form=form,
        item_version=item_version,
        **context,
    )


def _start(target: Target) -> tuple[dict[str, str], int]:
    """The form's first values, and the version of the persona that they began from."""
    if target.item is not None:
        profile = parse_profile(target.item.content)
        return initial_of(profile.npc_id, profile.state, profile.static), target.item.base_version
    if target.npc is None:
        return {"state": "active", "languages": "\n".join(target.world.languages)}, 0
    current = find_npc(tenant_id=target.npc.tenant_id, world_id=target.world.pk, npc_id=target.npc.npc_id)
    if current is None:
        raise Http404("There is nothing here.")
    return initial_of(current.npc_id, current.state, current.static), current.persona_version


def _read_version(request: HttpRequest) -> int:
    """The version that the writer has seen; that of the note, where they chose to save over it."""
    text = request.POST.get("onto") or request.POST.get("version", "")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _save(request: HttpRequest, target: Target, profile: Profile, version: int) -> HttpResponse:
    if target.item is not None:
        item = save_npc_item(
            actor=target.actor,
            change_request_id=target.item.change_request_id,
            profile=profile,
            base_version=version,
            item_id=target.item.pk,
            expected_item_version=request.POST.get("onto_item") or request.POST.get("item_version", ""),
        )
        messages.success(request, f"Saved in change request #{item.change_request_id}. Submit it when it is ready.")
        return HttpResponseRedirect(reverse("admin:change_request", args=[item.change_request_id]))
    written = write_npc(
        actor=target.actor,
        world_id=target.world.pk,
        profile=profile,
        expected_version=version,
        is_draft=True,
        description=request.POST.get("description", ""),
    )
    if written.change_request_id is not None:
        messages.success(
            request, f"Saved in change request #{written.change_request_id}. Submit it: someone else must approve it."
        )
        return HttpResponseRedirect(reverse("admin:change_request", args=[written.change_request_id]))
    messages.success(request, WRITTEN[written.outcome].format(npc_id=written.npc_id, version=written.persona_version))
    npc = Npc.objects.get(tenant_id=target.world.tenant_id, world=target.world, npc_id=written.npc_id)
    return HttpResponseRedirect(reverse("admin:npc", args=[npc.pk]))


def _find_current(target: Target, cleaned: dict[str, str]) -> StaticLayer:
    npc_id = target.npc_id or cleaned["npc_id"]
    current = find_npc(tenant_id=target.world.tenant_id, world_id=target.world.pk, npc_id=npc_id)
    return current.static if current else StaticLayer(name="")


def _compare(stands: StaticLayer, cleaned: dict[str, str]) -> list[FieldChange]:
    """What saving the form over what stands would change."""
    return compare_layers(stands, parse_profile(content_of(cleaned)).static)
