"""A yes in words that no rule knows: layers say which kinds an answer states, the question says what."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from factcheck.instant.core.tagged_words import TaggedPieces
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


@pytest.mark.parametrize(
    ("previous", "text", "kind", "value"),
    [
        ("You never want to see spiders in it, correct?", "akeed 7aram", "hard_ban", "spiders"),
        ("Помню, что на клубнику у вас аллергия.", "угу, опухаю как шар", "allergy", "strawberries"),
        ("You never want to see any spiders in it, correct?", "sa7 abadan", "hard_ban", "spiders"),
        ("Your waist is 34, yes?", "tamam ya basha", "body_params", "34"),
        ("So I'm looking for tents under 120 JOD?", "eh mazbout", "budget", "120 JOD"),
        ("I take it the funeral is tomorrow?", "sadly. 11 o'clock", "life_event", "funeral"),
        ("So no swearing from me, agreed?", "itfa2na", "instruction", "no swearing"),
        ("5月20号去领证,对吗?", "对呀😆", "life_event", "wedding"),
    ],
)
def test_a_yes_in_other_words_states_what_the_question_names(extract, previous, text, kind, value):
    assert not extract(text, previous=previous)
    (fact,) = extract(text, previous=previous, scorer=AboutScorer(kind))
    assert (fact.type, fact.value, fact.quote, fact.is_doubtful) == (kind, value, text, False)
    assert (fact.answers_previous, fact.pattern) == (True, f"answers/answer.{kind}.confirmed@words")


def test_what_protects_is_in_doubt_where_layers_are_less_than_sure(extract):
    scorer = AboutScorer("hard_ban", odds=2.0)
    (fact,) = extract("akeed 7aram", previous="You never want to see spiders in it, correct?", scorer=scorer)
    assert (fact.key, fact.is_doubtful) == ("spiders", True)


@pytest.mark.parametrize(
    ("previous", "text"),
    [
        ("You're a 46, right?", "48 these days"),
        ("You never want to see any spiders in it, correct?", "never say never"),
        ("So fish makes you sick, right?", "no, the oysters"),
        ("You don't eat pork, right?", "I do"),
        ("You're not allergic to nuts, right?", "tamam"),
        ("You used to be allergic to milk, right?", "tamam"),
        ("Should I remove nuts from your allergies?", "tamam"),
        ("Which of these is your allergy, nuts or milk?", "tamam"),
        ("Call me Rex. Will you follow me?", "tamam"),
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


def test_a_character_says_yes_to_nothing(extract):
    found = extract(
        "tamam", previous="Nuts are your allergy, still?", scorer=AboutScorer("allergy"), mode="in_character"
    )
    assert found == []
