"""What lines of players say about answers: every labelled line, and any text at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.session_memory.core.inference import infer_tags, infer_value, read_noted, serialize_signals
from runtime.session_memory.core.preferences import TONES, VERBOSITIES, read_preference
from runtime.session_memory.core.signals import Signal, make_key, read_signals

LINES = Path(__file__).parents[3] / "qa" / "preferences"


def list_lines(*names):
    return [
        pytest.param(row["text"], row["signals"], id=f"{name}: {row['text'][:40]}")
        for name in names
        for row in map(json.loads, (LINES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
    ]


@pytest.mark.parametrize(("text", "signals"), list_lines("en", "ru", "ar", "arabizi", "zh", "apart"))
def test_each_line_says_what_its_label_says(text, signals):
    wanted = {(each["field"], make_key(Signal(each["field"], each["value"]))) for each in signals}
    assert {(each.field, make_key(each)) for each in read_signals(text)} == wanted


def test_the_lines_are_many_and_a_third_are_hard_negatives():
    rows = [json.loads(line) for path in LINES.glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    assert len(rows) >= 120
    assert 0.25 <= sum(not row["signals"] for row in rows) / len(rows) <= 0.5


@pytest.mark.parametrize(
    "text",
    [
        "The innkeeper said: «keep it short»",
        '"Tell me more about the bridge," she asked.',
        "keep it short. no wait, more details please",
        "",
        "short" * 400,
    ],
)
def test_what_is_quoted_or_contrary_says_nothing_of_length(text):
    assert not [each for each in read_signals(text) if each.field == "verbosity"]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_no_text_breaks_the_rules_and_values_are_those_of_a_preference(text):
    for signal in read_signals(text):
        assert signal.field in ("verbosity", "tone", "language", "interest_tags")
        if signal.field == "verbosity":
            assert signal.value in VERBOSITIES
        if signal.field == "tone":
            assert signal.value in TONES
        assert 0 < len(signal.value) <= 60


def stored(*rows, **more):
    """A hash with a signal for each (message id, exchange, field, value)."""
    return {
        f"signal:{id_}": serialize_signals(exchange, [Signal(field, value)]) for id_, exchange, field, value in rows
    } | more


def test_two_signals_of_one_exchange_are_one():
    same = stored((1, "c:0", "verbosity", "brief"), (2, "c:0", "verbosity", "brief"))
    assert infer_value("verbosity", same, read_noted(same)) is None
    two = stored((1, "c:0", "verbosity", "brief"), (3, "c:2", "verbosity", "brief"))
    found = infer_value("verbosity", two, read_noted(two))
    assert (found.value, found.evidence) == ("brief", (1, 3))


def test_the_last_word_counts_and_a_contrary_one_ends_it():
    rows = [(1, "c:0", "verbosity", "brief"), (3, "c:2", "verbosity", "brief"), (5, "c:4", "verbosity", "detailed")]
    assert read_preference(stored(*rows)) is None
    more = read_preference(stored(*rows, (7, "c:6", "verbosity", "detailed")))
    assert (more.verbosity, more.evidence) == ("detailed", {"verbosity": (5, 7)})


def test_what_is_set_wins_and_blocks_inference_of_its_field_alone():
    rows = [
        (1, "c:0", "verbosity", "brief"), (3, "c:2", "verbosity", "brief"),
        (5, "c:4", "tone", "casual"), (7, "c:6", "tone", "casual"),
    ]  # fmt: skip
    known = read_preference(stored(*rows, verbosity="detailed", updated_at="now"))
    assert (known.verbosity, known.tone) == ("detailed", "casual")
    assert known.source == {"verbosity": "explicit", "tone": "inferred"}
    assert known.evidence == {"tone": (5, 7)}


def test_topics_are_the_same_by_their_stems_and_set_ones_block_them():
    rows = [(1, "c:0", "interest_tags", "dragons"), (3, "c:2", "interest_tags", "old dragon")]
    assert [each.value for each in infer_tags(stored(*rows), read_noted(stored(*rows)))] == ["old dragon"]
    none = read_preference(stored(*rows, interest_tags="[]", interest_tags_set="1"))
    assert (none.interest_tags, none.source) == ((), {"interest_tags": "explicit"})


def test_switched_off_nothing_is_inferred():
    rows = stored((1, "c:0", "verbosity", "brief"), (3, "c:2", "verbosity", "brief"))
    assert read_preference(rows, is_inferred=False) is None
