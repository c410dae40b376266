"""Denials that the words behind them turn: they were of somebody else, in mockery, or the allergy came back."""

import pytest

from tests.factcheck.instant.test_changed_values import detect

ENDED = {"ended", "replaced", "forgotten"}
SHELLFISH = ("allergy", "shellfish", "shellfish")
HAZELNUTS = ("allergy", "hazelnuts", "hazelnuts")
CATS = ("allergy", "cats", "cats")
DUST = ("allergy", "dust", "dust")
MILK = ("allergy", "milk", "milk")
SNAKES = ("hard_ban", "snakes", "snakes")
BLOOD = ("hard_ban", "blood", "blood")
ALCOHOL = ("hard_ban", "alcohol", "alcohol")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("no more hazelnut allergy!! my cousin, I mean. pass the epipen", HAZELNUTS),
        ("not allergic to cats anymore. it came back though when we moved", CATS),
        ("My shellfish allergy was gone for years. Then the hives came back worse", SHELLFISH),
        ("not allergic to milk after all! tests on my daughter came in today", MILK),
        ("snakes are fine now. i'm talking about my character, spare me", SNAKES),
        ("Прошла аллергия на кошек! У мамы, она счастлива", CATS),
        ("Аллергии на молоко больше нет, это я про племянника", MILK),
        ("Змеи теперь можно. Это я про своего персонажа", SNAKES),
        ("راحت حساسية الحليب الحمدلله! حق بنتي", MILK),
        ("ما عاد عندي حساسية من القطط، بعد سنة رجعت اقوى", CATS),
        ("اي طبعا، ما عاد عندي حساسية من الغبار وعيوني تدمع لحالها", DUST),
        ("ah tab3an, ra7at 7asasiyet el ghabra w ana ba3tos", DUST),
        ("khalas mafish 7asaseya men el laban, 2asdi ebni", MILK),
        ("牛奶不过敏了！我说的是我弟弟", MILK),
        ("对猫过敏好了，搬家以后又复发了", CATS),
        ("这一章破个例，血可以写", BLOOD),
        ("帮我翻成英文：我可以喝酒了", ALCOHOL),
    ],
)
def test_what_turns_behind_a_denial_leaves_the_fact(text, known):
    assert not ENDED & {each.effect for each in detect(text, known)}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("I'm not allergic to hazelnuts anymore, the tests came back clean", HAZELNUTS),
        ("not allergic to cats anymore! put them all back in the story", CATS),
        ("tested by my doctor. I'm not allergic to shellfish anymore and I mean it", SHELLFISH),
        ("my sister got a kitten and I'm not allergic to cats anymore", CATS),
        ("У меня больше нет аллергии на кошек, я вернулась к работе в приюте", CATS),
        ("ما عاد عندي حساسية من الحليب، رجعت اشربه كل يوم", MILK),
        ("我已经不对猫过敏了，我是认真的", CATS),
    ],
)
def test_what_only_looks_like_a_turn_lets_it_end(text, known):
    assert ENDED & {each.effect for each in detect(text, known)}


def test_whom_a_doctor_is_does_not_make_it_anothers():
    text = "so the allergist did the test, i ate a spoon of it in her office. officially not allergic to hazelnuts"
    assert ENDED & {each.effect for each in detect(text, HAZELNUTS)}
