"""A message beside known facts as one text: where its parts stand, and which letters name which fact."""

from factcheck.instant.core.change_cases import (
    MAX_ASKED_LENGTH,
    MAX_CASE_FACTS,
    MAX_MESSAGE_LENGTH,
    ChangeCase,
    choose_facts,
    describe_fact,
)
from factcheck.instant.core.known_facts import KnownFact

NUTS = KnownFact(1, "allergy", "nuts", "nuts")
SHOES = KnownFact(2, "body_params", "shoe_size", "42")
NAME = KnownFact(3, "instruction", "name", "Skipper")
LIVER = KnownFact(4, "hard_ban", "liver", "kebdeh")
SUM = KnownFact(5, "budget", "general", "60 USD")


def test_facts_are_told_in_a_few_words():
    told = [describe_fact(each) for each in (NUTS, SHOES, NAME, LIVER, SUM)]
    assert told == ["allergy: nuts", "shoe size: 42", "wish name: Skipper", "never: kebdeh (liver)", "budget: 60 USD"]


def test_the_parts_of_a_case_stand_where_it_says(concepts):
    written = ChangeCase((NUTS, SHOES), "Which size?", "43 now, and nuts are fine").write(concepts)
    assert written.text == "allergy: nuts | shoe size: 42 || Which size? || 43 now, and nuts are fine"
    assert [written.text[start:end] for start, end in written.facts] == ["allergy: nuts", "shoe size: 42"]
    assert written.text[written.start :] == "43 now, and nuts are fine"


def test_letters_are_marked_with_the_fact_that_they_tell_or_name(concepts):
    written = ChangeCase((SHOES, NUTS), "No nuts, and size 42?", "орехи мне уже можно").write(concepts)
    named = {
        number: "".join(letter for letter, mark in zip(written.text, written.marks, strict=True) if mark == number)
        for number in (1, 2)
    }
    assert named == {1: "shoe size: 4242", 2: "allergy: nutsnutsорехи"}


def test_long_texts_are_cut_where_least_is_lost(concepts):
    written = ChangeCase((NUTS,), "x" * 500 + " end", "start " + "y" * 900).write(concepts)
    _, asked, text = written.text.split(" || ")
    assert (len(asked), asked[-3:]) == (MAX_ASKED_LENGTH, "end")
    assert (len(text), text[:5]) == (MAX_MESSAGE_LENGTH, "start")
    assert len(written.marks) == len(written.text)


def test_of_many_facts_those_are_read_that_are_named(concepts):
    many = [KnownFact(10 + number, "hard_ban", f"thing_{number}", f"thing {number}") for number in range(9)]
    chosen = choose_facts([NUTS, SUM, *many], asked="A leash for 60 USD?", text="nuts are fine", concepts=concepts)
    assert len(chosen) == MAX_CASE_FACTS
    assert chosen[:2] == (NUTS, SUM)
    assert [each.id for each in chosen[2:]] == [18, 17, 16, 15]  # the latest
