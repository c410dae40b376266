"""What an assistant is to do once tells nothing of its author but events and what protects them."""

from __future__ import annotations

import pytest

from factcheck.instant.core.errands import is_errand
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.scorer import get_scorer


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("schedule a daily alarm for 7:30 pm until deleted", set()),
        ("Set an alarm for every ten minutes, starting at 5:30 and ending at 6 am.", set()),
        ("اضبط منبه يوميا للساعة 7:30 صباحا حتى حذفه", set()),
        ("أعط نجمتين من أصل 6 إلى 36 Children", set()),
        ("set a timer for the cake. no nuts in it please, i'm allergic", {"allergy"}),
        ("set an alarm for my wedding on saturday", {"life_event"}),
        ("from now on no more than two lines, my alarm goes at 5", {"instruction"}),
        ("a five star hotel, my budget is 200 euros a night", {"budget"}),
    ],
)
def test_an_errand_states_events_and_protection_alone(text, types, settings):
    settings.INSTANT_SEMANTIC = "inline"
    compiled, concepts = load_shipped()
    scorer = get_scorer()
    assert scorer is not None
    facts = extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT, scorer=scorer)
    assert {fact.type for fact in facts} == types


@pytest.mark.parametrize(
    ("folded", "is_one"),
    [
        ("please set the alarm to 7", True),
        ("rate this one four stars", True),
        ("give this novel two out of 6", True),
        ("заведи будильник на 7", True),
        ("取消 周六 的 闹钟", True),
        ("stop putting stars around what you do", False),
        ("never rate my poems, please", False),
        ("my alarm goes at 5", False),
        ("فندق خمس نجوم بميزانيه 200", False),
        ("انا من اصل مغربي", False),
        ("以后 别 给 我 的 画 打分", False),
    ],
)
def test_an_errand_is_an_order_of_an_alarm_or_a_rating(folded, is_one):
    assert is_errand(folded) == is_one
