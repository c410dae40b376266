"""What a short answer says about manner, where the assistant asks for it."""

from __future__ import annotations

import pytest

from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_sets import load_shipped
from knowledge.facts.core.types import WISH_TYPES

ANSWERS = [
    ("How should I address you?", "Dr. Osei is fine, I worked for it", ("name", "Dr. Osei")),
    ("What shall I call you?", "tuck", ("name", "tuck")),
    ("What shall I call you?", "just Wren", ("name", "Wren")),
    ("Как к вам обращаться?", "Раиса Львовна, если можно", ("name", "Раиса Львовна")),
    ("Как тебя звать?", "Тоха", ("name", "Тоха")),
    ("كيف أناديك؟", "أم ليان", ("name", "أم ليان")),
    ("Kif bnadik?", "Lulu", ("name", "Lulu")),
    ("怎么称呼您？", "叫我阿Ken就好", ("name", "阿Ken")),
    ("Which language do you prefer?", "Dutch please", ("language", "Dutch")),
    ("English or Polish?", "polish, my english is rusty", ("language", "Polish")),
    ("用中文还是英文？", "英文吧", ("language", "English")),
    ("بأي لغة أكتب لك؟", "إنجليزي لو سمحت", ("language", "English")),
    ("Formal or casual?", "casual pls", ("formality", "informal")),
    ("На «ты» или на «вы»?", "на вы, мы не знакомы", ("formality", "formal")),
    ("Long or short replies?", "short ones", ("length", "short answers")),
    ("详细一点还是简短？", "简短", ("length", "short answers")),
    ("Metric or imperial?", "inches, i'm from Utah", ("units", "imperial")),
    ("Should I use emoji?", "nope", ("emoji", "no emoji")),
    ("Мне о вас говорить в мужском или женском роде?", "в женском", ("pronouns", "feminine")),
    ("أخاطبك بصيغة المذكر أو المؤنث؟", "المذكر لو سمحت", ("pronouns", "masculine")),
]
NO_ANSWERS = [
    ("What shall I call you?", "whatever"),
    ("What shall I call you?", "the plumber wrote that already"),
    ("What shall I call you?", "why?"),
    ("What's your sister's name?", "Ella"),
    ("How are you called in the game?", "Thorin"),
    ("Как тебя звать?", "не скажу"),
    ("Which language do you prefer?", "no idea"),
    ("Formal or casual?", "not formal, not casual"),
    ("A male or a female voice for the narrator?", "a female one"),
    ("Should I address you in the masculine or feminine?", "I'm a woman but use masculine forms of nothing"),
    ("هل القط مذكر ولا مؤنث؟", "مذكر"),
    ("Мне о вас говорить в мужском или женском роде?", "в женском не надо"),
    ("Nice weather, isn't it?", "Dutch"),
    ("Should I use emoji?", "what is that"),
]


def read(question: str, text: str) -> list[tuple[str, str]]:
    compiled, concepts = load_shipped()
    facts = extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT, previous=question)
    return [(fact.key, str(fact.value)) for fact in facts if fact.type in WISH_TYPES]


@pytest.mark.parametrize(("question", "text", "wish"), ANSWERS)
def test_an_answer_states_the_wish_that_is_asked_for(question, text, wish):
    assert read(question, text) == [wish]


@pytest.mark.parametrize(("question", "text"), NO_ANSWERS)
def test_an_answer_that_states_none(question, text):
    assert read(question, text) == []


def test_without_a_question_a_name_is_no_wish():
    assert read("", "Wren") == []
