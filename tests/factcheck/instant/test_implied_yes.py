"""A yes in words that no rule knows: layers say which kinds an answer states, the question says what."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from factcheck.instant.core.tagged_words import TaggedPieces
from factcheck.instant.scorer import get_scorer
from tests.factcheck.instant.test_semantic import UNSURE, FixedScorer
from tests.factcheck.instant.test_tagger_model import make_model

KINDS = ("allergy", "hard_ban", "body_params", "budget", "life_event", "instruction")


class AboutScorer(FixedScorer):
    """Takes each text for a statement of some kinds, and finds no word that states it."""

    def __init__(self, *kinds: str, odds: float = 4.0) -> None:
        super().__init__(UNSURE)
        self.tagger, self.version = replace(make_model(), kinds=KINDS), "words"
        self._about = np.array([odds if kind in kinds else -4.0 for kind in KINDS], np.float32)

    def tag(self, text: str) -> TaggedPieces:
        return TaggedPieces([], np.zeros((0, len(KINDS)), np.float32), self._about, np.zeros(3))


@pytest.fixture(autouse=True)
def _layers(settings):
    settings.INSTANT_SEMANTIC = "inline"


@pytest.mark.parametrize(
    ("previous", "text", "kind", "value"),
    [
        ("Помню, что на клубнику у вас аллергия.", "угу, опухаю как шар", "allergy", "strawberries"),
        ("Your waist is 34, yes?", "tamam ya basha", "body_params", "34"),
        ("So I'm looking for tents under 120 JOD?", "eh mazbout", "budget", "120 JOD"),
        ("I take it the funeral is tomorrow?", "yeah sadly. 11 o'clock", "life_event", "funeral"),
        ("So no swearing from me, agreed?", "itfa2na", "instruction", "no swearing"),
    ],
)
def test_a_yes_in_other_words_states_what_the_question_names(extract, previous, text, kind, value):
    assert not extract(text, previous=previous)
    (fact,) = extract(text, previous=previous, scorer=AboutScorer(kind))
    assert (fact.type, fact.value, fact.quote, fact.is_doubtful) == (kind, value, text, False)
    assert (fact.answers_previous, fact.pattern) == (True, f"answers/answer.{kind}.confirmed@words")


def test_what_protects_is_in_doubt_where_layers_are_less_than_sure(extract):
    scorer = AboutScorer("allergy", odds=2.0)
    (fact,) = extract("угу, опухаю как шар", previous="Помню, что на клубнику у вас аллергия.", scorer=scorer)
    assert (fact.key, fact.is_doubtful) == ("strawberries", True)


@pytest.mark.parametrize(
    ("previous", "text"),
    [
        ("You're a 46, right?", "48 these days"),
        ("You never want to see spiders in it, correct?", "bring them on"),
        ("You never want to see spiders in it, correct?", "leave them in please"),
        ("You don't eat pork, right?", "since when"),
        ("So you're allergic to peanuts, right?", "lies"),
        ("So you're allergic to peanuts, right?", "cured"),
        ("So you wear M?", "too tight"),
        ("So no swearing from me, agreed?", "swear away"),
        ("I'll keep spiders out of the story for good, ok?", "spiders are my favourite actually"),
        ("So your shoe size is 42, right?", "my brother's maybe"),
        ("So your shoe size is 42, right?", "my brother's"),
        ("Свинину исключаем навсегда, так?", "как хотите"),
        ("يعني مقاس حذائك 42؟", "يا ريت"),
        ("So your shoe size is 43, right?", "ya rait"),
        ("You never want to see any spiders in it, correct?", "never say never"),
        ("So fish makes you sick, right?", "no, the oysters"),
        ("You don't eat pork, right?", "I do"),
        ("You're not allergic to nuts, right?", "tamam"),
        ("You used to be allergic to milk, right?", "tamam"),
        ("Should I remove nuts from your allergies?", "tamam"),
        ("Which of these is your allergy, nuts or milk?", "tamam"),
        ("Call me Rex. Will you follow me?", "tamam"),
        ("I'm getting married tomorrow!", "yeah, nice"),
        ("I am allergic to nuts, sadly.", "yes, sad"),
        ("Does your husband wear a 42?", "tamam"),
        ("Shall I go above $75?", "tamam"),
        ("Аллергии на орехи нет?", "tamam"),
        ("You're allergic to nuts, right?", "tamam?"),
        ("You're allergic to nuts, right?", "well now that is a very long story of my aunt and her many cats"),
        ("", "tamam"),
    ],
)
def test_what_is_no_yes_or_no_check_states_nothing(extract, previous, text):
    found = extract(text, previous=previous, scorer=AboutScorer(*KINDS))
    assert not [fact for fact in found if "confirmed@" in fact.pattern]


def test_a_measure_of_its_own_is_no_yes(extract):
    scorer = get_scorer()
    found = extract("tamam, hips forty", previous="Your waist is 34, yes?", scorer=scorer)
    assert {(fact.key, fact.value) for fact in found} <= {("hips", "40")}


@pytest.mark.parametrize(
    ("previous", "text", "facts"),
    [
        ("You never eat pork, correct?", "akeed 7aram", {"pork"}),
        ("Would you prefer shorter replies from me?", "god yes", {"length"}),
        ("I noted peanuts and peaches as your allergies, still valid?", "eeeh lessa", {"peanuts", "peaches"}),
        ("You don't want to go over $75, right?", "yes", {"general"}),
        ("Ничего дороже 5000 рублей, верно?", "да", {"general"}),
        ("Should I keep spiders out of our story?", "bring them on", set()),
        ("Never any clowns in the story, correct?", "love em", set()),
        ("Вы не едите свинину, верно?", "ем", set()),
        ("У вас аллергия на орехи, верно?", "выдумки", set()),
    ],
)
def test_the_layers_that_ship_take_a_yes_for_one(extract, previous, text, facts):
    found = extract(text, previous=previous, scorer=get_scorer())
    assert {fact.key for fact in found if ".confirmed" in fact.pattern} == facts


def test_a_character_says_yes_to_nothing(extract):
    found = extract(
        "tamam", previous="Nuts are your allergy, still?", scorer=AboutScorer("allergy"), mode="in_character"
    )
    assert found == []
