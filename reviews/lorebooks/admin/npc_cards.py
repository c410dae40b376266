"""An NPC as a character card: what the card says, what it cannot, and the files."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.files import write_png_file
from knowledge.lorebooks.json_text import render_json
from memoryproject.admin.flash import flash_error
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from npcs.profiles.admin.access import get_npc_or_404
from npcs.profiles.selectors.profiles import get_profile
from reviews.lorebooks.admin.common import answer_download, describe_losses
from reviews.lorebooks.npc_cards import build_npc_card, convert_npc_card

PICTURE = "png"
DOWNLOADS = (PICTURE, FileFormat.CARD_V3.value, FileFormat.CARD_V2.value)


def npc_card_view(request: HttpRequest, npc_pk: int) -> HttpResponse:
    """The loss report and what goes into the card; with `download` the file. Secrets only where they are asked for."""
    npc = get_npc_or_404(request, npc_pk)
    has_secrets = request.GET.get("secrets") == "on"
    profile = get_profile(tenant_id=npc.tenant_id, world_id=npc.world_id, npc_id=npc.npc_id)
    shown: dict[str, Any] = {}
    try:
        file = build_npc_card(profile, world_id=npc.world_id, has_secrets=has_secrets)
        converted = convert_npc_card(file, FileFormat.CARD_V3, profile.static)
        wanted = request.GET.get("download")
        if wanted == PICTURE:
            return answer_download(write_png_file(file, FileFormat.CARD_V3), "image/png", f"{npc.npc_id}.png")
        if wanted in DOWNLOADS:
            document = convert_npc_card(file, FileFormat(wanted)).document
            return answer_download(render_json(document), "application/json", f"{npc.npc_id}.json")
        shown = describe_losses(file, converted.losses)
    except DomainError as error:
        flash_error(request, error)
    return show_page(
        request,
        "npc_card.html",
        f"{profile.static.name} as a card",
        npc=npc,
        profile=profile,
        has_secrets=has_secrets,
        **shown,
    )
