"""The end of a scene, what NPCs told each other, and taking that back."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from rest_framework.request import Request
from rest_framework.response import Response
from typing_extensions import TypedDict

from episodes.campaigns.api.campaigns import CAMPAIGN_ID, CAMPAIGN_PROBLEMS, describe_id
from episodes.campaigns.api.shapes import PLAY_ID
from episodes.errors import CampaignClosed, UnknownCampaign, UnknownHearsay, UnknownScene
from episodes.models import NpcTold
from episodes.rollback.models import MAX_ROLLBACK_REASON_LENGTH
from episodes.sharing.actions import end_scene, revoke_hearsay
from episodes.sharing.selectors import list_hearsay
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import form, text
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import NEXT_CURSOR, page_by_number, render_page
from memoryproject.rest.parameters import MAX_ID, ChoiceParameter, NumberParameter, Parameters, TextParameter
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER, WORLD_CODES
from memoryproject.rest.shapes import fill
from memoryproject.rest.typed_dicts import Time, deprecated, member
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView

MAX_PAGE_SIZE = 100
REVOKE_BODY: dict[str, Any] = form({"reason": text(MAX_ROLLBACK_REASON_LENGTH)})
REVOKE = Body(REVOKE_BODY)
PAGE = Parameters(
    (
        TextParameter("npc_id", "Only what this NPC was told.", "npc_Oda", 120, pattern=PLAY_ID["pattern"]),
        ChoiceParameter("shared", "Only what NPCs passed on, or only what the engine told.", "true", ("true", "false")),
        *page_by_number(size=20, most=MAX_PAGE_SIZE, was="before"),
    )
)
HEARSAY_ID = NumberParameter("hearsay_id", "As the list tells it.", 41, 1, MAX_ID)


class Hearsay(TypedDict):
    """What an NPC was told."""

    hearsay_id: Annotated[int, member(41)]
    npc_id: Annotated[str, member("npc_Oda")]
    source: Annotated[str, member("npc_LiShen", "Who told it.")]
    summary_id: Annotated[str | None, member("sum_2025_08_27_0142")]
    event_id: Annotated[str | None, member(None)]
    hop: Annotated[int, member(1, "0: the engine said so. Else how far NPCs passed it on, 2 at most.")]
    is_rumour: Annotated[bool, member(False, "It sets no flags for the NPC.")]
    scene_end: Annotated[str | None, member("scn_042", "The scene at whose end it was passed on.")]
    told_at: Annotated[Time, member("2025-08-27T12:20:00Z")]
    state: Annotated[
        str, member("known", "`undone`: a rollback left its line.", choices=("known", "revoked", "undone"))
    ]
    revoked_by: Annotated[str, member("")]
    revoked_reason: Annotated[str, member("")]


class HearsayList(TypedDict):
    """Tellings, newest first."""

    data: list[Hearsay]
    next_cursor: Annotated[int | None, member(None, NEXT_CURSOR)]
    hearsay: NotRequired[Annotated[list[Hearsay], deprecated("data")]]
    next_before: NotRequired[Annotated[int | None, deprecated("next_cursor")]]


class EndedScene(TypedDict):
    """The end of a scene."""

    scene_id: Annotated[str, member("scn_042")]
    checkpoint_id: Annotated[int, member(14, "A rollback to it goes back to before NPCs passed anything on.")]
    created: Annotated[bool, member(False, "False: the scene had ended before.")]
    shared: Annotated[
        list[Hearsay], member(description="What NPCs told each other, as their profiles' `relations` say.")
    ]


class Revoked(TypedDict):
    """What was taken back."""

    revoked: Annotated[
        list[Hearsay], member(description="The telling and what was passed on of it; empty for a repeat.")
    ]


class SceneEndView(MachineView):
    """`campaigns/{id}/scenes/{scene_id}/end`."""

    scopes = {"POST": "engine"}

    @operation(
        "scenes_end",
        "Play",
        {200: reply(EndedScene, "It had ended before."), 201: reply(EndedScene, "It is over.", created=True)},
        WORLD_CODES,
        UnknownCampaign,
        UnknownScene,
        CampaignClosed,
        path=(CAMPAIGN_ID, describe_id("scene_id", "scn_042")),
        headers=(IDEMPOTENCY_HEADER,),
    )
    def post(self, request: Request, campaign_id: str, scene_id: str) -> Response:
        """End a scene.

        Makes a checkpoint, and lets NPCs tell each other what they learned, as the `relations` of their profiles say.
        It happens by itself when the party's next scene begins. Once for each scene.
        """
        world = self.get_world()

        def write() -> Answer:
            ended = end_scene(
                tenant_id=world.tenant_id,
                world_id=world.world_id,
                campaign_id=campaign_id,
                scene_id=scene_id,
                author=f"API key {self.caller.key_prefix}",
            )
            answer = {
                "scene_id": scene_id,
                "checkpoint_id": ended.checkpoint.pk,
                "created": ended.created,
                "shared": [render_hearsay(row, scene_end=scene_id) for row in ended.shares],
            }
            return Answer(201 if ended.created else 200, answer)

        return self.idempotent_response(world, None, write)


class HearsayView(MachineView):
    """`campaigns/{id}/hearsay`."""

    scopes = {"GET": "read"}

    @operation(
        "hearsay_list",
        "Play",
        reply(HearsayList, "Tellings."),
        *CAMPAIGN_PROBLEMS,
        path=(CAMPAIGN_ID,),
        parameters=PAGE,
    )
    def get(self, request: Request, campaign_id: str) -> Response:
        """List what NPCs were told.

        By the engine or by each other, newest first, taken back or not.
        """
        values = self.values
        if "shared" in values:
            values["shared"] = values["shared"] == "true"
        world = self.get_world()
        before = values.pop("cursor", None)
        page = list_hearsay(
            tenant_id=world.tenant_id, world_id=world.world_id, campaign_id=campaign_id, before=before, **values
        )
        data = [render_hearsay(row) for row in page.rows]
        return Response(render_page(data, page.next_before, was="hearsay", next_was="next_before"))


class HearsayRevokeView(MachineView):
    """`campaigns/{id}/hearsay/{hearsay_id}/revoke`."""

    scopes = {"POST": "engine"}

    @operation(
        "hearsay_revoke",
        "Play",
        Revoked,
        WORLD_CODES,
        UnknownCampaign,
        UnknownHearsay,
        path=(CAMPAIGN_ID, HEARSAY_ID),
        headers=(IDEMPOTENCY_HEADER,),
        body=REVOKE,
        sent={"back": {"reason": "a secret"}},
    )
    def post(self, request: Request, campaign_id: str, hearsay_id: str) -> Response:
        """Take a telling back.

        The NPC does not know it any more, nor whoever heard it from that NPC. The row stays, marked.
        """
        body = self.body
        world = self.get_world()

        def write() -> Answer:
            revoked = revoke_hearsay(
                tenant_id=world.tenant_id,
                world_id=world.world_id,
                campaign_id=campaign_id,
                hearsay_id=_read_number(hearsay_id, campaign_id),
                reason=body["reason"],
                author=f"API key {self.caller.key_prefix}",
            )
            return Answer(200, {"revoked": [render_hearsay(row) for row in revoked]})

        return self.idempotent_response(world, body, write)


def _read_number(hearsay_id: str, campaign_id: str) -> int:
    """The number in the path: no campaign has a telling of another name. Raises UnknownHearsay."""
    if not (hearsay_id.isascii() and hearsay_id.isdigit()) or int(hearsay_id) > MAX_ID:
        raise UnknownHearsay(f"The campaign {campaign_id!r} has no telling {hearsay_id}.")
    return int(hearsay_id)


def render_hearsay(row: NpcTold, *, scene_end: str | None = None) -> Hearsay:
    """One telling."""
    end = None if row.shared_at is None else row.shared_at.scene
    return fill(
        Hearsay,
        row,
        hearsay_id=row.pk,
        summary_id=None if row.summary is None else row.summary.summary_id,
        event_id=None if row.event is None else row.event.event_id,
        scene_end=scene_end or (None if end is None else end.external_id),
        state="undone" if row.undone_by_id else "revoked" if row.revoked_at else "known",
    )
