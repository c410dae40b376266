"""Play as JSON, the same by REST and by MCP."""

from __future__ import annotations

from itertools import islice

from episodes.campaigns.actions.flags import FlagMove
from episodes.campaigns.actions.scenes import RecordedEvent, RecordedSummary
from episodes.campaigns.api import shapes
from episodes.campaigns.core.summaries import render_flags
from episodes.campaigns.selectors.campaigns import CampaignView, PartyState, SummaryView
from episodes.campaigns.selectors.events import EventView
from episodes.campaigns.selectors.flags import FlagView
from episodes.campaigns.selectors.search import SummaryHit, SummarySearchResult
from memoryproject.rest.shapes import fill
from memoryproject.times import render_time
from npcs.dispositions.core.moves import AppliedDisposition

FLAGS_TOLD = 12
"""So many flags a model is told, those set last: as many as a context pack holds."""


def render_campaign(view: CampaignView) -> shapes.Campaign:
    """One campaign."""
    campaign = view.campaign
    return fill(
        shapes.Campaign,
        campaign,
        campaign_id=campaign.external_id,
        parties=list(view.parties),
        summary_count=view.summary_count,
        event_count=view.event_count,
    )


def render_recorded_summary(recorded: RecordedSummary) -> shapes.RecordedSummary:
    """What a summary changed."""
    summary = recorded.summary
    return fill(
        shapes.RecordedSummary,
        summary,
        created=recorded.created,
        flags=[render_flag_move(move) for move in recorded.flags],
        dispositions=[render_disposition(moved) for moved in recorded.dispositions],
        hearsay=recorded.told,
        told=recorded.told,
        embedding="queued" if recorded.created else "unchanged",
    )


def render_recorded_event(recorded: RecordedEvent) -> shapes.RecordedEvent:
    """What an event changed."""
    return {
        "event_id": recorded.event.event_id,
        "created": recorded.created,
        "seq": recorded.event.seq,
        "flags": [render_flag_move(move) for move in recorded.flags],
    }


def render_flag_move(move: FlagMove) -> shapes.FlagMove:
    """What a flag was and was set to."""
    return {"name": move.name, "old": move.old_value, "new": move.new_value, "late": move.is_late}


def render_disposition(moved: AppliedDisposition) -> shapes.MovedDisposition:
    """How an NPC moved."""
    before = round(moved.value - moved.applied, 2)
    return fill(
        shapes.MovedDisposition,
        moved,
        towards="party" if moved.towards_kind == "party" else moved.towards_id,
        **{"from": before},
        to=moved.value,
    )


def render_summary_view(view: SummaryView) -> shapes.Summary:
    """One summary, with the short form that a model reads."""
    return fill(shapes.Summary, view, when=render_time(view.happened_at), text=view.render())


def render_event_view(view: EventView) -> shapes.NotedEvent:
    """One event between scenes."""
    return fill(shapes.NotedEvent, view, when=render_time(view.happened_at))


def render_session(state: PartyState) -> shapes.Session:
    """Where a party stands."""
    language = state.summaries[0].language if state.summaries else "en"
    told = [view.render() for view in reversed(state.summaries)]
    told += [view.notes for view in reversed(state.events)]
    flags = render_flags(dict(islice(state.flags.items(), FLAGS_TOLD)), language)
    return fill(
        shapes.Session,
        state,
        summaries=[render_summary_view(view) for view in state.summaries],
        events=[render_event_view(view) for view in state.events],
        flags=dict(sorted(state.flags.items())),
        text="\n".join([*told, *([flags] if flags else [])]),
    )


def render_flag(view: FlagView) -> shapes.Flag:
    """One flag with its last changes."""
    return fill(
        shapes.Flag,
        view,
        changes=[
            fill(
                shapes.FlagChange,
                change,
                old=change.old_value,
                new=change.new_value,
                when=render_time(change.happened_at),
                late=change.is_late,
            )
            for change in view.changes
        ],
    )


def render_search_result(result: SummarySearchResult) -> shapes.SummarySearch:
    """What a search found in a campaign."""
    return {"query": result.query, "degraded": list(result.degraded), "hits": [render_hit(hit) for hit in result.hits]}


def render_hit(hit: SummaryHit) -> shapes.SummaryHit:
    """One summary and how it came to its place."""
    parts = hit.parts
    return {
        "summary": render_summary_view(hit.summary),
        "score": hit.score,
        "parts": {
            "bm25": parts.bm25,
            "bm25_part": parts.bm25_part,
            "vector": parts.vector,
            "vector_part": parts.vector_part,
            "date_part": dict(parts.features).get("date", 0.0),
        },
    }
