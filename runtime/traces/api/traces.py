"""Traces: what turns were made of, once more and now, and feedback on them."""

from __future__ import annotations

import datetime as dt
import uuid

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.errors import InvalidSince, InvalidUntil
from knowledge.errors import FactKeysMissing
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import UUID_PATTERN, page_by_text, render_page
from memoryproject.rest.parameters import ChoiceParameter, Parameters, TextParameter, describe_uuid
from memoryproject.rest.schemas import WORLD_CODES
from memoryproject.rest.shapes import cut_page
from memoryproject.rest.times import read_time
from runtime.errors import InvalidFeedback, UnknownTrace
from runtime.traces.actions.feedback import give_feedback
from runtime.traces.api import shapes
from runtime.traces.api.rendering import render_feedback, render_quality, render_replay, render_summary, render_trace
from runtime.traces.selectors.replay import replay_trace
from runtime.traces.selectors.traces import OpenedTrace, TraceFilters, get_trace, list_traces, measure_retrieval
from tenancy.api.views import MachineView
from tenancy.core.caller import WorldRef

QUALITY_DAYS = 30
TIMES = (
    TextParameter("since", "Only of that time or later, with offset.", "2026-01-01T00:00:00Z", 40),
    TextParameter("until", "Only from before that time, with offset.", "2027-01-01T00:00:00Z", 40),
)
LIST = Parameters(
    (
        TextParameter("user_id", "Only of this player.", "player-1", 200),
        TextParameter("session_id", "Only of this play session.", "session-abc123", 200),
        TextParameter("npc_id", "Only of this NPC.", "oda-marr", 120),
        ChoiceParameter("kind", "Only packs, or only answers.", "chat", ("pack", "chat")),
        ChoiceParameter("degraded", "Only turns that had to do without something, or none of them.", "true",
                        ("true", "false")),
        *TIMES,
        *page_by_text(example=shapes.SUMMARY["trace_id"], max_length=36, pattern=UUID_PATTERN, was="before"),
    )
)  # fmt: skip
QUALITY = Parameters(TIMES)
FEEDBACK = Body(shapes.FEEDBACK_BODY)
TRACE_ID = describe_uuid("trace_id", shapes.SUMMARY["trace_id"])


class TracesView(MachineView):
    """`traces`."""

    scopes = {"GET": "engine"}

    @operation(
        "traces_list", "Traces", reply(shapes.TraceList, "The traces."), WORLD_CODES, shapes.TIME_CODES, parameters=LIST
    )
    def get(self, request: Request) -> Response:
        """List traces.

        The packs and answers of a world, newest first, without their words.
        """
        values = self.values
        limit = values.pop("limit")
        world = self.get_world()
        filters = TraceFilters(
            **{name: values[name] for name in ("user_id", "session_id", "npc_id", "kind") if name in values},
            degraded=values["degraded"] == "true" if "degraded" in values else None,
            since=read_time(values, "since", InvalidSince),
            until=read_time(values, "until", InvalidUntil),
            before=uuid.UUID(values["cursor"]) if "cursor" in values else None,
        )
        found = list_traces(tenant_id=world.tenant_id, world_id=world.world_id, filters=filters, limit=limit + 1)
        page, cursor = cut_page(found, limit, lambda each: str(each.pk))
        data = [render_summary(each) for each in page]
        return Response(render_page(data, cursor, was="traces", next_was="next_before"))


class TraceView(MachineView):
    """`traces/{id}`."""

    scopes = {"GET": "engine"}

    @operation(
        "traces_get",
        "Traces",
        reply(shapes.Trace, "The trace."),
        WORLD_CODES,
        UnknownTrace,
        FactKeysMissing,
        path=(TRACE_ID,),
    )
    def get(self, request: Request, trace_id: uuid.UUID) -> Response:
        """Read a trace.

        What was asked, found, told, cut and said, and what it cost. Once a message that it names is forgotten, the
        words are gone and the rest stays.
        """
        world = self.get_world()
        return Response(render_trace(open_for(world, trace_id)))


def open_for(world: WorldRef, trace_id: uuid.UUID) -> OpenedTrace:
    """The world's trace, as far as the key may read it. Raises UnknownTrace, FactKeysMissing."""
    return get_trace(tenant_id=world.tenant_id, world_id=world.world_id, trace_id=trace_id, is_bound=world.is_bound)


class TraceReplayView(MachineView):
    """`traces/{id}/replay`."""

    scopes = {"GET": "engine"}

    @operation(
        "traces_replay",
        "Traces",
        reply(shapes.Replay, "Both looks."),
        WORLD_CODES,
        UnknownTrace,
        FactKeysMissing,
        path=(TRACE_ID,),
    )
    def get(self, request: Request, trace_id: uuid.UUID) -> Response:
        """Replay a trace.

        The pack as of then, rebuilt: canon is searched again in the release that was read, all else is taken as it
        was recorded. Then the same turn as it would be now, and what differs. Nothing is written.
        """
        world = self.get_world()
        opened = open_for(world, trace_id)
        return Response(render_replay(replay_trace(opened, is_world_bound=world.is_bound)))


class TraceFeedbackView(MachineView):
    """`traces/{id}/feedback`."""

    scopes = {"POST": "engine"}

    @operation(
        "traces_give_feedback",
        "Traces",
        {200: reply(shapes.Feedback, "It was said before."), 201: reply(shapes.Feedback, "It counts now.")},
        WORLD_CODES,
        UnknownTrace,
        InvalidFeedback,
        path=(TRACE_ID,),
        body=FEEDBACK,
        sent={"feedback": {"used_item_ids": ["lore:88"], "thumb": "up"}},
    )
    def post(self, request: Request, trace_id: uuid.UUID) -> Response:
        """Say what an answer used and how good it was.

        The newest feedback of a trace counts; the same again changes nothing.
        """
        body = self.body
        world = self.get_world()
        feedback, is_new = give_feedback(
            tenant_id=world.tenant_id,
            world_id=world.world_id,
            trace_id=trace_id,
            used_item_ids=body["used_item_ids"],
            thumb=body.get("thumb", ""),
            note=body.get("note", ""),
            given_by=f"key {self.caller.key_prefix}",
        )
        return Response(render_feedback(feedback), status=201 if is_new else 200)


class TraceQualityView(MachineView):
    """`traces/quality`."""

    scopes = {"GET": "engine"}

    @operation(
        "traces_quality",
        "Traces",
        reply(shapes.Quality, "The figures."),
        WORLD_CODES,
        shapes.TIME_CODES,
        parameters=QUALITY,
        description=f"By layer, from the newest feedback of each trace; of the last {QUALITY_DAYS} days unless told "
        "otherwise.",
    )
    def get(self, request: Request) -> Response:
        """See how much of what is told gets used."""
        values = self.values
        world = self.get_world()
        until = read_time(values, "until", InvalidUntil) or timezone.now()
        since = read_time(values, "since", InvalidSince) or timezone.now() - dt.timedelta(days=QUALITY_DAYS)
        quality = measure_retrieval(tenant_id=world.tenant_id, world_id=world.world_id, since=since, until=until)
        return Response(render_quality(quality))
