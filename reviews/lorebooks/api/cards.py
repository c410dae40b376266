"""NPCs as character cards by REST: JSON, a picture, and what a card cannot say."""

from __future__ import annotations

import hashlib

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.files import LoreFile, write_png_file
from knowledge.lorebooks.json_text import render_json
from knowledge.lorebooks.losses import Outcome
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import ChoiceParameter, Parameters, TextParameter
from memoryproject.rest.schemas import WORLD_CODES
from npcs.errors import UnknownNpc
from npcs.profiles.core.ids import MAX_NPC_ID_LENGTH, NPC_ID_PATTERN
from npcs.profiles.core.profiles import StaticLayer
from npcs.profiles.selectors.profiles import get_profile
from reviews.lorebooks.api import shapes
from reviews.lorebooks.api.rendering import describe_file, render_report
from reviews.lorebooks.npc_cards import build_npc_card, convert_npc_card
from tenancy.api.views import MachineView
from tenancy.errors import ScopeMissing
from tenancy.selectors import check_scope

VERSIONS = (FileFormat.CARD_V3, FileFormat.CARD_V2)
NPC_ID = TextParameter("npc_id", "The engine's id of the NPC.", "li-shen", MAX_NPC_ID_LENGTH, NPC_ID_PATTERN)
TARGET = ChoiceParameter(
    "target", "The version of the format; a picture carries both.", "card_v2", tuple(each.value for each in VERSIONS)
)
SECRETS = ChoiceParameter(
    "secrets",
    "`true`: what the NPC alone may know and its secrets, too. It takes a key with the scope `editor`.",
    "false",
    ("true", "false"),
)
PARAMETERS = Parameters((TARGET, SECRETS))
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The `ETag` of the last answer: 304 without a body where nothing changed.",
    examples=[OpenApiExample("example", '"5f2a90c1d3e4b687"')],
)
CODES = (UnknownNpc, ScopeMissing)
NOT_CHANGED = OpenApiResponse(description="Nothing changed since the `ETag` that was sent.")


class NpcCardView(MachineView):
    """`cards/{npc_id}.json`."""

    @operation(
        "cards_export",
        "Lorebooks",
        {200: describe_file("The card.", shapes.CARD), 304: NOT_CHANGED},
        WORLD_CODES,
        CODES,
        path=(NPC_ID,),
        parameters=PARAMETERS,
        headers=(IF_NONE_MATCH,),
    )
    def get(self, request: Request, npc_id: str) -> HttpResponse:
        """Read an NPC as a character card.

        The public profile as Character Card V3 or V2, with the public lore that the profile names as its book: the
        file itself, to be saved. `X-Lorebook-Losses` counts what a card cannot say, `cards/{npc_id}/losses` lists it.
        """
        file, target, static = read_card_of(self, npc_id)
        converted = convert_npc_card(file, target, static)
        losses = sum(loss.outcome is not Outcome.KEPT for loss in converted.losses)
        return answer_file(request, render_json(converted.document), "application/json", f"{npc_id}.json", losses)


class NpcCardPictureView(MachineView):
    """`cards/{npc_id}.png`."""

    @operation(
        "cards_export_picture",
        "Lorebooks",
        {(200, "image/png"): OpenApiResponse(OpenApiTypes.BINARY, description="The picture."), 304: NOT_CHANGED},
        WORLD_CODES,
        CODES,
        path=(NPC_ID,),
        parameters=PARAMETERS,
        headers=(IF_NONE_MATCH,),
    )
    def get(self, request: Request, npc_id: str) -> HttpResponse:
        """Read an NPC as a card in a picture.

        As `cards/{npc_id}.json`, in a PNG with the chunks `chara` (V2) and `ccv3` (V3).
        """
        file, target, static = read_card_of(self, npc_id)
        losses = sum(loss.outcome is not Outcome.KEPT for loss in convert_npc_card(file, target, static).losses)
        return answer_file(request, write_png_file(file, target), "image/png", f"{npc_id}.png", losses)


class NpcCardLossesView(MachineView):
    """`cards/{npc_id}/losses`."""

    @operation(
        "cards_losses",
        "Lorebooks",
        reply(shapes.LorebookReport, "Losses and tokens.", format="card_v3"),
        WORLD_CODES,
        CODES,
        path=(NPC_ID,),
        parameters=PARAMETERS,
    )
    def get(self, request: Request, npc_id: str) -> Response:
        """See what an NPC's card cannot say.

        The loss report of the card with the same parameters, and the tokens of its book.
        """
        file, target, static = read_card_of(self, npc_id)
        return Response(render_report(convert_npc_card(file, target, static), file))


def read_card_of(view: MachineView, npc_id: str) -> tuple[LoreFile, FileFormat, StaticLayer]:
    """The card that the parameters ask for, its version, and the profile. Secrets are for keys with `editor`."""
    values = view.values
    has_secrets = values.get("secrets") == "true"
    if has_secrets:
        check_scope(view.caller, "editor")
    world = view.get_world()
    profile = get_profile(tenant_id=world.tenant_id, world_id=world.world_id, npc_id=npc_id)
    file = build_npc_card(profile, world_id=world.world_id, has_secrets=has_secrets)
    target = FileFormat(values.get("target", VERSIONS[0].value))
    return file, target, profile.static


def answer_file(request: Request, content: bytes, content_type: str, name: str, losses: int) -> HttpResponse:
    """The file to be saved, or 304 where the caller has it."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    sent = [each.strip().removeprefix("W/") for each in request.headers.get("If-None-Match", "").split(",")]
    if tag in sent:
        answer = HttpResponse(status=304)
    else:
        answer = HttpResponse(content, content_type=content_type)
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        answer["X-Lorebook-Losses"] = str(losses)
    answer["ETag"] = tag
    return answer
