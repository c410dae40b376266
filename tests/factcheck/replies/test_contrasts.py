"""What people are called, how they ended, and on which days a house is shut: one value of a class against another."""

from __future__ import annotations

import pytest

from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.canon_index import build_canon
from factcheck.claims.core.replies.check import check_reply_by_rules
from factcheck.claims.core.replies.lexicon import load_lexicon

KEEP = CanonArticle(
    slug="tor-keep",
    title="Tor Keep",
    text=(
        "Tor Keep is a fort. Captain Joan Pell commands it together with her son Wat. Lord Hugh Arden raised it. "
        "He died of plague in 1301. Its watchtower is wooden. The smithy is closed on Mondays. "
        "The gate horn is blown only at funerals. Wat is blind in his left eye."
    ),
)
MOTHER = CanonArticle(
    slug="mother-ash",
    title="Mother Ash",
    text="Mother Ash sells herbs. Her sister Nan was hanged. The sick are received in the mornings.",
)
KUZNYA = CanonArticle(
    slug="kuznya",
    title="Старая кузня",
    text="Кузню держит вдова Улита. Её муж Фома утонул. Ремеслу её выучил дядя Прокл. Старший сын Улиты, Егор, служит "
    "сотником. По пятницам кузня закрыта.",
)
SUQ = CanonArticle(
    slug="suq",
    title="سوق الورق",
    text="سوق الورق يُغلق يوم الأحد. شيخه العقيد هشام. أخوه سالم مات من لدغة أفعى. لم يحترق السوق قط.",
)
TEA = CanonArticle(
    slug="chaguan",
    title="柳叶茶馆",
    text="柳叶茶馆由周五娘经营。她的妹妹周六娘早年病死。她有一个儿子叫阿石。茶馆的招牌是木头的。",
)

ISLE = CanonArticle(
    slug="dame-orla",
    title="Dame Orla",
    text="Dame Orla was born on the island of Lesser Wick. Bishop Odo Flint granted her the harbour dues. Her banner "
    "shows a red fox. The abbey has three ponds and no wall. They sell tea but no wine.",
)


def check(question, reply, article):
    canon = build_canon([article], load_lexicon())
    found = check_reply_by_rules(reply, question=question, canon=canon, told=[article.slug], lexicon=load_lexicon())
    return found.contradictions


@pytest.mark.parametrize(
    ("question", "reply", "article", "expected"),
    [
        ("Who keeps the fort?", "Sergeant Pell, and she bites.", KEEP, "captain"),
        ("Has she kin?", "There is her nephew, Wat, who sleeps on watch.", KEEP, "son"),
        ("Who is Wat?", "Wat? Well. The captain's brother.", KEEP, "son"),
        ("How did Lord Arden die?", "Poisoned, at his own table.", KEEP, "plague"),
        ("What became of Lord Arden?", "He fell from the wall one night, drunk as a lord.", KEEP, "plague"),
        ("Is the watchtower stone?", "Aye, the whole of it.", KEEP, "wood"),
        ("Is the smithy open on Monday?", "Sure, any day you like.", KEEP, None),
        ("When should I call at the smithy?", "Come on Monday, when it's quiet.", KEEP, None),
        ("When is the gate horn blown?", "At weddings, mostly.", KEEP, "funeral"),
        ("Where was Dame Orla born?", "On Great Wick, like all her people.", ISLE, None),
        ("Who granted the harbour dues?", "King Aldo, in his cups.", ISLE, None),
        ("What is it over there?", "That's her banner. Blue as a bruise, the fox on it.", ISLE, "red"),
        ("Can I see the fish?", "We've two ponds here, and if it stinks you are at the right one.", ISLE, "3"),
        ("Can Wat see?", "It is the right eye that is blind, mind.", KEEP, "left"),
        ("Any family?", "Her daughter Nan, poor thing, God keep her.", MOTHER, "sister"),
        ("When are the sick received?", "Evenings, when the cat is in.", MOTHER, "morning"),
        ("Кто её выучил?", "Дед Прокл, царствие ему небесное.", KUZNYA, "uncle"),
        ("Что стало с её мужем?", "Волки загрызли, о прошлой зиме.", KUZNYA, "drowned"),
        ("Завтра пятница, зайти?", "Заходи, в пятницу народу мало.", KUZNYA, None),
        ("كيف مات أخوه؟", "غرق في النهر يا ولدي.", SUQ, "sting"),
        ("هل أجد السوق مفتوحا يوم الأحد؟", "نعم، تعال بعد الفجر.", SUQ, None),
        ("من شيخ السوق؟", "الرائد هشام، لا غيره.", SUQ, "colonel"),
        ("هل احترق السوق يوما؟", "احترق مرة أيام الحرب.", SUQ, None),
        ("周六娘是谁？", "她姐姐呀，亲姐姐。", TEA, "younger"),
        ("她的孩子呢？", "她女儿阿石啊，在后院。", TEA, "son"),
    ],
)
def test_another_value_of_one_class_contradicts(question, reply, article, expected):
    found = check(question, reply, article)
    assert found
    assert expected is None or found[0].expected == expected


