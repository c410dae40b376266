"""Writing who an NPC is: the form, a new NPC, and what a version changed."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from knowledge.text.diff import DiffSpan, diff_words, has_changes
from npcs.actions import write_profile
from npcs.admin.access import get_npc_or_404, name_author
from npcs.admin.form import ProfileForm, content_of, initial_of
from npcs.core.profiles import StaticLayer, parse_profile
from npcs.errors import InvalidProfile, PersonaChanged, UnknownNpc
from npcs.models import Npc
from npcs.selectors import get_profile
from tenancy.admin.access import scope_to_tenants
from tenancy.admin.pages import show_page
from tenancy.models import World

DIFF_CONTEXT = 200


@dataclass(frozen=True, slots=True)
class FieldChange:
    """What one member of a profile was and is."""

    label: str
    spans: Sequence[DiffSpan]


@dataclass(frozen=True, slots=True)
class Target:
    """What is being written: an NPC at hand, or a new one in a world."""

    world: World
    npc: Npc | None = None

    @property
    def title(self) -> str:
        """The page's title."""
        return f"Edit {self.npc.npc_id}" if self.npc else f"A new NPC of {self.world}"


def edit_view(request: HttpRequest, npc_pk: int) -> HttpResponse:
    """The form of an NPC that is there."""
    npc = get_npc_or_404(request, npc_pk)
    return _write(request, Target(npc.world, npc))


def new_view(request: HttpRequest) -> HttpResponse:
    """The form of a new NPC in the world that `?world=` names."""
    worlds = list(scope_to_tenants(World.objects.select_related("tenant"), request.user).order_by("name", "pk"))
    wanted = request.GET.get("world", "")
    chosen = [world for world in worlds if str(world.pk) == wanted] if wanted else worlds[:1]
    if not chosen:
        raise Http404("There is nothing here.")
    return _write(request, Target(chosen[0]), worlds=worlds)


def version_view(request: HttpRequest, npc_pk: int, version: int) -> HttpResponse:
    """One version of the persona, and what it changed of the one before, word by word."""
    npc = get_npc_or_404(request, npc_pk)
    read = functools.partial(get_profile, tenant_id=npc.tenant_id, world_id=npc.world_id, npc_id=npc.npc_id)
    try:
        profile = read(version=version)
        before = read(version=version - 1).static if version > 1 else None
    except UnknownNpc as error:
        raise Http404(error.detail) from error
    return show_page(
        request,
        "npc_version.html",
        f"{profile.static.name}, version {version}",
        npc=npc,
        profile=profile,
        changes=compare_layers(before, profile.static) if before else [],
        is_newest=version == npc.persona_version,
        rows=list_members(profile.static),
    )


def list_members(static: StaticLayer) -> list[tuple[str, str]]:
    """The members of a profile with their words on the form, as its lines have them."""
    values = initial_of("", "", static)
    return [
        (str(field.label or name.capitalize()), values[name])
        for name, field in ProfileForm.base_fields.items()
        if name not in ("npc_id", "state")
    ]


def compare_layers(before: StaticLayer, after: StaticLayer) -> list[FieldChange]:
    """What changed between two versions; members that stayed are left out."""
    pairs = zip(list_members(before), list_members(after), strict=True)
    changes = [
        FieldChange(label, diff_words(old, new, context_characters=DIFF_CONTEXT)) for (label, old), (_, new) in pairs
    ]
    return [change for change in changes if has_changes(change.spans)]


def _write(request: HttpRequest, target: Target, *, worlds: Sequence[World] = ()) -> HttpResponse:
    version = target.npc.persona_version if target.npc else 0
    form = ProfileForm(request.POST or None, initial=_start(target))
    if target.npc is not None:
        form.fields["npc_id"].disabled = True
    newer: list[FieldChange] | None = None
    if request.method == "POST":
        version = _read_version(request)
        if form.is_valid():
            try:
                written = _save(request, target, form.cleaned_data, version)
            except InvalidProfile as error:
                form.show_profile_errors(error)
            except PersonaChanged as error:
                newer = _compare_with_newest(target, form.cleaned_data)
                newest = error.extra["persona_version"]
                return _show_form(request, target, form, version, worlds=worlds, newer=newer, newest=newest)
            else:
                return written
    return _show_form(request, target, form, version, worlds=worlds)


def _show_form(request: HttpRequest, target: Target, form: ProfileForm, version: int, **context: Any) -> HttpResponse:
    return show_page(
        request, "npc_edit.html", target.title, target=target, npc=target.npc, form=form, version=version, **context
    )


def _start(target: Target) -> dict[str, str]:
    if target.npc is None:
        return {"state": "active", "languages": "\n".join(target.world.languages)}
    profile = get_profile(tenant_id=target.npc.tenant_id, world_id=target.world.pk, npc_id=target.npc.npc_id)
    return initial_of(profile.npc_id, profile.state, profile.static)


def _read_version(request: HttpRequest) -> int:
    """The version that the writer has seen; that of the note, where they chose to save over it."""
    text = request.POST.get("onto") or request.POST.get("version", "")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _save(request: HttpRequest, target: Target, cleaned: dict[str, str], version: int) -> HttpResponse:
    written = write_profile(
        tenant_id=target.world.tenant_id,
        world_id=target.world.pk,
        profile=parse_profile(content_of(cleaned)),
        author=name_author(request),
        expected_version=version,
    )
    told = {
        "created": f"{written.npc_id} is there.",
        "changed": f"Saved. The persona has version {written.persona_version}.",
        "unchanged": "Nothing differed from what stands, so there is no new version.",
    }
    messages.success(request, told[written.outcome])
    npc = Npc.objects.get(tenant_id=target.world.tenant_id, world=target.world, npc_id=written.npc_id)
    return HttpResponseRedirect(reverse("admin:npc", args=[npc.pk]))


def _compare_with_newest(target: Target, cleaned: dict[str, str]) -> list[FieldChange]:
    """What saving the form over the newest version would change."""
    npc_id = target.npc.npc_id if target.npc else cleaned["npc_id"]
    newest = get_profile(tenant_id=target.world.tenant_id, world_id=target.world.pk, npc_id=npc_id)
    return compare_layers(newest.static, parse_profile(content_of(cleaned)).static)
