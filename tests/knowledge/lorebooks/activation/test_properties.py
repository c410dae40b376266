"""What holds for any book: pure, without exceptions, ends, keeps to its budget, and finds what a slow search finds."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.lorebooks.activation.engine import Activation, activate
from knowledge.lorebooks.activation.inputs import (
    ActivationDialect,
    ActivationSettings,
    BookKind,
    BoundBook,
    Chat,
    ChatMessage,
)
from knowledge.lorebooks.activation.timed_state import TimedState
from knowledge.lorebooks.core.book import Book, CharacterFilter, Entry
from knowledge.lorebooks.core.vocabulary import Position, RegexKeys, ScanSource, SelectiveLogic
from tests.knowledge.lorebooks.activation.scenes import M37, book, chat, entry, fired, run, words

_WORDS = (
    "dragon",
    "egg",
    "moon",
    "gate",
    "щит",
    "защитник",
    "дракон",
    "灯笼",
    "الجسر",
    "King",
    "a",
    "foo_bar",
    "İ",
    "🔥",
)
_KEYS = (
    *_WORDS,
    "",
    " ",
    "moon gate",
    "a\nb",
    "\x01",
    "{{user}}",
    "<char> x",
    "/dra/",
    "/щит/i",
    "/(?<!x)egg/",
    "/[/",
    "/(a+)+$/",
    "\ud83d",
)
_NUMBERS = st.sampled_from([0, 1, 100, 101, -3, 99.5, float("nan"), float("inf"), -float("inf"), 10**20])
_TEXTS = st.lists(st.sampled_from((*_WORDS, "\n", "@@activate\n", "{{user}}")), max_size=6).map(" ".join)
_FILTERS = (None, CharacterFilter(("hero",)), CharacterFilter(tags=("elf",), is_exclude=True))
_OPTIONAL = st.sampled_from([None, None, True, False])
_COUNTS = st.sampled_from([None, None, None, 0, 1, 2, 5, -1, 10**9])


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    """Any entry, kind or absurd."""
    return Entry(
        uid=draw(st.sampled_from(["0", "1", "2", "x", ""])),
        is_enabled=draw(st.sampled_from([True, True, True, False])),
        keys=tuple(draw(st.lists(st.sampled_from(_KEYS), max_size=3))),
        secondary_keys=tuple(draw(st.lists(st.sampled_from(_KEYS), max_size=2))),
        logic=draw(st.sampled_from(list(SelectiveLogic))),
        is_constant=draw(st.booleans()) and draw(st.booleans()),
        regex_keys=draw(st.sampled_from(list(RegexKeys))),
        case_sensitive=draw(_OPTIONAL), match_whole_words=draw(_OPTIONAL), use_group_scoring=draw(_OPTIONAL),
        scan_depth=draw(_COUNTS),
        scan_sources=tuple(draw(st.sets(st.sampled_from(list(ScanSource)), max_size=2))),
        content=draw(_TEXTS),
        position=draw(st.sampled_from(list(Position))), outlet=draw(st.sampled_from(["", "o"])),
        order=draw(_NUMBERS), probability=draw(_NUMBERS), group_weight=draw(_NUMBERS),
        ignores_budget=draw(st.booleans()) and draw(st.booleans()),
        groups=tuple(draw(st.lists(st.sampled_from(["g", "h", "1", "10", "__proto__"]), max_size=2))),
        group_override=draw(st.booleans()),
        sticky=draw(_COUNTS), cooldown=draw(_COUNTS), delay=draw(st.sampled_from([None, None, 0, 2])),
        exclude_recursion=draw(st.booleans()), prevent_recursion=draw(st.booleans()),
        delay_until_recursion=draw(st.sampled_from([0, 0, 0, 1, 2, 7])),
        triggers=draw(st.sampled_from([(), (), ("normal",), ("swipe",)])),
        character_filter=draw(st.sampled_from(_FILTERS)),
        conditions=draw(st.sampled_from([(), (), ("flag:a",), ("?",)])),
    )  # fmt: skip


_BOOKS = st.lists(
    st.builds(
        lambda found, kind, name: BoundBook(Book(entries=tuple(found), name=name), kind),
        st.lists(entries(), max_size=5), st.sampled_from(list(BookKind)), st.sampled_from(["a", "b"]),
    ),
    max_size=3,
)  # fmt: skip
_CHATS = st.lists(_TEXTS, max_size=5).map(lambda texts: Chat(tuple(ChatMessage(text, "Mira") for text in texts)))
_SETTINGS = st.builds(
    ActivationSettings,
    dialect=st.sampled_from(list(ActivationDialect)),
    scan_depth=st.sampled_from([-1, 0, 1, 2, 5000]), budget_cap=st.sampled_from([0, 1, 5, 20]),
    is_recursive=st.booleans(), min_activations=st.sampled_from([0, 0, 3, 10**9]),
    max_recursion_steps=st.sampled_from([0, 0, 1, 3]), use_group_scoring=st.booleans(),
    match_whole_words=st.booleans(), case_sensitive=st.booleans(),
    macros=st.just({"user": "dragon", "char": "King"}), flags=st.sampled_from([None, {"a": 1}]),
)  # fmt: skip
_FEW = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def steps(activation: Activation) -> tuple[list, TimedState, list]:
    """What must be equal, not-a-numbers included."""
    return (
        [repr(activation.placements), activation.trace.rolls],
        activation.state,
        [(trace.uid, trace.rule) for trace in activation.trace.entries],
    )


@_FEW
@given(_BOOKS, st.lists(_CHATS, min_size=1, max_size=3), _SETTINGS, st.integers())
def test_same_input_has_same_output_and_any_book_ends(
    books: list[BoundBook], chats: list[Chat], wanted: ActivationSettings, seed: int
) -> None:
    state = TimedState()
    for scene in chats:
        first = activate(books, scene, wanted, state, seed, count=words)
        fresh = [BoundBook(Book(entries=bound.book.entries, name=bound.book.name), bound.kind) for bound in books]
        second = activate(fresh, scene, wanted, state, seed, count=words)
        assert steps(first) == steps(second)
        rolls = [roll.value for roll in first.trace.rolls]
        assert steps(activate(books, scene, wanted, state, seed + 1, rolls=rolls, count=words)) == steps(first)
        json.dumps(first.trace.as_json())
        state = TimedState.from_json(json.loads(json.dumps(first.state.as_json())))
        assert state == first.state


def decide(activation: Activation) -> list[tuple[int, int, bool]]:
    """Whether each entry that asked for room got it, in the order in which they asked."""
    asked = [
        (trace.loop, place, trace.is_active)
        for place, trace in enumerate(activation.trace.entries)
        if trace.is_active or trace.rule == "budget"
    ]
    return sorted(asked)


_PLAIN = st.builds(
    lambda uid, keys, content, order: Entry(uid=str(uid), keys=tuple(keys), content=content, order=order),
    st.integers(0, 10**6), st.lists(st.sampled_from(_WORDS), min_size=1, max_size=2), _TEXTS, st.integers(0, 9),
)  # fmt: skip


@_FEW
@given(st.lists(_PLAIN, max_size=8), _CHATS, st.booleans(), st.integers(1, 20), st.integers(1, 20))
def test_more_budget_never_takes_an_entry_away_in_favour_of_one_behind_it(
    found: list[Entry], scene: Chat, recursive: bool, budget: int, more: int
) -> None:
    lore = [BoundBook(Book(entries=tuple(found), name="lore"))]

    def run_with(cap: int) -> Activation:
        wanted = ActivationSettings(dialect=M37, budget_cap=cap, context_tokens=10**6, is_recursive=recursive)
        return activate(lore, scene, wanted, count=words)

    small, large = run_with(budget), run_with(budget + more)
    assert small.trace.used_tokens <= budget
    for theirs, ours in zip(decide(small), decide(large), strict=False):
        if theirs != ours:
            assert theirs[:2] == ours[:2], "up to the first difference both are asked the same"
            assert ours[2], "and there the larger budget had room"
            break


@_FEW
@given(st.lists(_PLAIN, max_size=6), st.lists(_TEXTS, max_size=4), st.booleans(), st.booleans(), st.integers(0, 5))
def test_index_finds_what_a_search_of_the_joined_text_finds(
    found: list[Entry], texts: list[str], whole: bool, case: bool, depth: int
) -> None:
    wanted = ActivationSettings(match_whole_words=whole, case_sensitive=case, scan_depth=depth, context_tokens=10**6)
    scene = chat(*texts)
    lore = BoundBook(Book(entries=tuple(replace(own, content="") for own in found), name="l"))
    activation = activate([lore], scene, wanted, count=words)
    joined = "\x01" + "\n\x01".join(text.strip() for text in reversed(texts[-depth:] if depth else []))
    for trace, own in zip(activation.trace.entries, sorted(found, key=lambda e: -e.order), strict=True):
        text = joined if case else joined.lower()
        keys = own.keys if case else [key.lower() for key in own.keys]
        pattern = r"(?:^|[^A-Za-z0-9_])(?:{})(?:\Z|[^A-Za-z0-9_])" if whole else "{}"
        expected = depth > 0 and any(re.search(pattern.format(re.escape(key)), text) for key in keys)
        assert (trace.rule != "no_key_found") is expected, (own.keys, text)


def test_large_book_of_hostile_expressions_ends_within_its_allowance() -> None:
    """5,000 entries that name each other. Without the allowance the expressions would take minutes."""
    found = []
    for number in range(5_000):
        hostile = f"/(?<!{number})(?:a|aa)+$/" if number % 50 == 0 else f"other{number}"
        found.append(entry(number, f"key{number}", hostile, content=f"key{number + 1} key{number * 7}"))
    for dialect in ActivationDialect:
        wanted = ActivationSettings(dialect=dialect, scan_depth=20, is_recursive=True, max_recursion_steps=20)
        activation = activate([book(*found)], chat(*["a" * 40 + "! key0"] * 20), wanted, count=words)
        assert "0" in fired(activation)
        assert {issue.code for issue in activation.trace.regex_issues} == {"timeout", "out_of_time"}


@pytest.mark.parametrize("dialect", list(ActivationDialect))
def test_chain_of_entries_that_call_each_other_ends(
    dialect: ActivationDialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowledge.lorebooks.activation.scan.MAX_ENTRY_CHECKS", 200)
    chain = [entry(n, f"k{n}x", content=f"k{n + 1}x") for n in range(50)]
    cut = run(book(*chain), chat("k0x"), dialect=dialect, is_recursive=True)
    assert (cut.trace.is_cut_short, len(cut.trace.loops), len(fired(cut))) == (True, 5, 5)
    whole = run(book(*chain[:10]), chat("k0x"), dialect=dialect, is_recursive=True)
    assert (whole.trace.is_cut_short, len(fired(whole))) == (False, 10)


def test_group_named_by_thousands_of_digits_is_a_name() -> None:
    members = [entry(n, "k", groups=("1" * 5000,)) for n in range(2)]
    assert len(fired(run(book(*members), chat("k")))) == 1
