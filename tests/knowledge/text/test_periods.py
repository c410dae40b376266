"""Days and periods that questions name, in four languages."""

from __future__ import annotations

import datetime as dt

import pytest

from knowledge.text.periods import find_periods

TODAY = dt.date(2026, 3, 18)


def find(text):
    return [(str(period.first), str(period.last)) for period in find_periods(text, today=TODAY)]


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("What did Ann paint on October 13, 2023?", "2023-10-13", "2023-10-13"),
        ("on the 3rd of October 2023", "2023-10-03", "2023-10-03"),
        ("in March 2023", "2023-03-01", "2023-03-31"),
        ("the first weekend of August 2023", "2023-08-01", "2023-08-12"),
        ("the week before August 3, 2023", "2023-07-24", "2023-08-03"),
        ("in the first week of 2024", "2024-01-01", "2024-01-09"),
        ("in the summer of 2022", "2022-06-01", "2022-08-31"),
        ("in 2022", "2022-01-01", "2022-12-31"),
        ("on 02.01.2024", "2024-01-02", "2024-01-02"),
        ("on 10/3/2023", "2023-10-03", "2023-10-03"),
        ("yesterday", "2026-03-17", "2026-03-17"),
        ("three days ago", "2026-03-15", "2026-03-15"),
        ("last week", "2026-03-09", "2026-03-15"),
        ("last month", "2026-02-01", "2026-02-28"),
        ("3 октября 2023 года", "2023-10-03", "2023-10-03"),
        ("в августе 2024-го", "2024-08-01", "2024-08-31"),
        ("летом 2023 года", "2023-06-01", "2023-08-31"),
        ("в 2021 году", "2021-01-01", "2021-12-31"),
        ("на прошлой неделе", "2026-03-09", "2026-03-15"),
        ("два дня назад", "2026-03-16", "2026-03-16"),
        ("позавчера", "2026-03-16", "2026-03-16"),
        ("في 3 مارس 2023", "2023-03-03", "2023-03-03"),
        ("في تشرين الثاني 2024", "2024-11-01", "2024-11-30"),
        ("في صيف ٢٠٢٣", "2023-06-01", "2023-08-31"),
        ("الأسبوع الماضي", "2026-03-09", "2026-03-15"),
        ("قبل ثلاثة أيام", "2026-03-15", "2026-03-15"),
        ("امبارح", "2026-03-17", "2026-03-17"),
        ("2023年10月3日", "2023-10-03", "2023-10-03"),
        ("2023年夏天", "2023-06-01", "2023-08-31"),
        ("2023年底", "2023-10-01", "2023-12-31"),
        ("上周", "2026-03-09", "2026-03-15"),
        ("三天前", "2026-03-15", "2026-03-15"),
    ],
)
def test_a_period_is_read(asked, first, last):
    assert find(asked)[:1] == [(first, last)]


@pytest.mark.parametrize(
    "asked",
    [
        "may I ask you something", "march on, he said", "he sat in the sun", "", "1234567 gold", "in 3 of 4 cases",
        "31.02.2023", "моя мать", "где мой меч", "اب وام", "我有三个苹果", "room 2023b", "2023.5 points", "99/99/2023",
    ],
)  # fmt: skip
def test_everyday_words_and_numbers_are_no_periods(asked):
    assert find(asked) == []


@pytest.mark.parametrize(
    ("asked", "day", "days"),
    [
        ("in June", dt.date(2021, 6, 5), 0),
        ("in June", dt.date(2021, 7, 3), 3),
        ("в начале марта", dt.date(2024, 3, 20), 8),
        ("за неделю до 3 августа", dt.date(2023, 7, 28), 0),
        ("in winter", dt.date(2024, 1, 10), 0),
        ("في شهر يوليو", dt.date(2022, 6, 29), -2),
        ("三月五号", dt.date(2025, 3, 6), 1),
    ],
)
def test_a_period_without_a_year_comes_back_every_year(asked, day, days):
    (period,) = find_periods(asked, today=TODAY)
    assert not period.has_year
    assert period.measure_days(day) == days


def test_any_text_is_read_without_an_error():
    for text in ("\x00", "🙂" * 100, "1" * 5000, "февраля 30", "0 month ago", "999 years ago", "29 February", "\ud83d"):
        find(text)
    (leap,) = find_periods("on 29 February", today=TODAY)
    assert leap.measure_days(dt.date(2023, 3, 1)) == 1
