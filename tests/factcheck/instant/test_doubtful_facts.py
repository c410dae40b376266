"""What protects a person and is less than sure is heard in doubt: it is kept, and asked about."""

import pytest

from factcheck.instant.core.hearing_fit import KINDS, NEVER
from factcheck.instant.tagger_fit.choice import Weighed, choose_thresholds
from tests.factcheck.instant.test_semantic import SURE, UNHEARD, FixedScorer


def test_below_the_limit_a_fact_is_in_doubt_and_no_surer_than_its_odds(extract):
    (fact,) = extract(UNHEARD, scorer=FixedScorer(1.0, sure=2.0))
    assert (fact.key, fact.is_doubtful, fact.confidence) == ("hazelnuts", True, 0.73)
    (fact,) = extract(UNHEARD, scorer=FixedScorer(SURE, sure=2.0))
    assert (fact.key, fact.is_doubtful) == ("hazelnuts", False)


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to hazelnuts, could you remember that for the whole campaign",
        "I don't eat pork.",
        "Запиши: у меня аллергия на фундук.",
        "I don't drink",
    ],
)
def test_plain_statements_are_never_in_doubt(extract, text):
    (fact,) = extract(text, scorer=FixedScorer(1.0, sure=2.0))
    assert not fact.is_doubtful


def test_what_a_pattern_heard_among_other_words_can_be(extract):
    (fact,) = extract("hazelnuts give me hives lately, or was it the weather", scorer=FixedScorer(1.0, sure=2.0))
    assert (fact.pattern.startswith("semantic/"), fact.is_doubtful) == (False, True)


def test_sizes_and_sums_are_heard_or_not(extract):
    facts = extract("I wear size M and my budget is 300 euros", scorer=FixedScorer(1.0, sure=2.0))
    assert [(fact.type, fact.is_doubtful) for fact in facts] == [("body_params", False), ("budget", False)]


def test_limits_of_certainty_are_of_what_protects_alone():
    rows = [
        (Weighed(column, source, is_right=number >= 10, features=None, about=0.0, fold=0), float(number))
        for column in range(len(KINDS))
        for source in ("read", "heard")
        for number in range(40)
    ]
    found = choose_thresholds([each for each, _ in rows], [score for _, score in rows])
    assert 0 < found["allergy"].sure < 10 < found["allergy"].sure + 9
    assert found["allergy"].accept < found["allergy"].sure < NEVER
    assert found["budget"].sure == found["budget"].sure_heard == -NEVER


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to cats, not my character",
        "у меня кстати аллергия на кошек, настоящая, не персонажа",
    ],
)
def test_what_is_not_the_characters_is_the_authors(extract, text):
    assert [(fact.type, fact.key) for fact in extract(text)] == [("allergy", "cats")]
    assert extract("my character is allergic to cats, not me") == []
