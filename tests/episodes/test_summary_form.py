"""The form of a summary: what it takes, what it refuses and where it says so, and how a model reads it."""

from __future__ import annotations

import copy
import datetime as dt
import json

import pytest
from jsonschema import Draft202012Validator

from episodes.campaigns.core.schemas import load_summary_schema
from episodes.campaigns.core.summaries import parse_event, parse_summary, render_flags, render_summary
from episodes.errors import InvalidEvent, InvalidSummary
from memoryproject.json_schema import load_schema
from tests.factories.campaigns import make_body, make_event

NOW = dt.datetime(2026, 6, 1, tzinfo=dt.UTC)
SCHEMA = load_schema("episodic_summary")


def refuse(body):
    with pytest.raises(InvalidSummary) as caught:
        parse_summary(body, now=NOW)
    return {error["path"]: error["message"] for error in caught.value.extra["errors"]}


def change(path, value):
    body = {
        **make_body(flags={"gate": "open"}, relations_delta=[]),
        "what": {"event": "bargain", "outcome": "success", "rolls": [], "loot": [{"item_id": "amulet", "qty": 1}]},
    }
    body = copy.deepcopy(body)
    *way, last = path
    node = body
    for step in way:
        node = node[step]
    if value is None:
        del node[last]
    else:
        node[last] = value
    return body


def test_the_seeds_own_example_is_a_summary():
    Draft202012Validator.check_schema(SCHEMA)
    example = SCHEMA["examples"][0]
    draft = parse_summary(example, now=NOW)
    assert (draft.summary_id, draft.npcs, draft.loot) == (
        "sum_2025_08_27_0142",
        ("npc_LiShen",),
        (("amulet_moon", 1),),
    )
    assert draft.flags == {"quest_moon_key": "obtained", "gate_moon_door": "open"}
    assert (draft.deltas[0].towards, draft.deltas[0].delta, draft.deltas[0].reason) == ("party", 1, "kept promise")


def test_every_member_of_the_schema_is_described():
    def walk(node, path):
        for name, child in node.get("properties", {}).items():
            assert child.get("description"), f"{path}.{name}"
            walk(child, f"{path}.{name}")
            walk(child.get("items", {}), f"{path}.{name}[]")

    walk(SCHEMA, "")


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("notes",), None, ""),
        (("summary_id",), "has space", "summary_id"),
        (("summary_id",), "x" * 121, "summary_id"),
        (("when",), "yesterday", "when"),
        (("when",), "2026-03-01T19:00:00", "when"),
        (("when",), "2099-03-01T19:00:00Z", "when"),
        (("when",), "1970-01-01T00:00:00Z", "when"),
        (("who", "npcs"), ["a", "a"], "who.npcs"),
        (("who", "npcs"), "li", "who.npcs"),
        (("where", "location_id"), "", "where.location_id"),
        (("what", "event"), "Big Bargain", "what.event"),
        (("what", "loot"), [{"item_id": "amulet", "qty": 0}], "what.loot[0].qty"),
        (("what", "rolls"), [{"who": "p_A", "d20": 21}], "what.rolls[0].d20"),
        (("flags",), {"gate": None}, "flags.gate"),
        (("flags",), {"gate": ["open"]}, "flags.gate"),
        (("flags",), {"gate": 1e400}, "flags.gate"),
        (("relations_delta",), [{"npc_id": "li", "towards": "party", "delta": 1}], "relations_delta[0]"),
        (
            ("relations_delta",),
            [{"npc_id": "li", "towards": "p_Z", "delta": 1, "reason": "r"}],
            "relations_delta[0].towards",
        ),
        (("notes",), "a\x00b", "notes"),
        (("notes",), "line\n", "notes"),
        (("notes",), "half \ud83d", "notes"),
        (("version",), "9.0.0", "version"),
        (("colour",), "grey", ""),
    ],
)
def test_what_does_not_fit_is_refused_with_its_path(path, value, told):
    assert told in refuse(change(path, value))


def test_longer_notes_are_refused_with_their_count_and_never_cut():
    told = refuse(make_body(notes="word " * 60 + "end"))
    assert told == {"notes": "has 61 tokens; the most is 40"}
    assert parse_summary(make_body(notes="word " * 38 + "end"), now=NOW).notes_tokens == 39


def test_many_mistakes_are_told_at_once_and_none_is_echoed_whole():
    body = make_body(notes="x" * 5000, summary_id=7)
    body["who"] = {}
    told = refuse(body)
    assert {"notes", "summary_id", "who"} <= set(told)
    assert all(len(message) <= 300 for message in told.values())
    assert list(refuse([])) == list(refuse("text")) == list(refuse(None)) == [""]


def test_an_event_has_the_same_parts():
    event = parse_event(make_event(party_id="pty_1", flags={"done": True}), now=NOW)
    assert (event.party_id, event.kind, event.flags) == ("pty_1", "quest_completed", {"done": True})
    with pytest.raises(InvalidEvent) as caught:
        parse_event(make_event(kind="Quest!", notes="word " * 60), now=NOW)
    assert caught.value.extra["errors"][0]["path"] == "kind"


def test_the_order_of_members_makes_no_other_summary():
    body = make_body()
    again = dict(reversed(list(body.items())))
    assert parse_summary(body, now=NOW).body_hash == parse_summary(again, now=NOW).body_hash
    assert parse_summary(make_body(minute=1), now=NOW).body_hash != parse_summary(body, now=NOW).body_hash


def test_a_model_reads_neither_ids_nor_dates():
    assert render_summary("Ключ отдан.", "partial_success", "ru") == "Ключ отдан. (частичный успех)"
    assert render_summary("The key is lent.", "partial_success", "en") == "The key is lent. (partial success)"
    assert render_summary("钥匙已交还。", "stand_off", "zh") == "钥匙已交还。 (stand off)"
    flags = {"gate_moon_door": "wide_open", "oath": True, "coins": 3}
    assert render_flags(flags, "en") == "coins: 3; gate moon door: wide open; oath: yes"
    assert render_flags(flags, "ru").endswith("oath: да")
    assert render_flags({}, "en") == ""


def test_the_inlined_schema_refuses_and_takes_what_the_file_does():
    inlined = Draft202012Validator(load_summary_schema())
    assert "$ref" not in json.dumps(load_summary_schema())
    assert inlined.is_valid(SCHEMA["examples"][0])
    assert not inlined.is_valid({**SCHEMA["examples"][0], "flags": {"1x": 2}})
