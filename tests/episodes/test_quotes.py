"""A text cut at its quotes: nothing of it is lost, and a quote is seen even where an excerpt would cut it off."""

from __future__ import annotations

import random

from episodes.conversations.core.excerpts import GAP, make_excerpt
from episodes.facts.core import split_excerpt, split_segments


def mark_quotes(segments):
    return "".join(f"[{each.text}]" if each.is_marked else each.text for each in segments)


def test_quotes_are_marked_in_their_place():
    assert mark_quotes(split_segments("I hate figs. Ok?", [(2, 11)])) == "I [hate figs]. Ok?"
    assert mark_quotes(split_segments("عندي حساسية من التين", [(5, 20)])) == "عندي [حساسية من التين]"
    assert mark_quotes(split_segments("figs", [])) == "figs"
    assert split_segments("", [(0, 3)]) == []


def test_overlapping_and_impossible_ranges_lose_nothing():
    assert mark_quotes(split_segments("0123456789", [(5, 8), (2, 6), (9, 40), (50, 60), (4, 4)])) == "01[2345][67]8[9]"


def test_any_ranges_keep_the_whole_text():
    chance = random.Random(37)
    text = "".join(chance.choices("abc дё ع", k=60))
    for _ in range(200):
        ranges = [(chance.randrange(70), chance.randrange(70)) for _ in range(chance.randrange(5))]
        assert "".join(each.text for each in split_segments(text, ranges)) == text


def test_an_excerpt_shows_a_quote_that_it_would_cut_off():
    content = "a" * 900 + " I am allergic to figs. " + "b" * 900
    start = content.index("I am")
    told = mark_quotes(split_excerpt(content, [(start, start + 21)]))
    assert "[I am allergic to figs]" in told
    assert told.count(GAP) == 2
    assert len(told) < 800


def test_an_excerpt_without_quotes_is_the_excerpt():
    for length in (10, 500, 501, 3000):
        for memory_type in ("", "fact"):
            content = "word " * (length // 5)
            assert mark_quotes(split_excerpt(content, [], memory_type=memory_type)) == make_excerpt(
                content, memory_type=memory_type
            )
