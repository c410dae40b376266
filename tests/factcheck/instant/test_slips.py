"""Slips that players mend right behind: "oops, not peaches, apricots"."""

import pytest

from factcheck.instant.core.corrections import may_correct, may_take_back
from factcheck.instant.core.pattern_sets import load_shipped
from tests.factcheck.instant.test_changed_values import detect

PEACHES = ("allergy", "peaches", "peaches")
SESAME = ("allergy", "sesame", "sesame")
SPANISH = ("instruction", "language", "Spanish")
JONATHAN = ("instruction", "name", "Jonathan")
ALMONDS = ("allergy", "almonds", "almonds")
DOGS = ("allergy", "dogs", "dogs")
LEATHER = ("hard_ban", "leather", "leather")
FOX = ("instruction", "name", "Лисичка")
MANGO = ("allergy", "mango", "mango")
RATS = ("hard_ban", "rats", "rats")
IODINE = ("allergy", "iodine", "碘伏")
PEANUTS = ("allergy", "peanuts", "peanuts")
GLUTEN = ("allergy", "gluten", "gluten")
MISTAKES = ("mix them up", "путаю", "перепутала", "ошиблась", "غلطت", "错了")
LEOPARD = ("instruction", "name", "阿豹")


@pytest.mark.parametrize(
    ("text", "known", "key"),
    [
        ("oops not peaches, apricots! always mix them up", PEACHES, "apricots"),
        ("And sorry, wrong seed!! It's mustard I'm allergic to, not sesame. Pure brain fog today", SESAME, "mustard"),
        ("hmm no. not Jonathan, Jonty", JONATHAN, "name"),
        ("sorry I meant cashews, not almonds", ALMONDS, "cashews"),
        ("wait no it's cats not dogs", DOGS, "cats"),
        ("correction: it's latex, not leather", LEATHER, "latex"),
        ("ой не персики, абрикосы! вечно их путаю", PEACHES, "apricots"),
        ("я имела в виду кешью, а не миндаль", ALMONDS, "cashews"),
        ("Не Лисичка, а Лиса", FOX, "name"),
        ("перепутала: не глютен, а лактоза", GLUTEN, "lactose"),
        ("اسف مو لوز، كاجو", ALMONDS, "cashews"),
        ("Sorry, I meant Portuguese, not Spanish.", SPANISH, "language"),
        ("Portuguese then, not Spanish", SPANISH, "language"),
        ("нет, не на испанском, на португальском", SPANISH, "language"),
        ("ой слуш, не на миндаль, на фундук)) вечно их путаю", ALMONDS, "hazelnuts"),
        ("说错了，不是花生，是腰果", PEANUTS, "cashews"),
        ("打错了打错了 不是花生 是螃蟹", PEANUTS, "crab"),
        ("我说的是腰果，不是花生", PEANUTS, "cashews"),
        ("叫我阿宝，不是阿豹", LEOPARD, "name"),
        ("no not almonds. cashews, sorry", ALMONDS, "cashews"),
        ("my bad, cats, not dogs", DOGS, "cats"),
        ("ошиблась, на кошек, не на собак", DOGS, "cats"),
        ("la2 sorry msh el manga, el ananas", MANGO, "pineapple"),
        ("لا لا غلطت بالاسم، مو السمسم، الحبة السودة", SESAME, "حبه_سوده"),
        ("قصدي الصراصير مش الفيران", RATS, "cockroaches"),
        ("啊打错了，我过敏的是酒精，不是碘伏", IODINE, "alcohol"),
    ],
)
def test_what_was_meant_is_known_and_a_slip_is_taken_back_or_in_doubt(text, known, key):
    assert may_correct(text, compiled=load_shipped()[0])
    assert may_take_back(text)
    (correction,) = detect(text, known, just_said=True)
    is_named = any(word in text for word in ("allergic", "过敏", *MISTAKES)) and key != "حبه_سوده"
    is_plain = known[1] in ("name", "language") or is_named
    assert (correction.effect, correction.replacement.key) == ("replaced" if is_plain else "disputed", key)


