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
        "did i mention that my sister's budget is 500?",
        "you know my ex is allergic to nuts, right?",
        "you know I doubt I'm allergic to gluten, right?",
        "знаешь, что я пошутил, что у меня аллергия на пыль?",
        "تعرف اني مزحت وقلت عندي حساسية من الفول؟",
        "من وين تعرف اني عندي حساسية من الفول؟",
        "我想知道我对不对虾过敏？",
        "医生也不知道我对虾过敏吗？",
    ],
)
def test_a_question_whether_it_is_so_states_nothing(extract, text):
    assert not extract(text)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("*waves* hi! i'm allergic to peanuts irl", ["peanuts"]),
        ("*улыбается* у меня в реале аллергия на орехи", ["nuts"]),
        ("*waves* in real life, i'm allergic to peanuts", ["peanuts"]),
        ('*bows low* "I am allergic to peanuts in real life"', []),
        ("— в реальной жизни у меня аллергия на орехи, — сказал эльф", []),
        ("IC: in real life i am allergic to peanuts", []),
        ("*coughs* I'm allergic to dust, traveller", []),
        ("*says: irl I'd never* I'm allergic to dust, traveller", []),
        ("*hisses* I'm allergic to garlic! not irl though", []),
        ("*шипит* у меня аллергия на чеснок, а в реальной жизни я его обожаю", []),
        ("*nods* I'm allergic to silver. irl it is raining", []),
        ("*shhh* في الحقيقة انا عندي حساسية من الفضة يا مولاي", []),
    ],
)
def test_beside_an_action_a_clause_about_real_life_is_its_players(extract, text, keys):
    assert detect_narrative_mode(text) == "in_character"
    assert [each.key for each in extract(text)] == keys
