"""Plain English is asked for nothing in Arabizi: "nanas" is a grandmother's there, and no pineapple."""

import pytest

from factcheck.instant.core.arabizi import is_plain_english
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.messages import fold
from factcheck.instant.core.pattern_sets import load_shipped


def read_facts(text, question=""):
    compiled, concepts = load_shipped()
    facts = extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT, previous=question)
    return [(fact.type, fact.key) for fact in facts]


@pytest.mark.parametrize(
    ("text", "is_english"),
    [
        ("we were at my nana's when I was six and that was it", True),
        ("the guard looks at you and says nothing", True),
        ("allergic to nuts", False),
        ("ana allergic lal nuts, my doctor said that this is it", False),
        ("3andi 7asasiya and my doctor knows that this is bad", False),
        ("mesh 3ayza the one that my mom has", False),
        ("my doctor said that I have hasasiya to peanuts and it's bad", False),
        ("Mabakolsh lahma and my wife would like the same", False),
        ("nabati 100% and would like the menu for two, please", False),
        ("teta tewaffat and it was at home with us all there", False),
        ("ana, with the one that you have and my own", False),
        ("", False),
    ],
)
def test_frequent_words_make_it_english_unless_one_may_be_arabizi(text, is_english):
    assert is_plain_english(fold(text)) == is_english


@pytest.mark.parametrize(
    "text",
    [
        "my nanas house has an epipen in the kitchen, that was when I was there",
        "Cats were there, twenty minutes at my sister's and I look like I lost a boxing match.",
    ],
)
def test_english_words_that_arabizi_has_too_state_nothing(text):
    assert not {("allergy", "pineapple"), ("hard_ban", "sports")} & {*read_facts(text)}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("ana 3andi allergy men el beid, my doctor said that", ("allergy", "eggs")),
        ("ma bakol samak but I like the rest of the menu", ("hard_ban", "fish")),
        ("teta tewaffat mbere7 and it was at home with us all there", ("life_event", "death")),
    ],
)
def test_arabizi_with_english_words_is_heard(text, fact):
    assert fact in read_facts(text)
