import datetime
import time
from collections import Counter

import pytest

from factcheck.instant.core import extraction
from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.narrative_modes import detect_narrative_mode
from tests.factcheck.instant.conftest import NOW


def test_quote_is_the_typed_text_with_its_invisible_characters(extract):
    text = "Ну, у меня аллерги\u200bя на Орехи!"
    [fact] = extract(text)
    assert fact.quote == "у меня аллерги\u200bя на Орехи"
    assert text[fact.start : fact.end] == fact.quote


@pytest.mark.parametrize("text", ["عنـــدي حَساسيّة", "ﬁne soooo good", "e\u0301te\u0301 ё Ё", "😀 I'm", "²½ok", "ﷺ x"])
def test_every_folded_place_leads_back_into_the_message(text):
    message = fold_message(text)
    places = [message.locate(place, place + 1) for place in range(len(message.text))]
    assert all(0 <= start <= end <= len(text) for start, end in places)
    assert places == sorted(places)


def test_same_thing_has_one_key_in_every_language(extract):
    said = ["I'm allergic to nickel", "у меня аллергия на никель", "عندي حساسية من النيكل", "3indi 7asasiya min nickel"]
    assert {(fact.type, fact.key) for text in said for fact in extract(text)} == {("allergy", "nickel")}


def test_last_said_value_of_one_key_holds(extract):
    assert [fact.value for fact in extract("My size is S. Sorry, my size is M")] == ["M"]


@pytest.mark.parametrize("text", ["", " ", "😀😀", "\x00\x01", "\ud800 broken", "؟؟؟", "a" * 10_000, "(" * 5_000])
def test_odd_messages_give_no_facts(text, extract):
    assert extract(text) == []


def test_in_character_speech_gives_nothing_but_its_asides(extract):
    text = "I'm allergic to silver ((ooc: I'm allergic to nuts))"
    assert [fact.key for fact in extract(text, mode="in_character")] == ["nuts"]
    assert extract("I'm allergic to silver", mode="in_character") == []


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("*draws the sword* Stand back!", "in_character"),
        ("— Кто здесь? — спросил он", "in_character"),
        ("I like *very* much", "unknown"),
        ("((brb))", "out_of_character"),
        ("// be right back", "out_of_character"),
        ("He said “no”", "unknown"),
    ],
)
def test_narrative_mode_is_told_from_marks(text, frame):
    assert detect_narrative_mode(text) == frame


def test_event_without_a_date_lives_thirty_days(extract):
    [fact] = extract("Скоро переезд")
    assert fact.happens_on is None
    assert fact.expires_at == NOW + datetime.timedelta(days=30)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("my sister's wedding is on May 5th", "2026-05-05"),
        ("у меня свадьба 5 мая", "2026-05-05"),
        ("عندي عرس يوم ٥ مايو", "2026-05-05"),
        ("I have an exam on Friday", "2026-02-13"),
        ("3indi imti7an ba3d yomen", "2026-02-12"),
        ("у меня собеседование 01.03.2026", "2026-03-01"),
    ],
)
def test_event_day_is_read_in_every_language(text, day, extract):
    assert [str(fact.happens_on) for fact in extract(text)] == [day]


def test_month_without_a_day_ends_with_the_month(extract):
    [fact] = extract("свадьба сестры в марте")
    assert fact.expires_at == datetime.datetime(2026, 4, 1, tzinfo=datetime.UTC)


@pytest.mark.parametrize("filler", ["I'm allergic to nuts. ", "«", "a", "*x y z* ", "у меня аллергия на ", "(((("])
def test_a_megabyte_takes_linear_time(filler, extract):
    def seconds(size: int) -> float:
        text = filler * (size // len(filler.encode()))
        start = time.perf_counter()
        extract(text)
        return time.perf_counter() - start

    seconds(10_000)
    small, large = max(seconds(50_000), 0.01), seconds(1_000_000)
    assert large < small * 20 * 5


def test_one_pattern_is_read_a_bounded_number_of_times_in_a_message(monkeypatch, extract):
    read: Counter[str] = Counter()
    believe = extraction.passes_guards

    def count(message, hit, *span):
        read[hit.row.name] += 1
        return believe(message, hit, *span)

    monkeypatch.setattr(extraction, "passes_guards", count)
    assert [fact.key for fact in extract("I'm allergic to nuts, " * 2_000)] == ["nuts"]
    assert set(read.values()) == {extraction.MAX_HITS}


@pytest.mark.parametrize(
    "text",
    [
        "[Вася 14:02]: у меня аллергия на орехи",
        "芒果过敏的是我妹",
    ],
)
def test_words_of_others_state_nothing(extract, text):
    assert extract(text) == []


@pytest.mark.parametrize(
    "text",
    ["برا اللعبة: العناكب خط أحمر", "خارج اللعبة: لا أريد عناكب أبدا", "out of game: no spiders please, ever"],
)
def test_what_is_said_outside_of_play_is_the_authors_own(extract, text):
    assert [fact.key for fact in extract(text)] == ["spiders"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("translate this for my waiter please: I'm allergic to nuts", "nuts"),
        ("[me 14:02]: I'm allergic to nuts", "nuts"),
        ("они такие: это же вкусно. а у меня аллергия на кошек", "cats"),
        ("我对花生过敏是妈妈发现的", "peanuts"),
    ],
)
def test_an_allergy_is_heard_behind_a_colon_and_beside_others(extract, text, key):
    assert key in [fact.key for fact in extract(text)]
