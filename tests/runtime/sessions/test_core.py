"""Keys, entries and preferences of session memory, by themselves."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from runtime.session_memory.core.entries import (
    MemoryEntry,
    cut_at_silence,
    parse_entry,
    serialize_entry,
    shorten,
    trim_entries,
)
from runtime.session_memory.core.keys import SessionRef, name_npcs, name_preference, name_short_memory
from runtime.session_memory.core.preferences import PreferenceChange, validate_preference

NOW = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
WEIRD = st.text(st.one_of(st.sampled_from(":%/ \x00=ß鯨"), st.characters()), max_size=12) | st.sampled_from(
    ["a" * 10_000, "a" * 10_001, "a:b", "a%3Ab", "sha256=" + "0" * 64]
)
UNHURRIED = hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
TALKS = st.tuples(st.integers(1, 20), st.integers(1, 20), WEIRD, WEIRD)


def names(talk):
    session = SessionRef(*talk[:3])
    return name_short_memory(session, talk[3])


@UNHURRIED
@given(TALKS, TALKS)
def test_distinct_talks_have_distinct_keys(one, other):
    assert (names(one) == names(other)) == (one == other)
    same_session = one[:3] == other[:3]
    for name in (name_preference, name_npcs):
        assert (name(SessionRef(*one[:3])) == name(SessionRef(*other[:3]))) == same_session


@pytest.mark.parametrize(
    ("one", "other"), [(("a:b", "c"), ("a", "b:c")), (("a", ""), ("", "a")), (("%3A", "x"), (":", "x"))]
)
def test_a_separator_in_an_id_moves_no_border(one, other):
    assert names((1, 2, *one)) != names((1, 2, *other))


def test_keys_keep_the_layout_and_stay_short():
    assert names((1, 2, "session-abc123", "oda-marr")) == "session:short:1:2:session-abc123:oda-marr"
    assert name_preference(SessionRef(1, 2, "s")) == "session:pref:1:2:s"
    assert len(names((1, 2, "\x00" * 10_000, "ß" * 10_000))) < 200


def entry(number: int, content: str = "hi", *, hours_ago: float = 0) -> MemoryEntry:
    return MemoryEntry(number, "user", content, NOW - dt.timedelta(hours=hours_ago))


@UNHURRIED
@given(st.integers(1, 2**62), st.text(st.characters(exclude_categories=["Cs"])))
def test_an_entry_comes_back_as_it_went(number, content):
    assert parse_entry(serialize_entry(entry(number, content))) == entry(number, content)


@UNHURRIED
@given(st.lists(st.integers(0, 50), max_size=30), st.integers(1, 10), st.integers(50, 200))
def test_trimming_keeps_the_newest_whole_messages_that_fit(lengths, max_messages, max_chars):
    entries = [entry(place, "x" * length) for place, length in enumerate(lengths)]
    kept = trim_entries(entries, max_messages=max_messages, max_chars=max_chars)
    assert list(kept) == entries[len(entries) - len(kept) :]
    assert len(kept) <= max_messages
    assert sum(len(each.content) for each in kept) <= max_chars
    if len(kept) < min(len(entries), max_messages):
        assert sum(len(each.content) for each in kept) + lengths[-len(kept) - 1] > max_chars


@UNHURRIED
@given(st.text(max_size=300), st.integers(1, 200))
def test_a_shortened_message_fits_and_keeps_its_end(content, max_chars):
    short = shorten(content, max_chars=max_chars)
    assert len(short) <= max_chars or short == content
    if max_chars >= len(content):
        assert short == content
    elif max_chars > 20:
        assert (short[0], short[-1]) == (content[0], content[-1])


def test_a_silence_of_a_day_ends_a_memory():
    entries = [entry(1, hours_ago=60), entry(2, hours_ago=30), entry(3, hours_ago=10)]
    day = dt.timedelta(days=1)
    assert cut_at_silence(entries, now=NOW, ttl=day) == (entries[1], entries[2])
    assert cut_at_silence(entries, now=NOW + dt.timedelta(hours=14), ttl=day) == ()


@pytest.mark.parametrize(
    "change",
    [
        PreferenceChange(),
        PreferenceChange(verbosity="endless"),
        PreferenceChange(tone="rude"),
        PreferenceChange(language="zh_CN; drop"),
        PreferenceChange(language="en\n"),
        PreferenceChange(new_tags=("a\x00b",)),
        PreferenceChange(new_tags=(" ",)),
        PreferenceChange(new_tags=("x" * 61,)),
        PreferenceChange(interest_tags=tuple(map(str, range(21)))),
        PreferenceChange(new_tags=("\ud800",)),
    ],
)
def test_flawed_changes_are_told(change):
    assert validate_preference(change)


def test_sound_changes_have_no_flaw():
    assert validate_preference(PreferenceChange("brief", "casual", "zh-Hans", ("家训",), ("祠堂",))) == ""
    assert validate_preference(PreferenceChange(interest_tags=())) == ""
