"""Questions that remind of what was said state it; those that ask whether it is so do not."""

from __future__ import annotations

import pytest

from factcheck.instant.core.narrative_modes import detect_narrative_mode


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("you do remember i'm allergic to kiwi right?", ("allergy", "kiwi")),
        ("ты же помнишь, что мне нельзя орехи?", ("hard_ban", "nuts")),
        ("Лис, ты помнишь что у меня аллергия на мёд? чаю бы", ("allergy", "honey")),
        ("فاكرة إني عندي حساسية من السمك؟", ("allergy", "fish")),
        ("Salma inti 3arfa eny 3andy 7asaseya mn el asal s7?", ("allergy", "honey")),
        ("阿狸，你知道我不吃香菜的吧？", ("hard_ban", "cilantro")),
        ("آني عندي حساسية من البيض، شسوي للريوگ؟", ("allergy", "eggs")),
    ],
)
def test_a_question_that_reminds_states_what_it_reminds_of(extract, text, fact):
    assert [(each.type, each.key) for each in extract(text)] == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "do you know if i'm allergic to nuts?",
        "do you remember when my brother was allergic to nuts?",
        "did you know that my brother is allergic to cats?",
        "ты знаешь что такое аллергия на мёд?",
        "ты знаешь, что мне нравится кожа?",
        "هل تعرف إذا كان عندي حساسية من الفول؟",
        "am i allergic to kiwi?",
    ],
)
def test_a_question_whether_it_is_so_states_nothing(extract, text):
    assert not extract(text)


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("*waves* hi! i'm allergic to peanuts irl", "unknown"),
        ("*улыбается* у меня в реале аллергия на орехи", "unknown"),
        ("*coughs* I'm allergic to dust, traveller", "in_character"),
        ("*says: irl I'd never* I'm allergic to dust, traveller", "in_character"),
    ],
)
def test_beside_an_action_a_player_may_speak_of_real_life(text, mode):
    assert detect_narrative_mode(text) == mode


def test_what_is_said_of_real_life_beside_an_action_is_heard(extract):
    assert [each.key for each in extract("*waves* hi! i'm allergic to peanuts irl")] == ["peanuts"]
    assert not extract('*waves* "i am allergic to peanuts", he says. irl it is raining')
