"""What a version of an NPC changed of the one before."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse

from knowledge.text.diff import DiffSpan, diff_words, has_changes
from memoryproject.admin.pages import show_page
from npcs.errors import UnknownNpc
from npcs.profiles.admin.access import get_npc_or_404
from npcs.profiles.admin.form import ProfileForm, initial_of
from npcs.profiles.core.profiles import StaticLayer
from npcs.profiles.selectors.profiles import get_profile

DIFF_CONTEXT = 200


@dataclass(frozen=True, slots=True)
class FieldChange:
    """What one member of a profile was and is."""

    label: str
    spans: Sequence[DiffSpan]


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
