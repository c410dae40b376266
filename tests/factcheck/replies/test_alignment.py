"""Values of wide classes, names for a part in canon, and dictionary forms that stems do not reach."""

from __future__ import annotations

import pytest

from factcheck.claims.core.replies.base_forms import base_of
from factcheck.claims.core.replies.canon import CanonArticle
from factcheck.claims.core.replies.lexicon import load_lexicon
from factcheck.claims.core.replies.texts import list_typed_values, read_text
from tests.factcheck.replies.checks import check_reply

LIGHT = CanonArticle(
    "light",
    "Cray Light",
    "Cray Light is a lighthouse on the southern tip of Cray. Its keeper, once a smuggler, is Old Tam Veery. The choir "
    "plays a flute at dusk. A stair of one hundred and ninety steps climbs to the lamp. The feast falls on a Friday. "
    "The founder died of a fever. It was begun in 533.",
    fields={"keeper": "Tam Veery", "begun": 533, "steps": 190},
)
TOWER = CanonArticle(
    "bashnya",
    "Сторожевая башня",
    "Сторожевая башня крыта дранкой, а на чердаке живут совы. Сторож умер от лихорадки. Похоронили его под дубом.",
    fields={"captain": "Роман Шторм"},
)
GARDEN = CanonArticle(
    "bustan", "بستان الوادي", "تديره سعاد الحلبي. بابه أزرق. في البستان أسد من حجر.", fields={"manager": "سعاد الحلبي"}
)
DRUMS = CanonArticle(
    "guan", "老鼓馆", "老鼓馆在河的西边。馆主钟大山，早年是个石匠。鼓用牛皮做成。", fields={"owner": "钟大山"}
)


def check(question, reply, article):
    return {each.expected for each in check_reply(question, reply, article).contradictions}


@pytest.mark.parametrize(
    ("question", "reply", "article", "expected"),
    [
        ("Who looks after the lamp?", "That'd be Jonas Hale, him with the ear.", LIGHT, "Tam Veery"),
        ("What was the keeper before?", "A baker, and a bad one.", LIGHT, "smuggler"),
        ("What does the choir play?", "Drums, all night.", LIGHT, "flute"),
        ("Is it far up?", "Three hundred steps, and steep ones.", LIGHT, "190"),
        ("When was it begun?", "In 733, dear, the year of the two comets.", LIGHT, "533"),
        ("Кто у вас капитан?", "Фёдор Кныш, мужик суровый.", TOWER, "Роман Шторм"),
        ("Кто живёт на чердаке?", "Голуби, барин.", TOWER, "owl"),
        ("Где похоронили сторожа?", "Под старой липой, у ручья.", TOWER, "oak"),
        ("من يدير البستان؟", "نبيل العكاوي، رجل طيب.", GARDEN, "سعاد الحلبي"),
        ("ما لون الباب؟", "أخضر، دهناه في الربيع.", GARDEN, "blue"),
        ("馆主贵姓？", "姓陈，叫陈小翠。", DRUMS, "钟大山"),
        ("鼓馆在哪儿？", "河的东边，过了桥就是。", DRUMS, "west"),
    ],
)
def test_another_value_of_the_class_or_another_name_is_a_contradiction(question, reply, article, expected):
    assert expected in check(question, reply, article)


@pytest.mark.parametrize(
    ("question", "reply", "article"),
    [
        ("Who looks after the lamp?", "Tam does. Jonas Hale brings him bread.", LIGHT),
        ("Who looks after the lamp?", "Master Keeper, and nobody else.", LIGHT),
        ("Who leads the goats?", "Jonas Hale, with a stick.", LIGHT),
        ("Who kept the light before him?", "Jonas Hale, for a year.", LIGHT),
        ("How old were you when you left the light?", "Twenty-four.", LIGHT),
        ("How many of you sing?", "Like owls, we are many.", LIGHT),
        ("Где похоронили сторожа?", "Под дубом. Липу там потом уж посадили.", TOWER),
        ("Что за птица на заборе?", "Ворона, каркает с утра.", TOWER),
        ("من معلمك؟", "الشيخ يونس القلعي.", GARDEN),
        ("你家养什么？", "一只猫，两只鸭。", DRUMS),
    ],
)
def test_what_is_true_or_of_something_else_raises_no_alarm(question, reply, article):
    assert not check(question, reply, article)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("two mares", "beast:horse"),
        ("три барабана", "instrument:drum"),
        ("قناع", "headgear:mask"),
        ("一把匕首", "weapon:dagger"),
    ],
)
def test_values_are_found_in_their_forms_in_four_languages(text, label):
    lexicon = load_lexicon()
    assert label in {each.label for each in list_typed_values(read_text(text, lexicon), lexicon)}


@pytest.mark.parametrize(("word", "base"), [("drew", "draw"), ("geese", "goose"), ("окон", "окно"), ("lamp", None)])
def test_dictionary_forms_reach_where_stems_do_not(word, base):
    assert base_of(word) == base
