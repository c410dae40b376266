"""An NPC's page: who it is, how it stands towards whom, and the scene behind each step."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from episodes.npc_memory.selectors.disposition_history import chart_reasons, list_disposition_history
from memoryproject.admin.pages import show_page
from memoryproject.rest.parameters import WHOLE_NUMBER
from npcs.dispositions.core.moves import MAX_ID_LENGTH, Towards
from npcs.dispositions.selectors import get_scale, list_standings
from npcs.profiles.admin.access import get_npc_or_404
from npcs.profiles.selectors.lore import list_refs
from npcs.profiles.selectors.profiles import get_profile, list_personas
from npcs.profiles.selectors.relations import list_active_npc_ids
from tenancy.admin.access import has_role
from tenancy.models import Role

MOVES_SHOWN = 100
STANDINGS_SHOWN = 50


def npc_view(request: HttpRequest, npc_pk: int) -> HttpResponse:
    """All of it. How an NPC stands towards single players is for those who may see players."""
    npc = get_npc_or_404(request, npc_pk)
    profile = get_profile(tenant_id=npc.tenant_id, world_id=npc.world_id, npc_id=npc.npc_id)
    scale = get_scale(tenant_id=npc.tenant_id, world_id=npc.world_id)
    sees_players = has_role(request.user, npc.tenant_id, Role.REVIEWER)
    towards = _read_towards(request, sees_players=sees_players)
    before = request.GET.get("before", "")
    page = list_disposition_history(
        tenant_id=npc.tenant_id,
        world_id=npc.world_id,
        npc_pk=npc.pk,
        towards=towards,
        with_users=sees_players,
        before=int(before) if WHOLE_NUMBER.fullmatch(before) and len(before) < 19 else None,
        limit=MOVES_SHOWN,
    )
    standings = list_standings(tenant_id=npc.tenant_id, npc_pk=npc.pk, with_users=sees_players, limit=STANDINGS_SHOWN)
    return show_page(
        request,
        "npc.html",
        profile.static.name,
        npc=npc,
        profile=profile,
        static=profile.static,
        refs=list_refs(world_id=npc.world_id, slugs=profile.static.lore_refs),
        scale=scale,
        standings=standings,
        known_npcs=list_active_npc_ids(
            tenant_id=npc.tenant_id,
            world_id=npc.world_id,
            npc_ids=[each.npc_id for each in profile.static.relations],
        ),
        sees_players=sees_players,
        towards=towards,
        page=page,
        chart=chart_reasons(page.reasons, scale),
        personas=list_personas(tenant_id=npc.tenant_id, npc_pk=npc.pk),
        may_own=has_role(request.user, npc.tenant_id, Role.OWNER),
    )


def _read_towards(request: HttpRequest, *, sees_players: bool) -> tuple[Towards, str] | None:
    kind, _, towards_id = request.GET.get("towards", "").partition(":")
    if not towards_id or len(towards_id) > MAX_ID_LENGTH or "\x00" in towards_id:
        return None
    if kind == "party":
        return "party", towards_id
    return ("user", towards_id) if kind == "user" and sees_players else None
