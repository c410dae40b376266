"""A yes with more behind it, and what it is said to in other words: "yes on friday", "october but yeah"."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("previous", "text", "expected"),
    [
        ("You're getting married in May, right?", "yeah! so nervous", [("life_event", "wedding")]),
        ("You're having your operation on Tuesday?", "yeah can't wait for it to be over", [("life_event", "surgery")]),
        ("So you're moving to Bristol in September?", "october but yeah. boxes everywhere", [("life_event", "move")]),
        ("Верно ли, что вы переезжаете в Казань?", "ага в субботу уже", [("life_event", "move")]),
        ("Вы говорили, что переезжаете в Казань. Всё в силе?", "да, билеты взял", [("life_event", "move")]),
        ("您说下周要搬去成都，是吗？", "嗯 周六搬", [("life_event", "move")]),
        ("إذن ستسافر إلى ماليزيا الأسبوع القادم؟", "اي ان شاء الله، الثلاثاء", [("life_event", "trip")]),
        ("Ya3ni el 3amaleya bokra, sa7?", "aywa 7 el sob7", [("life_event", "surgery")]),
        ("You mentioned shellfish makes you ill. Still true?", "still does", [("allergy", "shellfish")]),
        ("您的青霉素过敏还需要继续备注吗?", "要的,别删", [("allergy", "penicillin")]),
        ("以后都不给您推荐含酒精的商品了,是吗?", "对 戒了", [("hard_ban", "alcohol")]),
        ("Спиртное вам никогда не предлагать, верно?", "правильно понимаешь, брат", [("hard_ban", "alcohol")]),
        ("You never want to see spiders in it, correct?", "akeed 7aram", [("hard_ban", "spiders")]),
        (
            "Ya3ni ma tabi ay shay fih khanzeer, sa7?",
            "sa7 3alaik, wala gelatin",
            [("hard_ban", "gelatin"), ("hard_ban", "pork")],
        ),
        ("A7ot el max 120 riyal?", "eeh zain, la tet3adda", [("budget", "general")]),
        ("Запишу размер 56, так?", "так точно, и рост 190", [("body_params", "height_cm"), ("body_params", "size")]),
        ("Sho el size? 38?", "mazboot", [("body_params", "size")]),
        ("Sho el size? 38?", "mazboot 7abibi", [("body_params", "size")]),
        ("You never want to see any spiders in it, correct?", "sa7 abadan", [("hard_ban", "spiders")]),
        ("5月20号去领证,对吗?", "对呀😆", [("life_event", "wedding")]),
        ("You're allergic to nuts, right?", "yes, nearly died when i was six", [("allergy", "nuts")]),
        ("You're allergic to nuts, right?", "yeah im used to it", [("allergy", "nuts")]),
        ("У вас аллергия на орехи, верно?", "да, раньше уже говорил", [("allergy", "nuts")]),
    ],
)
def test_a_yes_confirms_what_was_asked_whatever_stands_behind_it(extract, previous, text, expected):
    assert sorted((fact.type, fact.key) for fact in extract(text, previous=previous)) == expected


@pytest.mark.parametrize(
    ("previous", "text"),
    [
        ("You're getting married in May, right?", "yeah right"),
        ("You're getting married in May, right?", "yeah we called it off"),
        ("You're getting married in May, right?", "yes, it was cancelled"),
        ("Вы женитесь в мае, да?", "да отменили уже"),
        ("您要办婚礼了吗?", "是的 取消了"),
        ("You're allergic to nuts and milk, right?", "yes both, well not the milk anymore"),
        ("You can't have milk, right?", "yes I can"),
        ("You don't eat pork, right?", "yes I do"),
        ("You're allergic to cats, yes?", "yes as a kid"),
        ("У тебя аллергия на кошек?", "да в детстве была"),
        ("أنت عندك حساسية من القطط، صحيح؟", "ايه زمان كانت"),
        ("您对花生过敏吗?", "是的 小时候"),
        ("So you're a 38, right?", "yes in 2019"),
        ("Your character is allergic to silver, right?", "yes on tuesdays"),
        ("Allergic to nuts?", "yeah no, not even once"),
        ("You don't drink, right?", "yeah on fridays I do"),
        ("You don't drink alcohol, right?", "yeah only on weekends"),
        ("Are you allergic to peanuts?", "yes in the game"),
        ("Are you allergic to peanuts?", "yes until last year"),
        ("У вас аллергия на орехи?", "да я их обожаю"),
        ("你对花生过敏吗？", "嗯现在好了"),
        ("Is your shoe size 42?", "yes it was before pregnancy"),
        ("You're getting married in October, right?", "october but yeah, my sister"),
        ("Аллергия на орехи?", "да нет, ни разу"),
        ("You don't eat pork, right?", "still do"),
        ("You're allergic to cats, right?", "not anymore but yes i used to"),
        ("You're allergic to cats, right?", "my brother but yes"),
    ],
)
def test_a_yes_that_is_taken_back_or_of_something_else_states_nothing(extract, previous, text):
    assert not extract(text, previous=previous)
