"""Traces as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memoryproject.rest.shapes import fill
from runtime.context.api.context import render_provenance
from runtime.context.core.pack import Pack
from runtime.models import Trace, TraceFeedback
from runtime.traces.api import shapes
from runtime.traces.core.replay_diff import Differences
from runtime.traces.core.traces import TracedItem
from runtime.traces.selectors.replay import Replay
from runtime.traces.selectors.traces import OpenedTrace, RetrievalQuality


def render_summary(trace: Trace) -> shapes.TraceSummary:
    """A trace without words and items."""
    return fill(
        shapes.TraceSummary,
        trace,
        trace_id=str(trace.pk),
        **{name: getattr(trace, name) or None for name in ("user_id", "session_id", "npc_id", "party_id", "scene_id")},
        budget=trace.token_limit,
        forgotten=trace.blanked_at is not None,
    )


CHECK_DEFAULTS = {"suspects": 0, "checked_by": "rules", "judge_version": "", "found_by": []}
"""Of turns that were recorded before checks told these."""


def render_trace(opened: OpenedTrace) -> dict[str, Any]:
    """A trace with its words, as far as they are kept."""
    trace, outline = opened.trace, opened.trace.outline
    found = opened.contradictions or ((),) * len(outline["checks"])
    suspects = opened.suspects or ((),) * len(outline["checks"])
    return {
        **render_summary(trace),
        "request_input": opened.request,
        "items": [render_item(each) for each in opened.items if each.was_told],
        "cut": [render_item(each) for each in opened.items if not each.was_told],
        "tokens_by_layer": trace.tokens_by_layer,
        "tool_calls": outline["tool_calls"],
        "steps_ms": trace.steps_ms,
        "model_calls": outline["model_calls"],
        "checks": [
            {**CHECK_DEFAULTS, **check, "found": list(each), "near": list(near)}
            for check, each, near in zip(outline["checks"], found, suspects, strict=True)
        ],
        "reply": opened.reply,
        "changed_message_ids": list(opened.changed_message_ids),
        "texts_lack": trace.texts_lack or None,
        "feedback": None if opened.feedback is None else render_feedback(opened.feedback),
    }  # fmt: skip


def render_feedback(feedback: TraceFeedback) -> shapes.Feedback:
    """What was said of an answer."""
    return fill(shapes.Feedback, feedback, thumb=feedback.thumb or None)


def render_item(traced: TracedItem) -> shapes.TracedItem:
    """One thing that was found."""
    return fill(
        shapes.TracedItem,
        traced,
        id=traced.item.id,
        text=traced.item.text,
        provenance=render_provenance(traced.item.provenance),
    )


def render_replay(replay: Replay) -> dict[str, Any]:
    """Both looks at a turn."""
    now = replay.now
    return {
        "trace_id": str(replay.opened.trace.pk),
        "then": {
            "reproduced": replay.reproduced,
            "reasons": list(replay.then.reasons),
            "as_recorded": list(replay.then.as_recorded),
            "messages": [] if replay.then.pack is None else _render_messages(replay.then.pack),
            "differences": _render_differences(replay.then.differences),
        },
        "now": None
        if now is None
        else {
            "tokens": now.pack.tokens,
            "releases": dict(now.releases),
            "degraded": list(now.degraded),
            "messages": _render_messages(now.pack),
        },
        "now_refused": replay.now_refused,
        "differences": _render_differences(replay.differences),
    }


def render_quality(quality: RetrievalQuality) -> shapes.Quality:
    """How much of what was told got used."""
    layers = [
        {
            "layer": each.layer,
            "shown": each.shown,
            "used": each.used,
            "hit_rate": round(each.hit_rate, 4),
            "rerank_gain": None if each.places.gain is None else round(each.places.gain, 4),
        }
        for each in quality.layers
    ]
    return fill(shapes.Quality, quality, layers=layers)


def _render_messages(pack: Pack) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in pack.messages]


def _render_differences(differences: Differences) -> dict[str, Any]:
    return {
        "added": _render_items(differences.added),
        "gone": [{**render_item(each.then), "now": each.reason} for each in differences.gone],
        "changed": [
            {"changed": list(each.changed), "then": render_item(each.then), "now": render_item(each.now)}
            for each in differences.changed
        ],
        "releases": _render_pairs(differences.releases),
        "values": _render_pairs(differences.values),
    }


def _render_items(items: Iterable[TracedItem]) -> list[shapes.TracedItem]:
    return [render_item(each) for each in items]


def _render_pairs(pairs: Mapping[str, tuple[Any, Any]]) -> dict[str, dict[str, Any]]:
    return {name: {"then": then, "now": now} for name, (then, now) in pairs.items()}