@pytest.mark.parametrize(
    ("text", "known", "key"),
    [
        ("not almonds, cashews", ALMONDS, "cashews"),
        ("не собаки, а кошки", DOGS, "cats"),
        ("不是花生，是腰果", PEANUTS, "cashews"),
    ],
)
def test_without_a_word_that_it_was_a_slip_the_other_is_added_and_the_first_stays_in_doubt(text, known, key):
    (correction,) = detect(text, known, just_said=True)
    assert (correction.effect, correction.replacement.key) == ("disputed", key)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("not almonds, thanks", ALMONDS),
        ("not peaches again, please", PEACHES),
        ("no, not peaches, never", PEACHES),
        ("not today, maybe cashews", ALMONDS),
        ("he meant peaches, not apricots", PEACHES),
        ("I'd like cashews, not almonds", ALMONDS),
        ("give me cashews, not almonds", ALMONDS),
        ("not peaches, but the plums look good", PEACHES),
        ("not almonds, cashews please", ALMONDS),
        ("sorry, not almonds again", ALMONDS),
        ("sorry but not leather", LEATHER),
        ("Не персики, пожалуйста", PEACHES),
        ("дай кешью, а не миндаль", ALMONDS),
        ("не миндаль же", ALMONDS),
        ("أعطني كاجو مش لوز", ALMONDS),
        ("3ayez kaju msh loz", ALMONDS),
        ("我要腰果，不要花生", PEANUTS),
        ("不要花生，谢谢", PEANUTS),
        ("not Jonathan, he is away", JONATHAN),
        ("not almonds, cashews?", ALMONDS),
        ('"not almonds, cashews" she said', ALMONDS),
        ("the recipe says not almonds, cashews", ALMONDS),
        ("if it's cats, not dogs, fine", DOGS),
        ("my son: cats, not dogs", DOGS),
        ("sorry, not dogs, right", DOGS),
        ("not leather, definitely", LEATHER),
        ("not dogs, not cats", DOGS),
    ],
)
def test_orders_questions_and_others_words_are_no_slips(text, known):
    assert [each for each in detect(text, known, just_said=True) if each.facts] == []


@pytest.mark.parametrize(
    ("text", "known", "key"),
    [
        ("ugh sorry brain fog. not latex, nickel", ("allergy", "latex", "latex"), "nickel"),
        ("блин я перепутала, не ланолин а прополис", ("allergy", "lanolin", "lanolin"), "propolis"),
        ("عفوا غلطت، مو اللوز، الفستق", ALMONDS, "pistachios"),
        ("smeh lia ghlett, machi l fraise, l kiwi", ("allergy", "strawberries", "strawberries"), "kiwi"),
        ("ana katabt 8alat, msh el gambary, el samak", ("allergy", "shrimp", "shrimp"), "fish"),
        ("sorry brain fog, it's not almonds, it's cashews. almonds i eat by the fistful", ALMONDS, "cashews"),
        ("استنى انا لخبطت، مش السمسم، الخردل هو اللي عندي حساسية منه. السمسم عادي", SESAME, "mustard"),
        ("记错了，是腰果不是杏仁", ALMONDS, "cashews"),
        ("i misspoke earlier, it's soy not sesame", SESAME, "soy"),
    ],
)
def test_who_calls_the_last_words_a_mistake_takes_them_back(text, known, key):
    (correction,) = detect(text, known, just_said=True)
    assert (correction.effect, correction.replacement.key) == ("replaced", key)


@pytest.mark.parametrize(
    "text",
    [
        "wrong one, not peaches, plums",
        "you mixed them up: not peaches, plums",
        "ты перепутал: не персики, а сливы",
        "你搞错了，不是桃子，是李子",
        "typo in the menu: not peaches, plums please",
        "i mixed up the jars, not peaches, plums go in the cake",
        "my sister mixed it up, it's plums not peaches",
        "typo, not peaches, beaches",
        "i got it wrong, not peaches but bolts",
    ],
)
def test_the_mistake_of_another_or_about_another_thing_ends_nothing(text):
    assert not any(each.effect in ("ended", "replaced") for each in detect(text, PEACHES, just_said=True))


def test_a_slip_is_of_what_was_said_last():
    assert detect("sorry I meant cashews, not almonds", ALMONDS) == []


@pytest.mark.parametrize(
    "text",
    [
        "sorry, is it walnuts, not peanuts, in this recipe",
        "I mean cashews, not peanuts, in the salad",
        "I meant the waiter brought cashews, not peanuts",
        "sorry, but not peanuts! almonds!",
        "sorry to bother, almonds, not peanuts",
        "извините, лучше миндаль, а не арахис",
        "不好意思，要腰果，不是花生",
    ],
)
def test_an_order_ends_no_allergy(text):
    assert not any(each.effect in ("ended", "replaced") for each in detect(text, PEANUTS, just_said=True))


@pytest.mark.parametrize("word", ["haha ", "sorry ", "please just and ", "就是"])
def test_repeated_words_are_read_without_trying_all_their_readings(word):
    text = f"not a, {word * 30} dragon"
    assert [each for each in detect(text, PEANUTS, just_said=True) if each.facts] == []


@pytest.mark.parametrize(
    "text",
    [
        "He's Portuguese, not Spanish",
        "French wine, not Spanish",
        "I study German, not Spanish",
        "I'm German, not Spanish",
        "учу французский, не испанский",
        "这是法语书，不是西班牙语书",
        "reply in French, not Spanish when my mom asks",
        "French, not Spanish?",
    ],
)
def test_languages_of_others_things_and_occasions_are_no_slip(text):
    assert [each for each in detect(text, SPANISH, just_said=True) if each.replacement] == []
