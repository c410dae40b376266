"""Checkpoints of a campaign, and going back to them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.campaigns.api.campaigns import CAMPAIGN_ID, CAMPAIGN_PROBLEMS
from episodes.errors import CampaignClosed, UnknownCampaign
from episodes.rollback import examples, shapes
from episodes.rollback.actions.checkpoints import create_checkpoint
from episodes.rollback.actions.rollbacks import RolledBack, roll_back
from episodes.rollback.rendering import render_checkpoint, render_rollback, render_rolled_back
from episodes.rollback.selectors import CheckpointView, list_checkpoints, list_rollbacks
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import page_by_number, render_page
from memoryproject.rest.parameters import Parameters
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER, WORLD_CODES
from memoryproject.rest.shapes import cut_page
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView

MAX_PAGE_SIZE = 100
DRY_RUN_REASON = "dry run"
"""Stands for the reason while nothing is kept."""
CHECKPOINT = Body(shapes.CHECKPOINT_BODY)
ROLLBACK = Body(shapes.ROLLBACK_BODY)
PAGE = Parameters(page_by_number(size=20, most=MAX_PAGE_SIZE, was="before"))


class CheckpointsView(MachineView):
    """`campaigns/{id}/checkpoints`."""

    scopes = {"GET": "read", "POST": "engine"}

    @operation(
        "checkpoints_list",
        "Play",
        reply(
            shapes.CheckpointList,
            "Newest first: those that were asked for, those of scenes that ended, those of rollbacks.",
        ),
        *CAMPAIGN_PROBLEMS,
        path=(CAMPAIGN_ID,),
        parameters=PAGE,
    )
    def get(self, request: Request, campaign_id: str) -> Response:
        """List a campaign's checkpoints."""
        values = self.values
        limit = values["limit"]
        world = self.get_world()
        place: dict[str, Any] = {"tenant_id": world.tenant_id, "world_id": world.world_id, "campaign_id": campaign_id}
        found = list_checkpoints(**place, before=values.get("cursor"), limit=limit + 1)
        page, cursor = cut_page(found, limit, lambda each: each.checkpoint.pk)
        data = [render_checkpoint(each) for each in page]
        return Response(render_page(data, cursor, was="checkpoints", next_was="next_before"))

    @operation(
        "checkpoints_create",
        "Play",
        {201: reply(shapes.Checkpoint, "The checkpoint.")},
        WORLD_CODES,
        UnknownCampaign,
        CampaignClosed,
        path=(CAMPAIGN_ID,),
        headers=(IDEMPOTENCY_HEADER,),
        body=CHECKPOINT,
        sent={"a checkpoint": {"label": "before the moon door"}},
    )
    def post(self, request: Request, campaign_id: str) -> Response:
        """Make a checkpoint.

        Marks where the campaign stands, as a saved game does. `rollback` goes back to it.
        """
        body = self.body
        world = self.get_world()

        def write() -> Answer:
            checkpoint = create_checkpoint(
                tenant_id=world.tenant_id,
                world_id=world.world_id,
                campaign_id=campaign_id,
                label=body["label"],
                author=f"API key {self.caller.key_prefix}",
            )
            return Answer(201, render_checkpoint(CheckpointView(checkpoint, is_current=True)))

        return self.idempotent_response(world, body, write)


class RollbackView(MachineView):
    """`campaigns/{id}/rollback`."""

    scopes = {"POST": "engine"}

    @operation(
        "campaigns_rollback",
        "Play",
        OpenApiResponse(
            shapes.RolledBack,
            description="What changed, or would change.",
            examples=[OpenApiExample("rollback", examples.ROLLED_BACK), OpenApiExample("dry run", examples.DRY_RUN)],
        ),
        WORLD_CODES,
        UnknownCampaign,
        examples.ROLLBACK_CODES,
        path=(CAMPAIGN_ID,),
        headers=(IDEMPOTENCY_HEADER,),
        body=ROLLBACK,
        sent={
            "dry run": {"checkpoint_id": 12, "dry_run": True},
            "rollback": {"checkpoint_id": 12, "reason": "the party loaded its saved game"},
        },
    )
    def post(self, request: Request, campaign_id: str) -> Response:
        """Take a campaign back to a checkpoint.

        What was told since is undone: summaries leave search and packs, flags and dispositions are as they were, by
        compensating moves of the ledger. Nothing is deleted; messages and facts about players stay. A rollback to
        `undo_checkpoint_id` undoes it. Ids of undone summaries and events may be told anew. With `dry_run`: what
        would change.
        """
        body = self.body
        world = self.get_world()
        dry_run = body.get("dry_run", False)

        def run() -> RolledBack:
            return roll_back(
                tenant_id=world.tenant_id,
                world_id=world.world_id,
                campaign_id=campaign_id,
                checkpoint_id=int(body["checkpoint_id"]),
                reason=body.get("reason", DRY_RUN_REASON),
                author=f"API key {self.caller.key_prefix}",
                dry_run=dry_run,
            )

        if dry_run:
            return Response(render_rolled_back(run()))
        return self.idempotent_response(world, body, lambda: Answer(200, render_rolled_back(run())))


class RollbacksView(MachineView):
    """`campaigns/{id}/rollbacks`."""

    scopes = {"GET": "read"}

    @operation(
        "rollbacks_list",
        "Play",
        reply(shapes.RollbackList, "Newest first, each with who took it and why."),
        *CAMPAIGN_PROBLEMS,
        path=(CAMPAIGN_ID,),
        parameters=PAGE,
    )
    def get(self, request: Request, campaign_id: str) -> Response:
        """List a campaign's rollbacks."""
        values = self.values
        limit = values["limit"]
        world = self.get_world()
        place: dict[str, Any] = {"tenant_id": world.tenant_id, "world_id": world.world_id, "campaign_id": campaign_id}
        found = list_rollbacks(**place, before=values.get("cursor"), limit=limit + 1)
        page, cursor = cut_page(found, limit, lambda each: each.rollback.pk)
        data = [render_rollback(each) for each in page]
        return Response(render_page(data, cursor, was="rollbacks", next_was="next_before"))
