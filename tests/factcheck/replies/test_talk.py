"""Measures, conditions, denials and subjects as characters put them: what is false is found, what is near is not."""

from __future__ import annotations

import pytest

from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.canon_index import build_canon
from factcheck.claims.core.replies.check import check_reply_by_rules
from factcheck.claims.core.replies.lexicon import load_lexicon

FORT = CanonArticle(
    "fort",
    "Fort Amber",
    "Fort Amber is a fort above the ford. It has seven towers and no moat. The siege lasted forty days. "
    "Its gate never rusts. The fort does not admit strangers. Forty soldiers were lost in the siege.",
)
INN = CanonArticle("inn", "The Lost Oar", "The Lost Oar is an inn. It has nine rooms. It serves ale but no wine.")
KREPOST = CanonArticle("krepost", "Каменка", "Каменка стоит на холме. Её построили в 1127 году. Осада длилась три дня.")
SUQ = CanonArticle("suq", "سوق الحبال", "سوق الحبال قرب السور. للسوق ستة أبواب. لا تباع فيه الأسلحة لأحد.")
CHALOU = CanonArticle("chalou", "望月楼", "望月楼是一座茶楼。一壶茶卖五文钱。灯会一连五夜。")


def find(question, reply, *articles):
    canon = build_canon(articles, load_lexicon())
    told = [article.slug for article in articles]
    return check_reply_by_rules(reply, question=question, canon=canon, told=told, lexicon=load_lexicon()).contradictions


@pytest.mark.parametrize(
    ("question", "reply", "articles"),
    [
        ("How many rooms?", "Half a dozen, and mind the stairs.", (INN, FORT)),
        ("Where can I sleep?", "We've only three rooms here, and if they're cold, blame the wind.", (INN,)),
        ("Can I get in at night?", "They fill the fort moat at dusk, so Fort Amber is dry-shod for nobody.", (FORT,)),
        ("Долго ли длилась осада?", "Неделю целую, все устали.", (KREPOST,)),
        ("Когда построили Каменку?", "Да в тысяча сто двадцать втором её поставили.", (KREPOST,)),
        ("这茶怎么卖？", "八文一壶，要不要来一壶？", (CHALOU,)),
    ],
)
def test_a_false_reply_is_found(question, reply, articles):
    assert find(question, reply, *articles)


@pytest.mark.parametrize(
    ("question", "reply", "articles"),
    [
        ("Wine, please.", "Ale, and be glad there's some.", (INN,)),
        ("Did all the towers fall?", "No, no. Two of them.", (FORT,)),
        ("Was it always so big?", "In my grandfather's time it had three towers.", (FORT,)),
        ("How many towers?", "Seven, if you count the broken one.", (FORT,)),
        ("وماذا عن سوق الجمر؟", "تلك لها عشرة أبواب.", (SUQ,)),
        ("Долго ли длилась осада?", "Три дня, и то много.", (KREPOST,)),
        ("这茶怎么卖？", "五文一壶，要不要来一壶？", (CHALOU,)),
    ],
)
def test_a_true_reply_is_left_alone(question, reply, articles):
    assert not find(question, reply, *articles)
