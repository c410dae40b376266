"""Which episodes want their span, and which queries allow it."""

from __future__ import annotations

import pytest

from episodes.search.core import allows_span, needs_span

LONG = " and so on, with much more to be said about the matter at hand"
LONG_RU = " и так далее, ещё много слов о том, что было вчера вечером у реки"
LONG_AR = " وهكذا مع كلام كثير عن الموضوع الذي تحدثنا فيه أمس قرب النهر القديم"
LONG_ZH = (
    "，然后我们还谈了很多关于昨天晚上在河边发生的事情以及其他各种各样的事情和人物，还有更多更多的话要说给你听才行呢"
)


@pytest.mark.parametrize(
    "text",
    [
        "Второй!", "x" * 49,
        *(word + LONG_RU for word in ("Да,", "НЕТ", "Ага", "этот", "Тот", "первый", "Второй", "третий", "беру", "Ок")),
        *(word + LONG for word in ("Yes,", "no", "this", "That one", "The second", "third", "OK", "yeah")),
        *(word + LONG_AR for word in ("نعم", "لا", "هٰذا", "الأول", "الثاني", "هذي")),
        *(word + LONG for word in ("na3am", "la2", "hatha", "el thani", "awal")),
        *(word + LONG_ZH for word in ("第二个", "这个", "好的", "是")),
        "«Да»" + LONG_RU, "... that" + LONG,
    ],
)  # fmt: skip
def test_short_or_pointing_episodes_want_their_span(text):
    assert needs_span(text)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 50, "Дамы пришли вчера" + LONG_RU, "Токарь беру" + LONG_RU, "Окно закрыто" + LONG_RU,
        "Nobody came" + LONG, "Thatcher spoke" + LONG, "We took the second" + LONG,
        "لازم نروح" + LONG_AR, "land of" + LONG, "是不是我昨天忘记" + LONG_ZH,
    ],
)  # fmt: skip
def test_long_episodes_that_stand_alone_do_not(text):
    assert not needs_span(text)


def test_a_query_below_thirty_characters_allows_no_span():
    assert allows_span("x" * 30)
    assert not allows_span("x" * 29)
    assert not allows_span(" " * 20 + "x" * 29)
