"""Of whom a clause speaks."""

from __future__ import annotations

import pytest

from factcheck.instant.core.subjects import detect_subject


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("сестра у меня на кошек аллергик", "other"),
        ("сын у нас аллергик", "other"),
        ("сестра, у меня на кошек аллергия", "author"),
        ("а у меня на кошек аллергия", "author"),
        ("my mom and i are allergic", "author"),
        ("i think my mom is allergic", "other"),
    ],
)
def test_who_is_named_last_before_the_words_is_spoken_of(text, subject):
    assert detect_subject(text, 0, len(text), len(text)) == subject
