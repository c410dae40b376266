"""Traces by REST: what a turn was made of, the same turn again, feedback, and who may see any of it."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace

import pytest
from django.test import Client

from episodes.forgetting.actions.forgetting import forget_message
from npcs.errors import UnknownNpc
from runtime.config import load_budgets, load_prompts
from runtime.models import TraceFeedback
from runtime.traces.selectors import replay as replaying
from runtime.traces.selectors.traces import TraceFilters, get_trace, list_traces
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.factories.canon import article, publish

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "Who rings the ferry bell at dusk?"
CANON = (
    article("oda-marr", "Oda Marr rings the ferry bell at dusk.\n\n## Toll\n\nThe ferry toll is two coins."),
    article("ferry", "The ferry crosses the river by a rope."),
)


@pytest.fixture
def engine(make_api, world):
    publish(world, *CANON)
    return make_api("read", "engine")


def ask(engine, message=QUESTION, **more):
    """The id of the trace of a pack."""
    answer = engine.post("context", {"message": message, "language": "en", **more})
    assert answer.status_code == 200, answer.content
    return answer.json()["trace_id"]


def read(engine, path):
    answer = engine.get(path)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_trace_tells_what_the_pack_told(engine):
    pack = engine.post("context", {"message": QUESTION, "budget": {"layers": {"lore": {"max_items": 1}}}}).json()
    trace = read(engine, f"traces/{pack['trace_id']}")
    told = [item for layer in pack["layers"] for item in layer["items"]]
    assert [(each["id"], each["rendered"]) for each in trace["items"]] == [
        (each["id"], each["rendered"]) for each in told
    ]
    assert [each["reason"] for each in trace["cut"]] == [each["reason"] for each in pack["cut"]]
    assert trace["cut"]
    wanted = {
        "query": QUESTION, "prompt_version": pack["prompt_version"], "prompt_source": pack["prompt_source"],
        "layers": {"lore": {"max_items": 1}}, "alias": "latest",
    }  # fmt: skip
    assert wanted.items() <= trace["request_input"].items()
    assert (trace["releases"], trace["tokens"], trace["kind"]) == (pack["releases"], pack["tokens"], "pack")
    assert {each["name"] for each in trace["tool_calls"]} >= {"lore_search"}
    assert (trace["reply"], trace["feedback"], trace["texts_lack"], trace["forgotten"]) == (None, None, None, False)


def test_traces_are_listed_newest_first_by_filters_and_pages(engine):
    ids = [ask(engine, user_id=f"p-{n % 2}", session_id=f"s-{n % 3}") for n in range(6)]

    def listed(**query):
        return [each["trace_id"] for each in engine.get("traces", query).json()["traces"]]

    assert listed() == ids[::-1]
    assert listed(user_id="p-0") == [ids[4], ids[2], ids[0]]
    assert listed(session_id="s-1") == [ids[4], ids[1]]
    assert listed(kind="chat") == listed(npc_id="oda") == listed(until="2026-01-01T00:00:00Z") == []
    assert listed(degraded="false") == []
    assert listed(degraded="true", since="2026-01-01T00:00:00Z", user_id="p-1") == [ids[5], ids[3], ids[1]]
    first = engine.get("traces", {"limit": 4}).json()
    rest = engine.get("traces", {"limit": 4, "before": first["next_before"]}).json()
    assert [each["trace_id"] for each in first["traces"] + rest["traces"]] == ids[::-1]
    assert rest["next_before"] is None


def test_listing_and_reading_take_as_many_queries_whatever_the_size(engine, django_assert_num_queries, world):
    for count in (1, 8):
        for _ in range(count):
            trace_id = ask(engine)
        with django_assert_num_queries(1):
            list_traces(tenant_id=world.tenant_id, world_id=world.pk, filters=TraceFilters(), limit=50)
        with django_assert_num_queries(2):
            get_trace(tenant_id=world.tenant_id, world_id=world.pk, trace_id=uuid.UUID(trace_id))


def test_traces_are_for_engines_of_the_same_world_only(engine, make_api, tenant, world, problem):
    trace_id = ask(engine)
    rival = ensure_tenant(slug="rival")
    ensure_world(tenant_id=rival.pk, slug="ashfall")
    ensure_world(tenant_id=tenant.pk, slug="second")
    theirs = make_api("read", "engine", of=rival)
    beside = make_api("read", "engine", headers={"X-Site-ID": "second"})
    for path in (f"traces/{trace_id}", f"traces/{trace_id}/replay"):
        problem(theirs.get(path), 404, "trace_not_found")
        problem(beside.get(path), 404, "trace_not_found")
        problem(make_api("read").get(path), 403, "scope_missing")
    problem(theirs.post(f"traces/{trace_id}/feedback", {"used_item_ids": []}), 404, "trace_not_found")
    nothing = {"data": [], "next_cursor": None, "traces": [], "next_before": None}
    assert theirs.get("traces").json() == beside.get("traces").json() == nothing
    assert theirs.get("traces/quality").json()["rated"] == 0


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"before": "x"}, "parameter_invalid"),
        ({"since": "yesterday"}, "since_invalid"),
        ({"until": "2026-01-01"}, "until_invalid"),
        ({"kind": "song"}, "parameter_invalid"),
        ({"limit": "0"}, "parameter_invalid"),
        ({"user_id": "a\x00"}, "parameter_invalid"),
    ],
)
def test_filters_that_mean_nothing_are_refused(engine, problem, query, code):
    problem(engine.get("traces", query), 400, code)


def test_feedback_counts_once_and_the_newest_counts(engine):
    trace_id = ask(engine)
    items = read(engine, f"traces/{trace_id}")["items"]
    lore = [each["id"] for each in items if each["layer"] == "lore"]
    body = {"used_item_ids": [lore[0]], "thumb": "up", "note": "Knew the bell."}
    path = f"traces/{trace_id}/feedback"
    first, again = engine.post(path, body), engine.post(path, body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    other = engine.post(path, {"used_item_ids": lore, "thumb": "down"})
    assert other.status_code == 201
    assert TraceFeedback.objects.count() == 2
    assert read(engine, f"traces/{trace_id}")["feedback"] == other.json()
    quality = read(engine, "traces/quality")
    assert (quality["rated"], quality["thumbs_up"], quality["thumbs_down"]) == (1, 0, 1)
    by_layer = {each["layer"]: each for each in quality["layers"]}
    assert (by_layer["lore"]["shown"], by_layer["lore"]["used"], by_layer["lore"]["hit_rate"]) == (
        len(lore), len(lore), 1.0,
    )  # fmt: skip
    assert by_layer["system"]["used"] == 0


def test_feedback_on_what_was_not_told_is_refused(engine, problem):
    pack = engine.post("context", {"message": QUESTION, "budget": {"layers": {"lore": {"max_items": 1}}}}).json()
    path = f"traces/{pack['trace_id']}/feedback"
    cut = pack["cut"][0]["id"]
    assert problem(engine.post(path, {"used_item_ids": ["lore:0", cut]}), 400, "feedback_item_unknown")["item_ids"]
    problem(engine.post(path, {"used_item_ids": [cut]}), 400, "feedback_item_unknown")
    problem(engine.post(path, {"thumb": "up"}), 400, "body_invalid")
    problem(engine.post(path, {"used_item_ids": [], "note": "a\x00"}), 400, "body_invalid")
    assert not TraceFeedback.objects.exists()


def test_feedback_and_its_time_show_in_metrics(engine):
    trace_id = ask(engine)
    item = read(engine, f"traces/{trace_id}")["items"][0]
    path = f"traces/{trace_id}/feedback"

    def metric(name):
        lines = Client().get("/metrics").content.decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith(name) and "_created" not in line)

    shown, ups = metric("memory37_retrieval_shown_total"), metric('memory37_feedback_total{thumb="up"}')
    packs = metric("memory37_context_tokens_count")
    ask(engine)
    for thumb in ("up", "up", "down"):
        engine.post(path, {"used_item_ids": [item["id"]], "thumb": thumb})
    told = len(read(engine, f"traces/{trace_id}")["items"])
    assert metric("memory37_retrieval_shown_total") == shown + told
    assert metric('memory37_feedback_total{thumb="up"}') == ups + 1
    assert metric("memory37_context_tokens_count") == packs + 1


def test_replay_of_an_unchanged_world_differs_in_nothing(engine):
    replay = read(engine, f"traces/{ask(engine)}/replay")
    assert replay["then"]["reproduced"], replay["then"]
    assert replay["then"]["messages"] == replay["now"]["messages"]
    assert replay["differences"] == {"added": [], "gone": [], "changed": [], "releases": {}, "values": {}}
    assert "lore" not in replay["then"]["as_recorded"]


def test_replay_after_a_canon_swap_reproduces_then_and_names_what_changed(engine, world):
    trace_id = ask(engine, user_id="player-1")
    publish(
        world,
        article("oda-marr", "Oda Marr rings the ferry bell at midnight.\n\n## Toll\n\nThe ferry toll is two coins."),
        article("bell", "The ferry bell at dusk was cast in bronze."),
        retire=["ferry"],
    )
    replay = read(engine, f"traces/{trace_id}/replay")
    assert replay["then"]["reproduced"], replay["then"]
    assert "at dusk" in json.dumps(replay["then"]["messages"])
    differences = replay["differences"]
    changed = [each for each in differences["changed"] if "text" in each["changed"]]
    assert {each["then"]["provenance"]["ids"]["slug"] for each in changed} == {"oda-marr"}
    assert "midnight" in changed[0]["now"]["text"]
    assert {each["provenance"]["ids"]["slug"] for each in differences["added"]} == {"bell"}
    assert {(each["provenance"]["ids"]["slug"], each["now"]) for each in differences["gone"]} == {
        ("ferry", "not_found")
    }
    assert differences["releases"]["lore"] == {"then": 1, "now": 2}
    assert "midnight" in json.dumps(replay["now"]["messages"])


def set_relevance_filter(monkeypatch, *, enabled):
    relevance_filter = replace(load_budgets().to_relevance_filter(), enabled=enabled)
    monkeypatch.setattr("runtime.config.BudgetFile.to_relevance_filter", lambda _: relevance_filter)


@pytest.fixture
def rules(engine, world):
    """A rule that shares only a word with the question."""
    publish(world, article("hushed", "A hushed creature can't speak. A bell ends it.", rule_id="COND-02"), domain="srd")


def test_a_turn_from_before_the_relevance_filter_is_reproduced_and_today_keeps_the_rule_back(
    engine, rules, monkeypatch
):
    set_relevance_filter(monkeypatch, enabled=False)
    trace_id = ask(engine)
    set_relevance_filter(monkeypatch, enabled=True)
    replay = read(engine, f"traces/{trace_id}/replay")
    assert replay["then"]["reproduced"], replay["then"]
    assert not any(replay["then"]["differences"].values())
    assert "A bell ends it." in json.dumps(replay["then"]["messages"])
    assert "A bell ends it." not in json.dumps(replay["now"]["messages"])
    (gone,) = replay["differences"]["gone"]
    assert (gone["layer"], gone["now"]) == ("rules", "not_called_for")


def test_a_rule_that_was_kept_back_then_stays_back_when_the_filter_is_opened(engine, rules, monkeypatch):
    trace_id = ask(engine)
    assert [each["reason"] for each in read(engine, f"traces/{trace_id}")["cut"]] == ["not_called_for"]
    set_relevance_filter(monkeypatch, enabled=False)
    replay = read(engine, f"traces/{trace_id}/replay")
    assert replay["then"]["reproduced"], replay["then"]
    (added,) = replay["differences"]["added"]
    assert added["layer"] == "rules"


def test_replay_tells_a_changed_prompt_and_what_was_forgotten(engine, monkeypatch, tenant):
    chat = engine.post("conversations", {"user_id": "player-1"}).json()["id"]
    said = engine.post(f"conversations/{chat}/messages", {"role": "user", "content": QUESTION}).json()["message_id"]
    trace_id = ask(engine, user_id="player-1", message_id=said)
    other = {name: replace(each, source="en/context.yaml@other") for name, each in load_prompts().items()}
    with monkeypatch.context() as patch:
        patch.setattr(replaying, "load_prompts", lambda: other)
        replay = read(engine, f"traces/{trace_id}/replay")
    assert (replay["then"]["reproduced"], replay["then"]["reasons"]) == (False, ["prompt_changed"])
    forget_message(tenant_id=tenant.pk, message_id=said, requested_by="test")
    replay = read(engine, f"traces/{trace_id}/replay")
    assert (replay["then"]["reasons"], replay["now"], replay["now_refused"]) == (["forgotten"], None, "forgotten")
    trace = read(engine, f"traces/{trace_id}")
    assert (trace["forgotten"], "query" in trace["request_input"]) == (True, False)
    assert QUESTION not in json.dumps(trace)


def test_replay_of_a_turn_that_cannot_be_asked_any_more_says_why(engine, monkeypatch):
    def refuse(_):
        raise UnknownNpc("There is no NPC.")

    trace_id = ask(engine)
    monkeypatch.setattr(replaying, "assemble_context", refuse)
    replay = read(engine, f"traces/{trace_id}/replay")
    assert replay["then"]["reproduced"]
    assert (replay["now"], replay["now_refused"]) == (None, "npc_not_found")
