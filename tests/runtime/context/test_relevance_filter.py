"""Which rules a message calls for, by its words alone and by meaning."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args, get_type_hints

import pytest

from knowledge.text.analysis import analyse
from runtime.config import load_budgets
from runtime.context.admin import REASONS
from runtime.context.api.shapes import CutItem
from runtime.context.core.pack import CutReason
from runtime.context.relevance_filter import FoundRule, judge_rule, weigh_message

FILTER = load_budgets().to_relevance_filter()
PASSAGES = 200
COMMON = 40
"""In so many passages an everyday word occurs."""
EVERYDAY = ("still", "tell", "night", "good", "love", "ночь", "рассказ")
RULE = FoundRule(
    "A grappled creature has speed 0. It is held until it breaks free, or the night ends.",
    names=("grappl", "grappl condit", "held fast"),
    headings=("Grappled [Condition]", "Breaking free of a hold"),
    similarity=None,
)


def judge(message, *, rule=RULE, relevance_filter=FILTER, searched=None, others=0, **frequencies):
    words = analyse(searched or message)
    common = {lexeme for word in EVERYDAY for lexeme in analyse(word)}
    counted = {each: frequencies.get(each, COMMON if each in common else others) for each in words}
    return judge_rule(
        relevance_filter, weigh_message(frozenset(analyse(message)), counted, passage_count=PASSAGES), rule
    )


@pytest.mark.parametrize(
    "message",
    ["Am I grappled?", "GRAPPLED!", "I want the guard to be held fast by two men", "we are breaking free of a hold"],
)
def test_a_rule_that_is_named_by_title_alias_or_heading_is_called_for(message):
    assert judge(message, others=30).is_relevant
    assert not judge(message, relevance_filter=replace(FILTER, named_share=1.1), others=30).is_relevant


def test_half_a_name_calls_for_nothing():
    verdict = judge("Was the feast held in winter, when the snow lay deep?", held=9)
    assert (verdict.is_relevant, 0 < verdict.share < FILTER.share) == (False, True)


def test_a_name_that_falls_by_the_way_in_a_long_message_calls_for_nothing():
    aside = "My brother wrote poems about harvests, orchards, weddings, candles, winters, grappled apples and rivers."
    verdict = judge(aside, grappl=9)
    assert (verdict.is_relevant, verdict.share < FILTER.named_share) == (False, True)
    assert judge(aside, relevance_filter=replace(FILTER, named_share=0), grappl=9).is_relevant


def test_a_rule_that_holds_most_of_what_is_said_is_called_for_unnamed():
    rule = replace(RULE, names=("rule",), headings=())
    assert judge("Is my speed zero until it breaks?", rule=rule, speed=3).is_relevant


@pytest.mark.parametrize("message", ["Good night!", "Tell of the night", "Love the night still"])
def test_words_of_every_day_call_for_nothing_however_short_the_message(message):
    verdict = judge(message)
    assert not verdict.is_relevant
    assert judge(message, relevance_filter=replace(FILTER, telling_words=0, share=0.2, named_share=0)).is_relevant


@pytest.mark.parametrize("message", ["", "?!", "…", "👍"])
def test_a_message_without_words_calls_for_nothing(message):
    assert judge(message) == judge("")
    assert (judge(message).is_relevant, judge(message).share) == (False, 0.0)


def test_what_was_not_searched_for_does_not_count():
    """Of a message that only asks, the place alone was searched for."""
    verdict = judge("What is it?", searched="grappled hall")
    assert (verdict.is_relevant, verdict.share) == (False, 0.0)


@pytest.mark.parametrize(("similarity", "is_relevant"), [(None, False), (0.44, False), (0.45, True), (0.9, True)])
def test_a_rule_that_is_near_in_meaning_needs_no_common_word(similarity, is_relevant):
    rule = replace(RULE, similarity=similarity)
    assert judge("Pin him to the ground", rule=rule).is_relevant is is_relevant


def test_a_name_of_a_language_without_spaces_is_found():
    rule = FoundRule("心惊的人不能花费火焰。", names=("心 心惊 惊",), headings=(), similarity=None)
    assert judge("我想解除他的心惊", rule=rule).is_relevant
    assert not judge("今天心情怎么样", rule=rule).is_relevant


def test_every_reason_of_a_cut_has_words_and_stands_in_the_api():
    reasons = list(get_args(CutReason))
    assert list(REASONS) == reasons
    assert get_type_hints(CutItem)["reason"] == CutReason
