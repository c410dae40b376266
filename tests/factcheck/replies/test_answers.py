"""A bare value that answers a question is held against the sentence or field that the question finds."""

from __future__ import annotations

import pytest

from factcheck.claims.core.replies.canon import CanonArticle
from tests.factcheck.replies.checks import check_reply

MILL = CanonArticle(
    slug="hask-mill",
    title="Hask Mill",
    text=(
        "Hask Mill is built of limestone. The repairs lasted ten days. Miller Joan Peck, once a soldier, owns it. "
        "The pond freezes in December. The horn is blown only at fires. It has four sails. Its door is in Reed Lane."
    ),
    fields={"sails": 4, "fish": "perch"},
)
WELL = CanonArticle(
    slug="kolodets",
    title="Дальний колодец",
    text="Дальний колодец сложен из гранита. Его копали два месяца. Вода уходит в июле. "
    "Сторож — Фрол Заяц, бывший ткач.",
)
FORT = CanonArticle("shitai", "石台堡", "石台堡是赵大川建的。围城三个月。护城河里有鲫鱼。")
HOUSE = CanonArticle("dar", "دار الورد", "دار الورد بناها كريم الصائغ. دام البناء شهرين.")


def check(question, reply, article=MILL):
    return check_reply(question, reply, article).contradictions


@pytest.mark.parametrize(
    ("question", "reply", "article", "expected"),
    [
        ("How long did the repairs last?", "Two months, and the noise!", MILL, "10 days"),
        ("What is the mill built of?", "Granite, cold as a tax man.", MILL, "limestone"),
        ("When does the pond freeze?", "In April, funnily.", MILL, "december"),
        ("When is the horn blown?", "Every morning, curse it.", MILL, "only"),
        ("What fish are in the pond?", "Carp. Big ones.", MILL, None),
        ("What fish are there?", "Carp. Big ones.", MILL, "perch"),
        ("How many sails has the mill?", "Why, six of them, and loud every one.", MILL, "4"),
        ("What was the miller before?", "A butcher, I'd not cross her.", MILL, None),
        ("What was the miller before?", "A butcher. Mind the arms.", MILL, "soldier"),
        ("Where is the door?", "In Dyer Street, round the back.", MILL, "lane reed"),
        ("Сколько его копали?", "Неделю, все руки стёрли.", WELL, "60 days"),
        ("Из чего сложен колодец?", "Из чего… из мрамора, барин.", WELL, "granite"),
        ("Когда уходит вода?", "В январе, вместе с гусями.", WELL, "july"),
        ("Кем был сторож раньше?", "Мельником он был.", WELL, "weaver"),
        ("石台堡谁建的？", "欧阳铁建的。", FORT, "赵大川"),
        ("围城多久？", "三天，一顿饭的工夫。", FORT, "90 days"),
        ("من بنى الدار؟", "بناها يوسف النجار، رحمه الله.", HOUSE, "كريم"),
    ],
)
def test_a_bare_value_is_held_against_what_was_asked(question, reply, article, expected):
    found = check(question, reply, article)
    if expected is None:
        assert not found
        return
    assert len(found) == 1
    assert expected.split()[-1] in found[0].expected


@pytest.mark.parametrize(
    ("question", "reply", "article"),
    [
        ("How long did the repairs last?", "Two months in, the smith gave up.", MILL),
        ("How long did the repairs last?", "A week and a half, ten days to be exact.", MILL),
        ("How long did the repairs last?", "About a fortnight.", MILL),
        ("How long have you been a miller?", "Two years.", MILL),
        ("What is the mill built of?", "Granite below, limestone above.", MILL),
        ("What is the floor built of?", "Oak.", MILL),
        ("When does the pond freeze?", "In winter.", MILL),
        ("When is the horn blown?", "When something burns.", MILL),
        ("Who owns the mill?", "Go and ask Brother Tam Oake.", MILL),
        ("Who owns the mill?", "Joan, and her mother before her.", MILL),
        ("Who built the gate?", "Tam Mason did.", MILL),
        ("What was the miller before?", "Not a butcher, that's for sure.", MILL),
        ("Where is the door?", "Reed Lane, off Dyer Street.", MILL),
        ("Сколько его копали?", "Говорят, год.", WELL),
        ("Сколько его копали?", "Шестьдесят дней.", WELL),
        ("Кем ты был раньше?", "Мельником.", WELL),
        ("石台堡谁建的？", "石匠建的。", FORT),
        ("石台堡谁建的？", "李家人建的。", FORT),
        ("من بنى الدار؟", "اسأل يوسف النجار.", HOUSE),
    ],
)
def test_what_answers_something_else_or_agrees_is_left_alone(question, reply, article):
    assert not check(question, reply, article)
