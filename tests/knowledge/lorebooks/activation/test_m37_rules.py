"""Our own rules: words of every script by their stems, a budget that is filled, and none of SillyTavern's bugs."""

from __future__ import annotations

import pytest

from knowledge.lorebooks.activation.inputs import BoundBook
from knowledge.lorebooks.core.book import Book
from knowledge.lorebooks.core.vocabulary import Position, RegexKeys
from tests.knowledge.lorebooks.activation.scenes import M37, book, chat, entry, explain, fired, run


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("дракон", "Мы говорили с драконами.", True),
        ("щит", "Защитник спит.", False),
        ("замок", "у старого замка", True),
        ("Лунный мост", "на Лунном мосту", True),
        ("Лунный мост", "лунный старый мост", False),
        ("ёлка", "под елкой", True),
        ("dragon", "two dragons!", True),
        ("cat", "concatenate", False),
        ("Kel'Thuzad", "KelThuzad came", True),
        ("naïve", "a naive girl", True),
        ("الجسر", "وبالجسر القديم", True),
        ("كتاب", "الكتاب", True),
        ("灯笼", "红灯笼节", True),
        ("灯笼", "灯和笼", False),
        ("トマト", "まるごとトマトです", True),
        ("마을", "마을에서", True),
        ("🔥", "so hot 🔥🔥", True),
        ("C-3PO", "c 3po walks", True),
        ("", "anything", False),
        ("   ", "anything", False),
    ],
)
def test_key_is_found_as_a_word(key: str, text: str, found: bool) -> None:
    assert (fired(run(book(entry(1, key)), chat(text), dialect=M37)) == {"1"}) is found


@pytest.mark.parametrize(
    ("key", "text", "members", "found"),
    [
        ("дракон", "с драконами", {"match_whole_words": True}, False),
        ("дракон", "дракон!", {"match_whole_words": True}, True),
        ("щит", "защитник", {"match_whole_words": False}, True),
        ("King", "the king", {"case_sensitive": True}, False),
        ("King", "the King!", {"case_sensitive": True}, True),
        ("King", "Kingdom", {"case_sensitive": True}, False),
        ("Щит", "Щиток", {"case_sensitive": True}, False),
        ("King", "Kingdom", {"case_sensitive": True, "match_whole_words": False}, True),
    ],
)
def test_settings_of_an_entry_choose_how_words_are_compared(key: str, text: str, members: dict, found: bool) -> None:
    assert (fired(run(book(entry(1, key, **members)), chat(text), dialect=M37)) == {"1"}) is found


@pytest.mark.parametrize(
    ("key", "regex_keys", "text", "found"),
    [
        ("drag.n", RegexKeys.ALL, "a dragon", True),
        ("/DRAG.N/i", RegexKeys.ALL, "a dragon", True),
        ("drag.n", RegexKeys.SLASHED, "a dragon", False),
        ("/drag.n/", RegexKeys.NONE, "a dragon", False),
        (r"/\bщит\b/u", RegexKeys.SLASHED, "мой щит!", True),  # with u words are Unicode's
        (r"/\bщит\b/u", RegexKeys.SLASHED, "защитник", False),
        (r"/^\x01\w+ \w+$/u", RegexKeys.SLASHED, "мой щит", True),
    ],
)
def test_expressions_follow_the_book(key: str, regex_keys: RegexKeys, text: str, found: bool) -> None:
    assert (fired(run(book(entry(1, key, regex_keys=regex_keys)), chat(text), dialect=M37)) == {"1"}) is found


def test_budget_is_filled_by_order() -> None:
    lore = book(
        entry(1, "x", content="a b c", order=9),
        entry(2, "x", content="a b c d e", order=8),
        entry(3, "x", content="a", order=7),
        entry(4, "x", content="a b", order=6),
    )
    activation = run(lore, chat("x"), dialect=M37, budget_cap=4)
    assert fired(activation) == {"1", "3"}
    assert explain(activation, 2).describe() == "cut by the budget at 8 of 4; 'x' was found in message 1"
    assert activation.trace.used_tokens == 4


def test_cut_entry_feeds_no_recursion_and_recursion_goes_on_without_it() -> None:
    lore = book(
        entry(1, "x", content="dragon " * 9, order=9),
        entry(2, "x", content="moon", order=8),
        entry(3, "moon", content="found"),
        entry(4, "dragon", content="lost"),
    )
    assert fired(run(lore, chat("x"), dialect=M37, is_recursive=True, budget_cap=5)) == {"2", "3"}


def test_entries_that_ignore_the_budget_cost_nothing() -> None:
    lore = book(entry(1, "x", content="a " * 9, ignores_budget=True, order=9), entry(2, "x", content="a b"))
    activation = run(lore, chat("x"), dialect=M37, budget_cap=2)
    assert fired(activation) == {"1", "2"}
    assert activation.trace.used_tokens == 2


