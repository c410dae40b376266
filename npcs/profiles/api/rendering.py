"""NPCs as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from memoryproject.rest.shapes import fill
from memoryproject.times import render_time
from npcs.dispositions.selectors import LedgerEntry, Standing
from npcs.profiles.api import shapes
from npcs.profiles.core.profiles import FORM_VERSION
from npcs.profiles.selectors.profiles import ProfileView
from npcs.profiles.selectors.sheets import NpcSheet


def render_summary(profile: ProfileView) -> shapes.NpcSummary:
    """One NPC of a list."""
    return fill(
        shapes.NpcSummary,
        profile,
        name=profile.static.name,
        archetype=profile.static.archetype,
        updated_at=render_time(profile.created_at),
    )


def render_sheet(sheet: NpcSheet) -> dict[str, Any]:
    """An NPC in the form of `schemas/npc_profile.schema.json`, and what explains it; secrets only where they are.

    Of the dynamic layer it has the disposition: scenes are known to the app that keeps them.
    """
    profile = sheet.profile
    static = profile.static.as_content()
    rendered: dict[str, Any] = {
        "npc_id": profile.npc_id,
        "state": profile.state,
        "version": FORM_VERSION,
        "persona_version": profile.persona_version,
        "static": static,
        "dynamic": {"disposition": render_standing(sheet.standing)},
        "scale": None if sheet.standing is None else asdict(sheet.standing.scale),
        "last_changes": [] if sheet.standing is None else [render_entry(each) for each in sheet.standing.last_changes],
    }
    if sheet.has_secrets:
        rendered["retired_refs"] = list(sheet.retired_refs)
    else:
        del static["secrets"]
    return rendered


def render_standing(standing: Standing | None) -> dict[str, Any]:
    """The value towards one party or user; of nobody, nothing."""
    return {} if standing is None else {f"{standing.towards_kind}_id:{standing.towards_id}": standing.value}


def render_entry(entry: LedgerEntry) -> shapes.LedgerEntry:
    """One move of a disposition."""
    return fill(shapes.LedgerEntry, entry, entry_id=entry.id, towards=entry.towards_kind)
