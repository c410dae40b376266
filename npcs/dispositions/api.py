"""The ledger of dispositions: reading it, and taking a move back. There is no other write."""

from __future__ import annotations

from operator import attrgetter

from rest_framework.request import Request
from rest_framework.response import Response

from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import page_by_number, render_page
from memoryproject.rest.parameters import Parameters
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER, WORLD_CODES
from memoryproject.rest.shapes import cut_page
from npcs.dispositions.actions.moves import compensate_disposition
from npcs.dispositions.selectors import get_entry, list_ledger
from npcs.errors import AlreadyCompensated, PartyAndUser, UnknownDispositionEntry, UnknownNpc
from npcs.profiles.api import shapes
from npcs.profiles.api.npcs import read_towards
from npcs.profiles.api.rendering import render_entry
from npcs.profiles.selectors.profiles import get_profile
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView

BODY = Body(shapes.COMPENSATION_BODY)
PARAMETERS = Parameters(
    (
        shapes.PARTY_ID,
        shapes.USER_ID,
        *page_by_number(was="before"),
    ),
    exclusive=(("party_id", "user_id", PartyAndUser),),
)


class LedgerView(MachineView):
    """`npcs/{npc_id}/dispositions/history`."""

    scopes = {"GET": "read"}

    @operation(
        "npcs_disposition_history",
        "NPCs",
        shapes.Ledger,
        WORLD_CODES,
        UnknownNpc,
        path=(shapes.NPC_ID,),
        parameters=PARAMETERS,
    )
    def get(self, request: Request, npc_id: str) -> Response:
        """Read why an NPC stands as it does.

        All moves, newest first, or those towards one party or player.
        """
        values = self.values
        world = self.get_world()
        npc = get_profile(tenant_id=world.tenant_id, world_id=world.world_id, npc_id=npc_id)
        kind, towards_id = read_towards(values) or (None, "")
        limit = values["limit"]
        entries = list_ledger(
            tenant_id=world.tenant_id,
            npc_pk=npc.npc_pk,
            towards_kind=kind,
            towards_id=towards_id,
            before=values.get("cursor"),
            limit=limit + 1,
        )
        page, cursor = cut_page(entries, limit, attrgetter("id"))
        data = [render_entry(each) for each in page]
        return Response(render_page(data, cursor, was="entries", next_was="next_before"))


class CompensationsView(MachineView):
    """`npcs/{npc_id}/dispositions/compensations`."""

    scopes = {"POST": "engine"}

    @operation(
        "npcs_compensate",
        "NPCs",
        {
            201: reply(
                shapes.LedgerEntry,
                "The new move.",
                id=8,
                delta=-1,
                applied=-1,
                balance_after=1,
                reason="the wrong party",
                summary_id="",
                compensates=7,
                author="API key kq3v9x2m1a",
            )
        },
        WORLD_CODES,
        UnknownNpc,
        UnknownDispositionEntry,
        AlreadyCompensated,
        path=(shapes.NPC_ID,),
        headers=(IDEMPOTENCY_HEADER,),
        body=BODY,
        sent={"back": {"entry_id": 7, "reason": "the wrong party"}},
    )
    def post(self, request: Request, npc_id: str) -> Response:
        """Take a move of a disposition back.

        Adds a move that undoes what one move applied; both stay in the history.
        """
        body = self.body
        world = self.get_world()

        def write() -> Answer:
            entry = compensate_disposition(
                tenant_id=world.tenant_id,
                world_id=world.world_id,
                npc_id=npc_id,
                entry_id=body["entry_id"],
                reason=body["reason"],
                author=f"API key {self.caller.key_prefix}",
            )
            return Answer(201, render_entry(get_entry(tenant_id=world.tenant_id, entry_id=entry.pk)))

        return self.idempotent_response(world, body, write)