@pytest.mark.parametrize(
    ("question", "reply", "article"),
    [
        ("Who keeps the fort?", "Captain Pell. Ask for Joan.", KEEP),
        ("Has she kin?", "Wat's mother she is, and proud of it.", KEEP),
        ("Has she kin?", "Wat, her son, not her nephew.", KEEP),
        ("Who was here before?", "My nephew Wat had this post, another Wat, from the hills.", KEEP),
        ("Is it safe?", "Sergeant Moll says so, and she is no fool.", KEEP),
        ("How did Lord Arden die?", "In bed, of the plague, like half the town.", KEEP),
        ("How did your father die?", "He drowned, long ago.", KEEP),
        ("Is the smithy open on Monday?", "No, never of a Monday. Come Tuesday.", KEEP),
        ("Do you go to the market?", "On Monday, with my eggs.", KEEP),
        ("Is the watchtower stone?", "No, and it creaks.", KEEP),
        ("What's that you carry?", "A stone, sir, from under the watchtower.", KEEP),
        ("Where was Dame Orla born?", "On Lesser Wick, in a storm.", ISLE),
        ("Where was Dame Orla born?", "In Mother Hobb's kitchen, they told me.", ISLE),
        ("Who granted the harbour dues?", "Odo Flint, the bishop.", ISLE),
        ("Who drinks here?", "King Aldo, in his cups.", ISLE),
        ("What is it over there?", "That's my banner. Blue as a bruise, my own work.", ISLE),
        ("Can Wat see?", "His right eye is sharp as a hawk's.", KEEP),
        ("Can you see?", "My right eye is blind, sir.", KEEP),
        ("Do you leave the fort?", "I walk to my mother's. A stone house, two towers, blue door.", KEEP),
        ("Is the captain your aunt?", "No, my aunt commands geese.", KEEP),
        ("А старший где?", "Который Егор? Служит. Младшая-то при матери.", KUZNYA),
        ("Any family?", "Mother Ash had a sister once.", MOTHER),
        ("Who taught you?", "My uncle, in the hills.", MOTHER),
        ("Кто её выучил?", "Дядя. Прокл его звали.", KUZNYA),
        ("Ты женат?", "Был женат, утонула моя.", KUZNYA),
        ("Кто это?", "Жена Фомы, Улита.", KUZNYA),
        ("Завтра пятница, зайти?", "Не ходи, в пятницу у неё замок на двери.", KUZNYA),
        ("هل السوق مفتوح كل يوم؟", "كل يوم إلا الأحد.", SUQ),
        ("من هذا؟", "ابن هشام، ولد صغير.", SUQ),
        ("周六娘是谁？", "她妹妹，早没了。", TEA),
        ("招牌是什么做的？", "木头的，我爹刻的字。", TEA),
    ],
)
def test_what_agrees_or_is_of_somebody_else_is_left_alone(question, reply, article):
    assert not check(question, reply, article)


@pytest.mark.parametrize(
    ("label", "other", "excluded"),
    [
        ("death:hanged", "death:beheaded", True),
        ("death:hanged", "death:executed", False),
        ("kin:twin", "kin:sister", False),
        ("kin:sister", "kin:brother", True),
        ("kin:sister", "death:hanged", False),
    ],
)
def test_values_of_one_class_exclude_each_other_unless_both_may_be_true(label, other, excluded):
    assert load_lexicon().excludes(label, other) is excluded
    assert load_lexicon().excludes(other, label) is excluded
