"""Whom a question of the assistant is about."""

from __future__ import annotations

import pytest

from factcheck.instant.core.messages import fold
from factcheck.instant.core.questions import detect_asked

OF_OTHERS = [
    "What's your father's weight?",
    "How much has your aunt put aside for the kettle?",
    "How tall is your paladin?",
    "What would the dragon in your story never eat?",
    "Какой у брата размер обуви?",
    "Сколько готова потратить ваша подруга?",
    "كم طول اختك؟",
    "هل زوجتك عندها حساسية؟",
    "kam 6ool o5tak?",
    "你妹妹对什么过敏?",
    "What can't the guests at your sister's table eat?",
]
OF_THE_READER = [
    ("What's your shoe size?", "shoe_size"),
    ("Do you or your kids have any allergies?", "allergy"),
    ("How much can you spend on your brother's present?", "budget"),
    ("Какой бюджет на подарок маме?", "budget"),
    ("У вас или у детей есть аллергия?", "allergy"),
    ("Any limits for your campaign?", "hard_ban"),
    ("What's the occasion? Your sister's wedding?", "life_event"),
    ("عندك حساسية من شي؟", "allergy"),
    ("你对什么过敏?", "allergy"),
]


@pytest.mark.parametrize("question", OF_OTHERS)
def test_what_somebody_else_is_asked_is_not_asked_of_the_reader(question):
    assert detect_asked(question) == ()


@pytest.mark.parametrize(("question", "asked"), OF_THE_READER)
def test_the_reader_is_asked(question, asked):
    assert detect_asked(question) == (asked,)


def test_a_question_is_read_folded():
    assert detect_asked(fold("КАКОЙ У БРАТА РОСТ?")) == ()
