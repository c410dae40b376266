"""The trace says of each entry what brought it in or kept it out, and where its key was found."""

from __future__ import annotations

import json

from knowledge.lorebooks.activation.inputs import ActivationSettings, BoundBook, Chat, ChatMessage
from knowledge.lorebooks.activation.preview import pair_entries, preview_activation
from knowledge.lorebooks.activation.trace import RULES
from knowledge.lorebooks.files import read_document
from reviews.lorebooks.sample_chat import show_firing
from tests.knowledge.lorebooks.activation.scenes import book, chat, entry, explain, fired, run


def test_match_says_which_key_was_found_in_which_message_and_where() -> None:
    scene = Chat((ChatMessage("  a Dragon sleeps", "Mira"), ChatMessage("ok", "Oda")))
    match = explain(run(book(entry(1, "egg", "dragon")), scene), 1).match
    assert (match.key, match.where.source, match.where.index) == ("dragon", "message", 0)
    assert scene.messages[0].text[match.where.start : match.where.end] == "Dragon"


def test_match_of_an_expression_is_placed_too() -> None:
    scene = Chat((ChatMessage("мой ЩИТ", "Mira"), ChatMessage("ok", "Oda")))
    where = explain(run(book(entry(1, "/щит/i")), scene), 1).match.where
    assert (where.index, where.start, where.end) == (0, 4, 7)


def test_match_by_recursion_names_the_loop_that_fed_it() -> None:
    activation = run(book(entry(1, "x", content="dragon"), entry(2, "dragon")), chat("x"), is_recursive=True)
    where = explain(activation, 2).match.where
    assert (where.source, where.index) == ("recursion", 1)
    assert explain(activation, 2).describe() == "a key was found; 'dragon' was found in the recursion"


def test_secondary_keys_that_were_found_are_listed() -> None:
    activation = run(book(entry(1, "x", secondary_keys=("a", "b", "c"), logic=3)), chat("x a c"))
    trace = explain(activation, 1)
    assert trace.rule == "secondary_keys_failed"
    assert [match.key for match in trace.secondary] == ["a", "c"]


def test_every_entry_has_a_rule_with_a_sentence() -> None:
    activation = run(book(entry(1, "x"), entry(2, "y"), entry(3, is_enabled=False)), chat("x"))
    assert {trace.rule for trace in activation.trace.entries} == {"key", "no_key_found", "disabled"}
    assert all(trace.rule in RULES and trace.describe() for trace in activation.trace.entries)


def test_key_that_cannot_be_run_is_listed_and_keeps_only_itself_out() -> None:
    lore = book(entry(1, r"/\ud83d/"), entry(2, r"/\ud83d/", "x"), entry(3, "x"))
    activation = run(lore, chat("x"))
    assert fired(activation) == {"2", "3"}
    assert explain(activation, 1).rule == "regex_problem"
    assert [(issue.uid, issue.code) for issue in activation.trace.regex_issues] == [
        ("1", "unsupported"),
        ("2", "unsupported"),
    ]


def test_key_that_ran_out_of_time_is_listed() -> None:
    activation = run(book(entry(1, "/(?<!x)(?:a|aa)+$/")), chat("a" * 60 + "!"))
    assert activation.trace.regex_issues[0].code == "timeout"
    assert explain(activation, 1).rule == "regex_problem"


def test_trace_is_json() -> None:
    activation = run(book(entry(1, "x", probability=50)), chat("x"), rolls=[0.25])
    content = json.loads(json.dumps(activation.trace.as_json()))
    assert content["entries"][0]["reason"] == "a key was found; 'x' was found in message 1"
    assert content["rolls"] == [{"purpose": "probability", "subject": "lore.1", "value": 0.25}]
    assert json.dumps(activation.placements.as_json())


def test_preview_tells_what_the_dialects_disagree_on() -> None:
    lore = book(entry(1, "щит", match_whole_words=True), entry(2, "дракон"), entry(3, "король"))
    preview = preview_activation([lore], chat("Защитник видел короля"), ActivationSettings())
    assert [(d.uid, d.is_active_faithful, d.is_active_m37) for d in preview.differences] == [
        ("1", True, False), ("3", False, True),
    ]  # fmt: skip
    assert preview.differences[0].m37 == "no key was found"


def test_preview_pairs_entries_whatever_order_a_dialect_reads_them_in() -> None:
    written = [
        {"uid": 0, "key": ["дракон"], "content": "a", "comment": "no order"},
        {"uid": 1, "key": ["moon"], "content": "b", "order": 200},
        {"uid": 2, "key": ["never"], "content": "c", "order": 300},
    ]
    found = read_document({"entries": written}).book
    preview = preview_activation([BoundBook(found)], chat("драконами the moon"), ActivationSettings())
    uids = [[trace.uid for trace in each.trace.entries] for each in (preview.faithful, preview.m37)]
    assert uids[0] != uids[1]
    assert all(theirs.uid == ours.uid for theirs, ours in pair_entries(preview.faithful, preview.m37))
    assert preview.differences == ()
    assert {each.uid: (each.fires, each.fires_m37) for each in show_firing(found, "драконами the moon")} == {
        "0": (True, True), "1": (True, True), "2": (False, False),
    }  # fmt: skip
