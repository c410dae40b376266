from collections import Counter

import pytest

from knowledge.text.analysis import analyse, lexeme_counts
from knowledge.text.queries import leave_out_question_words


@pytest.mark.parametrize(
    ("question", "telling"),
    [
        ("how do I escape a grapple", "escape grapple"),
        ("Сколько длится короткий отдых?", "длится короткий отдых"),
        ("متى بني باب الملح", "بني باب الملح"),
        ("谁设计的", "设计"),
    ],
)
def test_words_that_only_ask_are_left_out(question, telling):
    assert set(analyse(telling)) <= set(leave_out_question_words(lexeme_counts(question)))
    assert not set(analyse("how do i a сколько متى 谁")) & set(leave_out_question_words(lexeme_counts(question)))


@pytest.mark.parametrize("question", ["who", "что это", "的", "The Who"])
def test_a_query_of_nothing_else_keeps_them(question):
    assert leave_out_question_words(lexeme_counts(question)) == lexeme_counts(question)


def test_repeats_of_telling_words_count_as_before():
    assert leave_out_question_words(Counter({"bell": 2, "how": 1})) == Counter({"bell": 2})


@pytest.mark.parametrize("character", ["么", "为", "什"])
def test_single_characters_of_question_words_stay(character):
    assert character in leave_out_question_words(lexeme_counts(f"{character}山"))
