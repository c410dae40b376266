import pytest

from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.messages import fold
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.core.withdrawn_values import blank_withdrawn, fold_without_withdrawn


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("eu 44, no wait, 45", "eu 45"),
        ("size 9, no, 9.5", "size 9.5"),
        ("300 euros no wait make it 350 euros", "make it 350 euros"),
        ("shoes im a 9 no wait just checked inside my vans. 9.5", "shoes im a just checked inside my vans. 9.5"),
        ("размер 17й, ой не, перемерила ниткой — 17,5", "размер перемерила ниткой — 17,5"),
        ("لارج، لا استنى، بعد الدايت بقيت ميديوم", "بعد الدايت بقيت ميديوم"),
        ("im a 34 waist, wait scratch that, 36 now", "im a 36 now"),
        ("M, sorry, L", "l"),
        ("обувь ношу 37, ой вру, 37,5", "обувь ношу 37,5"),
        ("рост 170, то есть 171", "рост 171"),
        ("محبسي قياسه تسعة لا لا عشرة", "محبسي قياسه عشره"),
        ("سبعين كيلو، قصدي ثمانين كيلو", "ثمانين كيلو"),
        ("jazmti 41 w nos, la sorry 42", "jazmti 42"),
        ("我穿44码,不对,45码", "我 穿 45 码"),
    ],
)
def test_a_value_that_its_author_takes_back_gives_way_to_the_next(text, left):
    blanked = blank_withdrawn(fold(text))

    assert "".join(blanked.split()) == "".join(left.split())
    assert len(blanked) == len(fold(text))


@pytest.mark.parametrize(
    "text",
    [
        "size 9, no 10s please",
        "9, no wait, what was the question?",
        "i'm 170 cm, no wait, don't tell my sister she's 165",
        "no wait i'm 5",
        "18 i mean it",
        "at 5, sorry i'm late, 10 min",
        "42, no",
        "no, 42",
        "38 или 39",
        "لا 42",
    ],
)
def test_nothing_is_taken_back_without_a_value_on_both_sides(text):
    assert blank_withdrawn(fold(text)) == fold(text)


def test_what_is_said_between_two_values_is_heard():
    compiled, concepts = load_shipped()
    facts = extract_facts("My size is 42, nut allergy, no wait, 43", compiled=compiled, concepts=concepts, now=SAID_AT)

    assert ("allergy", "nuts") in {(fact.type, fact.key) for fact in facts}


def test_what_is_quoted_stands_where_it_was_typed():
    typed = "обувь ношу 37, ой вру, 37,5!"
    message = fold_without_withdrawn(typed)
    place = message.text.index("37,5")

    assert message.quote(place, place + 4) == "37,5"


@pytest.mark.parametrize(
    ("text", "previous", "values"),
    [
        ("EU 44, no wait, 45", "What's your shoe size?", {"45"}),
        ("обувь ношу 37, ой вру, 37,5", "", {"37.5"}),
        ("my budget is 500 euros, no wait, 700 euros", "", {"700 EUR"}),
    ],
)
def test_the_last_value_is_the_fact(text, previous, values):
    compiled, concepts = load_shipped()
    facts = extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT, previous=previous)

    assert {fact.value for fact in facts} == values
