import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.canon.core.slugs import make_slug


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Grappled [Condition]", "grappled-condition"),
        ("Will-o'-Wisp", "will-o-wisp"),
        ("Éclair à l’Épée", "eclair-a-lepee"),
        ("Straße", "strasse"),
        ("Схваченный [Состояние]", "skhvachennyy-sostoyanie"),
        ("Подъём", "podyom"),
        ("الملح", "almlh"),
        ("Level 2: Action Surge", "level-2-action-surge"),
    ],
)
def test_titles_are_transliterated(title, slug):
    assert make_slug(title) == slug


def test_titles_without_an_alphabet_get_a_stable_hash():
    assert make_slug("月桥") == make_slug("月桥")
    assert make_slug("月桥") != make_slug("月窑")
    assert re.fullmatch(r"x[0-9a-f]{10}", make_slug("月桥"))


def test_a_hash_keeps_titles_apart_whose_latin_part_is_the_same():
    assert make_slug("月桥 Bridge") != make_slug("石桥 Bridge")
    assert make_slug("月桥 Bridge").startswith("bridge-")


def test_long_titles_stay_apart():
    first, second = make_slug("very long " * 30 + "a"), make_slug("very long " * 30 + "b")
    assert first != second
    assert len(first) <= 80


@given(st.text())
def test_any_title_gives_a_slug(title):
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", make_slug(title))
    assert len(make_slug(title)) <= 120
