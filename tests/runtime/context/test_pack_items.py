"""Found things as items of a pack."""

import datetime as dt

import pytest

from knowledge.text.tokens import count_tokens
from runtime.context.core.disposition_level import name_level
from runtime.context.core.facts import Fact, find_wished_language
from runtime.context.core.passages import quote_passage
from runtime.context.sources.facts import build_fact_items
from runtime.context.sources.instructions import MAX_INSTRUCTIONS_LENGTH, build_instruction_items

NOW = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)


def make_fact(id_=1, type_="budget", **values):
    base = {"key": "general", "value": "500 AED", "confidence": 0.95, "source": "batch", "evidence": (7,)}
    return Fact(id_, type_, **{**base, "valid_from": NOW - dt.timedelta(days=1), "is_disputed": False, **values})


@pytest.mark.parametrize(
    ("values", "template"),
    [
        ({}, "fact"),
        ({"source": "onboarding"}, "fact_reliable"),
        ({"source": "instant_pattern", "confidence": 0.89}, "fact"),
        ({"valid_from": NOW - dt.timedelta(days=91)}, "fact_old"),
        ({"source": "instant_pattern", "valid_from": NOW - dt.timedelta(days=91)}, "fact_reliable_old"),
        ({"source": "onboarding", "is_disputed": True}, "fact_disputed"),
        ({"type_": "allergy", "value": "nickel", "is_disputed": True}, "fact_disputed_kept"),
    ],
)
def test_line_of_a_fact_says_how_far_to_trust_it(values, template):
    (item,) = build_fact_items([make_fact(**values)], now=NOW)
    assert item.template == template


def test_safety_comes_first_and_is_protected_even_when_it_is_doubted():
    facts = [
        make_fact(1),
        make_fact(2, "allergy", value="nickel", is_disputed=True),
        make_fact(3, "hard_ban", value="x"),
    ]
    items = build_fact_items(facts, now=NOW)
    assert [(item.id, item.is_protected) for item in items] == [("fact:3", True), ("fact:2", True), ("fact:1", False)]


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("size", "M", "M"),
        ("shoe_size", "42", "42 (shoe size)"),
        ("nickel", "Nickel", "Nickel"),
        ("wedding_sister", "the wedding of my sister", "the wedding of my sister (wedding sister)"),
    ],
)
def test_key_of_a_fact_is_told_where_it_adds_something(key, value, text):
    assert build_fact_items([make_fact(key=key, value=value)], now=NOW)[0].text == text


def test_passage_is_quoted_around_the_words_of_the_query_in_whole_sentences():
    filler = [f"Sentence number {n} is about nothing of weight." for n in range(30)]
    text = " ".join([*filler[:20], "The ferry bell is rung at dusk.", *filler[20:]])
    quote = quote_passage(text, "Who rings the ferry bell?", limit=60)
    assert "The ferry bell is rung at dusk." in quote
    assert quote.startswith("… The ferry bell is rung at dusk. Sentence number 20")
    assert quote.endswith("of weight. …")
    assert count_tokens(quote) <= 60


def test_short_passage_is_quoted_whole_and_an_endless_sentence_is_cut():
    assert quote_passage("One.\n\nTwo **bold**.", "x", limit=50) == "One. Two bold ."
    assert (
        quote_passage("| Ward | Rule |\n| --- | --- |\n| Hill | bells |", "x", limit=50) == "Ward: Hill; Rule: bells."
    )
    endless = quote_passage("word " * 1000, "word", limit=40)
    assert endless.endswith(" …")
    assert 20 < count_tokens(endless) <= 40


LEVELS = {
    -5: "hostile",
    -3.5: "hostile",
    -3: "cold",
    -1: "cold",
    -0.9: "neutral",
    0: "neutral",
    1: "warm",
    5: "devoted",
}


@pytest.mark.parametrize(("value", "level"), LEVELS.items())
def test_standing_is_told_in_words(value, level):
    assert name_level(value, least=-5, most=5, initial=0) == level


def test_standing_on_a_scale_without_room_is_neutral():
    assert name_level(0, least=0, most=0, initial=0) == "neutral"
    assert name_level(10, least=0, most=10, initial=10) == "neutral"


def test_instructions_have_a_layer_of_their_own_kinds_first_within_a_bound():
    wishes = [make_fact(n, "instruction", key=f"wish_{n}", value="x" * 100) for n in range(10, 18)]
    facts = [make_fact(1), *wishes, make_fact(2, "instruction", key="name", value="Captain")]
    items = build_instruction_items(facts)
    assert [item.id for item in build_fact_items(facts, now=NOW)] == ["fact:1"]
    assert (items[0].id, items[0].terms) == ("fact:2", {"type": "instruction_name"})
    assert items[1].terms == {"type": "instruction_wish"}
    protected = [item for item in items if item.is_protected]
    assert items[: len(protected)] == protected
    assert len(protected) == 5
    assert sum(len(item.text) for item in protected) <= MAX_INSTRUCTIONS_LENGTH


def test_disputed_instruction_is_told_as_such_last_and_changes_no_language():
    doubted = make_fact(3, "instruction", key="language", value="German", is_disputed=True)
    items = build_instruction_items([doubted, make_fact(2, "instruction", key="say_hello", value="say hello")])
    assert [(item.id, item.template, item.is_protected) for item in items] == [
        ("fact:2", "instruction", True),
        ("fact:3", "instruction_disputed", False),
    ]
    assert find_wished_language([doubted]) is None
    assert find_wished_language([make_fact(4, "instruction", key="language", value="German")]) == "German"