@pytest.mark.parametrize(
    ("percent", "roll", "found"),
    [
        (0, 0.0, False),
        (-5, 0.0, False),
        (101, 0.999, True),
        (50, 0.499, True),
        (50, 0.5, False),
        (float("nan"), 0.0, False),
    ],
)
def test_nothing_fires_at_zero_per_cent(percent: float, roll: float, found: bool) -> None:
    activation = run(book(entry(1, "x", probability=percent)), chat("x"), dialect=M37, rolls=[roll])
    assert (fired(activation) == {"1"}) is found


def test_roll_of_an_entry_does_not_depend_on_others() -> None:
    alone = run(book(entry(5, "x", probability=50)), chat("x"), dialect=M37, seed=11)
    crowd = run(
        book(entry(5, "x", probability=50), *(entry(n, "x", probability=50, order=1) for n in range(4))),
        chat("x"), dialect=M37, seed=11,
    )  # fmt: skip
    assert alone.trace.rolls[0] == crowd.trace.rolls[0]


def test_loser_in_two_groups_takes_no_stranger_with_it() -> None:
    lore = book(
        entry(1, "x", groups=("g", "h"), order=9),
        entry(2, "x", groups=("g",), group_override=True, order=8),
        entry(3, "x", groups=("h",), group_override=True, order=7),
        entry("stranger", "x", order=1),
    )
    assert fired(run(lore, chat("x"), dialect=M37)) == {"2", "3", "stranger"}


def test_active_entry_takes_each_of_its_groups() -> None:
    lore = book(entry(1, "x", groups=("g", "h"), content="dragon"), entry(2, "dragon", groups=("g",)))
    assert fired(run(lore, chat("x"), dialect=M37, is_recursive=True)) == {"1"}


@pytest.mark.parametrize("weights", [(0, 0), (-5, -5), (float("nan"), 1), (0, 1)])
def test_group_has_one_winner_whatever_the_weights(weights: tuple[float, float]) -> None:
    lore = book(*(entry(n, "x", groups=("g",), group_weight=weight) for n, weight in enumerate(weights)))
    assert len(fired(run(lore, chat("x"), dialect=M37))) == 1


def test_entries_with_one_uid_stand_beside_each_other() -> None:
    activation = run(book(entry(1, "x", content="a"), entry(1, "x", content="b")), chat("x"), dialect=M37)
    assert activation.placements.before == "b\na"


def test_depth_zero_sees_injections_and_recursion() -> None:
    lore = book(entry(1, "dragon", scan_depth=0), entry(2, "egg", content="moon"), entry(3, "moon", scan_depth=0))
    assert fired(run(lore, chat("dragon egg"), dialect=M37, is_recursive=True)) == {"2", "3"}
    assert fired(run(lore, chat("x", injections=("dragon",)), dialect=M37)) == {"1"}


def test_scan_depth_of_the_book_holds_for_its_entries() -> None:
    lore = BoundBook(Book(entries=(entry(1, "dragon"),), name="lore", scan_depth=3))
    assert fired(run(lore, chat("dragon", "two", "three"), dialect=M37)) == {"1"}
    assert fired(run(lore, chat("dragon", "two", "three"))) == set()


def test_outlets_keep_the_order_of_other_parts() -> None:
    lore = book(*(entry(n, "x", position=Position.OUTLET, outlet="o", order=n) for n in (1, 2)))
    assert run(lore, chat("x"), dialect=M37).placements.outlets == {"o": ("text 1", "text 2")}


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("flag:gate_open", True),
        ("flag:war", False),
        ("!flag:war", True),
        ("not flag:gate_open", False),
        ("flag:missing", False),
        ("!flag:missing", True),
        ("flag:chapter >= 3", True),
        ("flag:chapter>3", False),
        ("flag:chapter = 3", True),
        ("flag:chapter != 3", False),
        ("flag:mood = grim", True),
        ("flag:mood > 3", False),
        ("flag:gate_open = true", True),
        ("disposition:mira > 10", True),
        ("disposition:mira < 10", False),
        ("disposition:nobody > -100", False),
        ("moon:full", False),
        ("", False),
    ],
)
def test_condition_on_flags_and_dispositions(condition: str, found: bool) -> None:
    lore = book(entry(1, "x", conditions=(condition,)))
    flags = {"gate_open": True, "war": False, "chapter": 3, "mood": "grim"}
    for dialect in (M37, "faithful"):
        activation = run(lore, chat("x"), dialect=type(M37)(dialect), flags=flags, dispositions={"mira": 12.5})
        assert (fired(activation) == {"1"}) is found


def test_all_conditions_must_hold_and_the_trace_names_the_one_that_does_not() -> None:
    lore = book(entry(1, "x", conditions=("flag:a", "flag:b")))
    activation = run(lore, chat("x"), dialect=M37, flags={"a": True, "b": False})
    assert explain(activation, 1).describe() == "a condition does not hold (flag:b)"


def test_unknown_flags_keep_an_entry_out_in_ours_and_are_not_looked_at_by_sillytavern() -> None:
    lore = book(entry(1, "x", conditions=("flag:a",)))
    assert explain(run(lore, chat("x"), dialect=M37), 1).rule == "condition_unknown"
    assert fired(run(lore, chat("x"))) == {"1"}
