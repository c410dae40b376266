"""A number that a question names: kept as it is, put right, or picked by its place."""

import pytest

from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_sets import load_shipped


def read(question, answer):
    compiled, concepts = load_shipped()
    facts = extract_facts(answer, compiled=compiled, concepts=concepts, now=SAID_AT, previous=question)
    return {fact.key: fact.value for fact in facts}


@pytest.mark.parametrize(
    ("question", "answer", "key", "value"),
    [
        ("Is 400 still the limit for the pram?", "bumped it to 450 after payday", "general", "450"),
        ("Лимит прежний, 2000?", "неа, урезали, теперь 1500", "general", "1500"),
        ("预算还是3000对吧？", "嗯 没变", "general", "3000"),
        ("Is your budget still 300?", "no change", "general", "300"),
        ("Would under $50 suit you, or can you go up to $100?", "the second one I guess", "general", "100 USD"),
        ("محيط خصرك ٨٠ سم، صحيح؟", "كان زمان، صار ٨٦ بعد رمضان", "waist", "86"),
        ("Your waist is 80, right?", "it was, now 86", "waist", "86"),
        ("مقاسك كام في البنطلون؟", "كنت ٤٠ وبقيت ٤٤ بعد رمضان", "size", "44"),
        ("衣服穿什么码?", "以前S现在L", "size", "L"),
        ("What's your ring size?", "N and a half", "ring_size", "N 1/2"),
        ("What's your ring size?", "UK size N", "ring_size", "N"),
    ],
)
def test_the_answer_gives_the_value(question, answer, key, value):
    assert read(question, answer) == {key: value}


@pytest.mark.parametrize(
    ("question", "answer"),
    [("三围方便说一下吗?", "86 64 90"), ("Your measurements?", "86-64-90"), ("Какие у вас параметры?", "86/64/90")],
)
def test_three_numbers_are_bust_waist_and_hips(question, answer):
    assert read(question, answer) == {"chest": "86", "waist": "64", "hips": "90"}


def test_measures_that_are_named_are_those_that_are_asked():
    assert read("Your chest and waist measurements?", "86 64") == {"chest": "86", "waist": "64"}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How are your vitals?", "120 80 70"),
        ("What are the measurements of the room?", "400 300 250"),
        ("Can you share your measurements?", "86"),
        ("Sure! UK 6.5, up to £140. Waterproof or breathable?", "waterproof, it's the Lakes after all"),
        ("Is there a limit on gore?", "2 scenes ago there was some"),
        ("Your waist is 80, right?", "my sister's is 86"),
        ("Is 400 still the limit for the pram?", "the same shop has 3 of them"),
        ("What's your ring size?", "I have no clue"),
        ("What's your ring size?", "a plain band please"),
    ],
)
def test_what_is_no_value_gives_none(question, answer):
    assert read(question, answer) == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("не спрашивай меня больше про работу", "не спрашивай меня больше про работу"),
        ("не напоминай мне про воду никогда", "не напоминай мне про воду никогда"),
        ("напоминай мне про воду каждое утро", "напоминай мне про воду каждое утро"),
    ],
)
def test_a_wish_keeps_its_negation(text, value):
    assert value in read("", text).values()
