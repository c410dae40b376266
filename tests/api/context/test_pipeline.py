"""The pipeline as it is written: its sources, and how far one walks to follow a request."""

from __future__ import annotations

import pytest

from runtime.config import load_budgets, load_prompts
from runtime.context import pipeline
from runtime.context.core.pack import LAYERS, Item, Provenance
from runtime.context.pipeline import SOURCES, assemble_context
from runtime.context.sources.source import Fetched, Source
from tests.api.context.requests import make_turn
from tests.walk import Walk, follow

ASIDE = (
    "runtime.session_memory",
    "runtime.condensing",
    "runtime.traces.actions.traces",
    "runtime.traces.core",
    "runtime.traces.sealed_texts",
)
"""Features of `runtime` that a pack enters by one function, and that have walks of their own."""
DOWNWARDS = (
    "runtime.context.api",
    "runtime.traces.actions.packs",
    "runtime.context.pipeline",
    "runtime.context.resolve",
    "runtime.context.sources",
    "runtime.context.turn",
    "runtime.context.identity",
    "runtime.context.fit",
    "runtime.context.relevance_filter",
    "runtime.context.render",
    "runtime.context.core",
)


def test_every_layer_has_a_source_and_every_source_a_layer_a_budget_and_a_frame():
    assert {source.layer for source in SOURCES} == set(LAYERS)
    assert len({source.name for source in SOURCES}) == len(SOURCES)
    for source in SOURCES:
        assert source.layer in load_budgets().context.layers
        assert all(source.layer in prompts.layers for prompts in load_prompts().values())


@pytest.mark.django_db
@pytest.mark.parametrize("is_parallel", [False, True])
def test_a_source_is_one_class_and_one_line_in_the_list(keeper, monkeypatch, is_parallel):
    class Notes(Source[Fetched]):
        name = "notes"
        layer = "state"
        step = "notes"

        def fetch(self, turn):
            return Fetched(degraded=("notes_are_thin",))

        def build_items(self, turn, found):
            assert found.get(Notes).degraded
            return [Item("note:1", "The lantern is lit.", Provenance("note"), template="note")]

    Notes.is_parallel = is_parallel
    monkeypatch.setattr(pipeline, "SOURCES", (*SOURCES, Notes()))
    context = assemble_context(make_turn(keeper))
    (state,) = (layer for layer in context.pack.layers if layer.name == "state")
    assert state.items[-1].item.id == "note:1"
    assert "The lantern is lit." in context.pack.messages[0].content
    assert context.degraded[-1] == "notes_are_thin"
    assert "notes" in context.steps_ms


def test_a_request_is_followed_in_less_than_forty_stops_and_none_upwards(api, remembered, canon):
    """From the view to the answer. What a source calls is not on the way: whoever needs one opens its file."""
    body = {
        "message": "Who rings the ferry bell at dusk, by the gate?",
        "user_id": "p1",
        "npc_id": "npc_LiShen",
        "party_id": "pty_1",
        "scene_id": "scn_1",
        "session_id": "s1",
    }
    assert api.post("context", body).status_code == 200
    with follow(Walk(("runtime",), aside=ASIDE, interfaces=(Source,))) as walk:
        assert api.post("context", body).status_code == 200
    assert walk.list_calls_upwards(DOWNWARDS) == []
    way = {stop: caller for stop, caller in walk.steps.items() if not caller[0].startswith("runtime.context.sources")}
    assert len(way) < 40, "\n".join(f"{caller} -> {stop}" for stop, caller in way.items())
    assert {stop for stop in way if stop[0].endswith("sources.source")} >= {
        ("runtime.context.sources.source", f"Source.{name}") for name in ("list_queries", "fetch", "build_items")
    }
