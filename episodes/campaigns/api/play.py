"""What the engine tells of play: summaries of scenes, events between them, and who was told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.campaigns.actions.scenes import record_event, record_summary
from episodes.campaigns.api import examples, shapes
from episodes.campaigns.api.rendering import render_recorded_event, render_recorded_summary
from episodes.campaigns.core.schemas import build_event_schema, load_summary_schema
from episodes.campaigns.core.summaries import EventDraft, SummaryDraft, parse_event, parse_summary
from episodes.errors import InvalidWhen, UnknownCampaign
from episodes.npc_memory.actions import record_hearsay
from memoryproject.metrics import SUMMARIES
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import Handler, operation, reply
from memoryproject.rest.schemas import BODY_CODES, IDEMPOTENCY_HEADER, WORLD_CODES
from memoryproject.rest.times import read_time
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView
from tenancy.core.caller import WorldRef

TOLD = Body(shapes.TOLD_BODY)
PARSE_CODES = {**BODY_CODES, 400: {"parse_error": BODY_CODES[400]["parse_error"]}}


class SummariesView(MachineView):
    """`episodes/summaries`."""

    scopes = {"POST": "engine"}

    @operation(
        "summaries_post",
        "Play",
        {
            200: reply(shapes.RecordedSummary, "It was there already."),
            201: reply(
                shapes.RecordedSummary, "It is stored; this is what it changed.", created=True, embedding="queued"
            ),
        },
        PARSE_CODES,
        WORLD_CODES,
        UnknownCampaign,
        examples.CLOSED_CODES,
        examples.SUMMARY_CODES,
        headers=(IDEMPOTENCY_HEADER,),
        body=load_summary_schema(),
        sent={"a bargain": examples.SUMMARY_BODY},
    )
    def post(self, request: Request) -> Response:
        """Tell what happened in a scene.

        After a turn, at the end of a scene, or when something of weight happened in it. Summary, flags, loot, moved
        dispositions and who saw it are stored together or not at all. The campaign must exist; party, scene and
        players are made on their first mention. The same summary again changes nothing.
        """
        world = self.get_world()
        draft = parse_summary(request.data, now=timezone.now())
        return self.idempotent_response(world, request.data, lambda: self.store(world, draft))

    def store(self, world: WorldRef, draft: SummaryDraft) -> Answer:
        """Store a summary and say what it changed."""
        recorded = record_summary(tenant_id=world.tenant_id, world_id=world.world_id, draft=draft)
        SUMMARIES.labels(outcome="stored" if recorded.created else "repeated").inc()
        return Answer(201 if recorded.created else 200, render_recorded_summary(recorded))


class EventsView(MachineView):
    """`episodes/events`."""

    scopes = {"POST": "engine"}

    @operation(
        "events_post",
        "Play",
        {
            200: reply(shapes.RecordedEvent, "It was there already."),
            201: reply(shapes.RecordedEvent, "It is stored; this is what it changed.", created=True),
        },
        PARSE_CODES,
        WORLD_CODES,
        UnknownCampaign,
        examples.CLOSED_CODES,
        examples.EVENT_CODES,
        headers=(IDEMPOTENCY_HEADER,),
        body=build_event_schema(),
        sent={"a quest": examples.EVENT_BODY},
    )
    def post(self, request: Request) -> Response:
        """Tell of an event between scenes.

        A quest completed, an item found, a flag changed: told at once, with the flags that it sets. Without a party
        it concerns the whole campaign.
        """
        world = self.get_world()
        draft = parse_event(request.data, now=timezone.now())
        return self.idempotent_response(world, request.data, lambda: self.store(world, draft))

    def store(self, world: WorldRef, draft: EventDraft) -> Answer:
        """Store an event and say what it changed."""
        recorded = record_event(tenant_id=world.tenant_id, world_id=world.world_id, draft=draft)
        return Answer(201 if recorded.created else 200, render_recorded_event(recorded))


def _describe_hearsay(operation_id: str, *, is_deprecated: bool = False) -> Callable[[Handler], Handler]:
    return operation(
        operation_id,
        "Play",
        {
            200: reply(shapes.RecordedHearsay, "It knew already."),
            201: reply(shapes.RecordedHearsay, "It knows now.", created=True),
        },
        WORLD_CODES,
        examples.TOLD_CODES,
        headers=(IDEMPOTENCY_HEADER,),
        body=TOLD,
        sent={"hearsay": examples.TOLD_BODY},
        is_deprecated=is_deprecated,
    )


class RecordHearsayView(MachineView):
    """`episodes/hearsay`."""

    scopes = {"POST": "engine"}

    @_describe_hearsay("hearsay_post")
    def post(self, request: Request) -> Response:
        """Say that an NPC was told.

        From now on the NPC knows of a summary or an event where it was not. What an NPC was told within a scene
        belongs into `told` of that scene's summary.
        """
        return self.record()

    def record(self) -> Response:
        """Keep what the body tells. Raises what recording it raises."""
        body = self.body
        world = self.get_world()
        told_at = read_time(body, "when", InvalidWhen) or timezone.now()
        values: dict[str, Any] = {name: body.get(name) for name in ("summary_id", "event_id")}

        def write() -> Answer:
            told = record_hearsay(
                tenant_id=world.tenant_id,
                world_id=world.world_id,
                npc_id=body["npc_id"],
                source=body["source"],
                told_at=told_at,
                **values,
            )
            answer = {"npc_id": told.told.npc_id, "source": told.told.source, "created": told.created}
            return Answer(201 if told.created else 200, answer)

        return self.idempotent_response(world, body, write)


class ToldView(RecordHearsayView):
    """`episodes/told`: the old name of `episodes/hearsay`, until 1.0."""

    @_describe_hearsay("told_post", is_deprecated=True)
    def post(self, request: Request) -> Response:
        """Say that an NPC was told.

        The old name of `POST episodes/hearsay`, until 1.0.
        """
        return self.record()
