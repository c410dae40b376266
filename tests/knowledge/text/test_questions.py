"""What questions ask for besides their words, and what turns are, in four languages."""

from __future__ import annotations

import datetime as dt

import pytest

from knowledge.text.analysis import analyse
from knowledge.text.questions import find_named, has_time, is_question, read_question


def read(text):
    return read_question(text, today=dt.date(2026, 3, 18))


@pytest.mark.parametrize(
    ("asked", "asks_when", "asks_of_self"),
    [
        ("When did I start the course?", True, True),
        ("How long has Melanie been creating art?", True, False),
        ("Which year did we meet?", True, False),
        ("What is my allergy?", False, True),
        ("What did you tell me about the ferry?", False, False),
        ("What whenever means", False, False),
        ("Когда я пошёл на курсы?", True, True),
        ("В каком году Саша переехала?", True, False),
        ("Как зовут мою собаку?", False, True),
        ("Что ты мне обещал?", False, False),
        ("متى بدأت أنا الدورة؟", True, True),
        ("كم يوماً بقي على السفر؟", True, False),
        ("وين رحت انت؟", False, False),
        ("我什么时候开始上课的？", True, True),
        ("小明住了多久？", True, False),
        ("你喜欢什么？", False, False),
    ],
)
def test_a_question_is_read(asked, asks_when, asks_of_self):
    reading = read(asked)
    assert (reading.asks_when, reading.asks_of_self) == (asks_when, asks_of_self)


@pytest.mark.parametrize(
    ("asked", "names", "named"),
    [
        ("What did Caroline research?", ["Caroline", "Melanie"], "Caroline"),
        ("What did Mel and her kids paint?", ["Caroline", "Melanie"], "Melanie"),
        ("How do Jon and Gina destress?", ["Jon", "Gina"], None),
        ("Where does Fahim work?", ["Fahim Khan", "Murad Khan"], "Fahim Khan"),
        ("Where does Khan work?", ["Fahim Khan", "Murad Khan"], None),
        ("Что Марине подарили на день рождения?", ["Марина", "Олег"], "Марина"),
        ("Что рассказывала Ода про маяк?", ["Oda Marr; Ода Марр", "Lena"], "Oda Marr; Ода Марр"),
        ("وين سافرت ليلى؟", ["ليلى", "سامر"], "ليلى"),
        ("小明在哪里工作？", ["小明", "丽丽"], "小明"),
        ("What is the weather?", ["Caroline", "Melanie"], None),
        ("anything", [], None),
    ],
)
def test_a_question_names_a_speaker(asked, names, named):
    assert find_named(read(asked), {name: name for name in names}) == named


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("How was it?", True), ("How was it?? 😊", True), ("Seen this? [image: a dog]", True), ("It was fun.", False),
        ("Why? Because it rained.", False), ("Ты идёшь?", True), ("كيف حالك؟", True), ("你好吗", True),
        ("好的。", False), ("", False), ("😊", False),
    ],
)  # fmt: skip
def test_a_turn_that_only_asks_is_told(said, asks):
    assert is_question(said) is asks


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("I started it yesterday.", True), ("We met in May, at the lake", True), ("It may rain", False),
        ("in 2019", True), ("two weeks ago", True), ("I like bread", False),
        ("Начала в прошлый вторник", True), ("Люблю хлеб", False),
        ("بدأت الدورة أمس", True), ("أحب الخبز", False), ("我昨天开始的", True), ("我喜欢面包", False),
    ],
)  # fmt: skip
def test_words_of_time_are_found(said, holds):
    assert has_time(analyse(said), said) is holds
