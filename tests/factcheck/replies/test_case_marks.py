"""What the judge is told of each word of a case: whether the other side has it."""

from __future__ import annotations

from itertools import groupby

import pytest

from factcheck.claims.core.case_marks import MARKS, OF_PASSAGE, Mark, mark_case
from factcheck.claims.core.judged_cases import JudgedCase
from factcheck.claims.core.replies.lexicon import load_lexicon


def list_marked(passage: str, reply: str) -> dict[str, Mark]:
    """The marked words of the reply, and those of the passage with `<` before them."""
    case = JudgedCase("Title", passage, "Nine or ten?", reply)
    text, start = case.write()
    marks = mark_case(case, load_lexicon())
    assert len(marks) == len(text)
    assert max(marks) < MARKS
    found = {}
    for mark, places in groupby(range(len(text)), key=lambda place: marks[place]):
        letters = list(places)
        words = text[letters[0] : letters[-1] + 1]
        if mark and letters[0] >= start:
            found[words] = Mark(mark)
        elif mark:
            found[f"<{words}"] = Mark(mark - OF_PASSAGE)
    return found


@pytest.mark.parametrize(
    ("passage", "reply", "words", "mark"),
    [
        ("The bridge has 9 arches.", "Nine, friend.", "Nine", Mark.NUMBER_OF_BOTH),
        ("The bridge has nine arches.", "We've got 19 of them.", "19", Mark.NUMBER_OF_ONE),
        ("Мост стоит на девяти опорах.", "Опор там 9.", "9", Mark.NUMBER_OF_BOTH),
        ("للجسر تسعة أقواس.", "عددها ١٩ قوسًا.", "١٩", Mark.NUMBER_OF_ONE),
        ("桥有九个拱。", "一共十九个拱。", "十九", Mark.NUMBER_OF_ONE),
        ("The door is red.", "Look for the blue one.", "blue", Mark.VALUE_DIFFERS),
        ("The door is red.", "The red one.", "red", Mark.VALUE_OF_BOTH),
        ("The door is old.", "The red one.", "red", Mark.VALUE_OF_ONE),
        ("The keeper is Bram.", "Old Bram keeps it.", "Bram", Mark.WORD_OF_BOTH),
        ("The keeper is Bram.", "Orla, of course.", "Orla", Mark.WORD_OF_ONE),
    ],
)
def test_each_word_of_a_reply_is_marked_by_what_the_passage_has_of_it(passage, reply, words, mark):
    assert list_marked(passage, reply)[words] is mark


def test_words_of_the_passage_are_marked_by_what_the_reply_has_of_them():
    marked = list_marked("Bram opened the red gate in 590.", "In 612, and it was blue. Ask Bram.")
    assert (marked["<Bram"], marked["<red"], marked["<590"]) == (
        Mark.WORD_OF_BOTH,
        Mark.VALUE_DIFFERS,
        Mark.NUMBER_OF_ONE,
    )


def test_title_and_question_have_no_marks():
    case = JudgedCase("Nine Arches", "The bridge has nine arches.", "Has it nine arches?", "Nine.")
    text, start = case.write()
    first, last = case.find_passage()
    marks = mark_case(case, load_lexicon())
    assert not any(marks[:first] + marks[last:start])
    assert text[first:last] == case.passage


def test_marks_stand_under_the_letters_that_they_are_of_where_vowel_signs_are_written():
    marked = list_marked("الحارسُ رَجُلٌ عجوز.", "حارسٌ عَجُوزٌ")
    assert marked["عَجُوزٌ"] is Mark.WORD_OF_BOTH


def test_an_empty_side_marks_nothing_of_itself():
    assert list_marked("", "Nine gates.") == {"Nine": Mark.NUMBER_OF_ONE, "gates": Mark.WORD_OF_ONE}
    assert not [words for words in list_marked("The bridge has nine arches.", "") if not words.startswith("<")]
