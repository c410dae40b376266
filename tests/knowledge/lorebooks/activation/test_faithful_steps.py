"""SillyTavern's order of activation, one test for each step. Checked against SillyTavern 1.19.0: see `golden`."""

from __future__ import annotations

import pytest

from knowledge.lorebooks.activation.budget import TokenMeter, estimate_tokens
from knowledge.lorebooks.activation.compiled_books import split_known_decorators
from knowledge.lorebooks.activation.dice import Dice
from knowledge.lorebooks.activation.inputs import ActivationSettings, BookKind, BoundBook, InsertionStrategy
from knowledge.lorebooks.core.book import Book, CharacterFilter
from knowledge.lorebooks.core.vocabulary import Position, Role, ScanSource, SelectiveLogic
from knowledge.lorebooks.files import read_document
from knowledge.text.tokens import count_tokens
from tests.knowledge.lorebooks.activation.scenes import M37, book, chat, entry, explain, fired, run


# 1. Budget and order
@pytest.mark.parametrize(
    ("percent", "context", "cap", "budget"),
    [(25, 8192, 0, 2048), (25, 10, 0, 3), (25, 2, 0, 1), (25, 0, 0, 1), (50, 100, 30, 30), (50, 100, 80, 50)],
)
def test_budget_is_a_rounded_share_of_the_context_and_at_most_the_cap(
    percent: int, context: int, cap: int, budget: int
) -> None:
    assert ActivationSettings(budget_percent=percent, context_tokens=context, budget_cap=cap).compute_budget() == budget


def test_entries_are_considered_by_book_then_by_strategy_then_by_order() -> None:
    books = [
        BoundBook(
            Book(entries=(entry(f"{kind.value}1", order=1), entry(f"{kind.value}9", order=9)), name=kind.value), kind
        )
        for kind in (BookKind.GLOBAL, BookKind.CHARACTER, BookKind.PERSONA, BookKind.CHAT)
    ]

    def order(strategy: InsertionStrategy) -> list[str]:
        return [trace.uid for trace in run(books, chat(), strategy=strategy).trace.entries]

    first = ["chat9", "chat1", "persona9", "persona1"]
    assert order(InsertionStrategy.CHARACTER_FIRST) == [*first, "character9", "character1", "global9", "global1"]
    assert order(InsertionStrategy.GLOBAL_FIRST) == [*first, "global9", "global1", "character9", "character1"]
    assert order(InsertionStrategy.EVENLY) == [*first, "global9", "character9", "global1", "character1"]


# 2. Buffer
def test_only_the_last_messages_are_scanned() -> None:
    scene = chat("a dragon", "two", "three")
    assert fired(run(book(entry(1, "dragon")), scene)) == set()
    assert fired(run(book(entry(1, "dragon")), scene, scan_depth=3)) == {"1"}


def test_scan_depth_of_an_entry_goes_before_the_setting() -> None:
    lore = book(entry(1, "dragon", scan_depth=3), entry(2, "dragon", scan_depth=1))
    assert fired(run(lore, chat("dragon", "two", "three"))) == {"1"}


def test_depth_zero_sees_nothing_at_all_in_sillytavern() -> None:
    """Its documents promise injections and recursion there; its code returns an empty text."""
    lore = book(entry(1, "dragon", scan_depth=0), entry(2, "/^$/", scan_depth=0), entry(3, "egg", content="dragon"))
    scene = chat("dragon egg", injections=("dragon",))
    assert fired(run(lore, scene, is_recursive=True)) == {"2", "3"}


def test_names_count_as_text_where_they_are_included() -> None:
    from knowledge.lorebooks.activation.inputs import Chat, ChatMessage

    scene = Chat((ChatMessage("hello", "Mira"),))
    assert fired(run(book(entry(1, "mira")), scene)) == {"1"}
    assert fired(run(book(entry(1, "mira")), scene, include_names=False)) == set()


def test_expression_sees_messages_joined_newest_first_behind_a_mark() -> None:
    lore = book(entry(1, r"/^\x01new\n\x01old$/"), entry(2, r"/old[\s\S]*new/"))
    assert fired(run(lore, chat("old", "new"))) == {"1"}


def test_other_texts_are_scanned_where_an_entry_asks_for_them() -> None:
    scene = chat("hi", sources={ScanSource.SCENARIO: "a dragon hunt"}, injections=("note: the moon",))
    lore = book(entry(1, "dragon", scan_sources=(ScanSource.SCENARIO,)), entry(2, "dragon"), entry(3, "moon"))
    activation = run(lore, scene)
    assert fired(activation) == {"1", "3"}
    assert explain(activation, 1).match.where.source == "scenario"
    assert explain(activation, 3).match.where.source == "injection"


def test_no_plain_key_matches_across_messages() -> None:
    assert fired(run(book(entry(1, "old\nnew"), entry(2, "new\nold")), chat("old", "new"))) == set()
    assert fired(run(book(entry(1, "old\nnew")), chat("old\nnew"))) == {"1"}


# 3. ActivationRules, in order
GATES = [
    ("disabled", {"is_enabled": False}),
    ("trigger", {"triggers": ("swipe",)}),
    ("character", {"character_filter": CharacterFilter(names=("villain",))}),
    ("tag", {"character_filter": CharacterFilter(tags=("elf",))}),
    ("delay", {"delay": 5}),
    ("delay_until_recursion", {"delay_until_recursion": 1}),
    ("dont_activate", {"content": "@@dont_activate\ntext"}),
]


@pytest.mark.parametrize(("rule", "members"), GATES)
def test_gate_stops_an_entry(rule: str, members: dict) -> None:
    activation = run(
        book(entry(1, "dragon", **members)), chat("dragon"), character="hero", character_tags=frozenset({"orc"})
    )
    assert fired(activation) == set()
    assert explain(activation, 1).rule == rule


def test_gates_are_asked_in_order() -> None:
    for number in range(len(GATES) - 1):
        later: dict = {}
        for _, members in reversed(GATES[number:]):
            later.update(members)
        rule = explain(
            run(book(entry(1, "dragon", **later)), chat("dragon"), character="hero", character_tags=frozenset({"orc"})),
            1,
        ).rule
        # The filters by name and by tag are one member: the later one overwrites the earlier.
        assert rule == GATES[number][0] or {rule, GATES[number][0]} == {"character", "tag"}


def test_excluding_filter_keeps_out_who_is_named() -> None:
    lore = book(entry(1, "dragon", character_filter=CharacterFilter(names=("hero",), is_exclude=True)))
    assert fired(run(lore, chat("dragon"), character="hero")) == set()
    assert fired(run(lore, chat("dragon"), character="other")) == {"1"}


def test_tags_are_looked_at_only_where_they_are_known() -> None:
    lore = book(entry(1, "dragon", character_filter=CharacterFilter(tags=("elf",))))
    assert fired(run(lore, chat("dragon"), character_tags=None)) == {"1"}
    assert fired(run(lore, chat("dragon"), character_tags=frozenset())) == set()


def test_constant_and_activate_need_no_key() -> None:
    lore = book(entry(1, is_constant=True), entry(2, content="@@activate\nhi"), entry(3))
    activation = run(lore, chat("x"))
    assert fired(activation) == {"1", "2"}
    assert explain(activation, 3).rule == "no_keys"


def test_externally_activated_entries_need_no_key_and_come_first() -> None:
    activation = run(
        book(entry(1, "x", order=9), entry(2, order=1)), chat("x"), external=frozenset({"lore.2"}), budget_cap=3
    )
    assert explain(activation, 2).is_active
    assert explain(activation, 1).rule == "budget"


@pytest.mark.parametrize(
    ("content", "decorators", "rest"),
    [
        ("@@activate\nhi", {"@@activate"}, "hi"),
        ("@@foo\n@@@activate\nhi", {"@@activate"}, "hi"),
        ("@@activate\n@@@dont_activate\nhi", {"@@activate"}, "hi"),
        ("@@foo\n@@@bar\n@@@dont_activate\nhi", {"@@dont_activate"}, "hi"),
        ("@@activate_only_after 3\nhi", {"@@activate_only_after 3"}, "hi"),
        ("@@foo 3\nhi", set(), "hi"),
        ("hi\n@@activate", set(), "hi\n@@activate"),
        ("@@activate", {"@@activate"}, "@@activate"),  # of nothing but decorators all is content
    ],
)
def test_decorators_that_sillytavern_knows(content: str, decorators: set[str], rest: str) -> None:
    assert split_known_decorators(content) == (decorators, rest)


# 4. Keys
@pytest.mark.parametrize(
    ("key", "text", "members", "found"),
    [
        ("cat", "concatenate", {}, True),
        ("cat", "concatenate", {"match_whole_words": True}, False),
        ("cat", "a cat!", {"match_whole_words": True}, True),
        ("cat", "foo_cat", {"match_whole_words": True}, False),
        ("щит", "защитник", {"match_whole_words": True}, True),  # every Cyrillic letter is \W
        ("灯笼", "红灯笼节", {"match_whole_words": True}, True),
        ("moon gate", "moon gatekeeper", {"match_whole_words": True}, True),  # two words: no boundaries
        ("King", "the king", {}, True),
        ("King", "the king", {"case_sensitive": True}, False),
        ("/king/", "The King", {}, False),  # an expression has its own flags
        ("/King/", "The King", {}, True),
        ("/cat/", "concatenate", {"match_whole_words": True}, True),
        ("/[/", "a /[/ b", {}, True),  # no expression: plain text
        (" cat ", "concatenate", {}, True),
        ("", "text", {}, False),
        ("   ", "text", {}, True),  # the bug: what is left of it is found in any text
        ("İ", "xİx", {}, True),
    ],
)
def test_key_is_found(key: str, text: str, members: dict, found: bool) -> None:
    assert (fired(run(book(entry(1, key, **members)), chat(text))) == {"1"}) is found


# 5. Logic and macros
@pytest.mark.parametrize(
    ("logic", "text", "found"),
    [
        (SelectiveLogic.AND_ANY, "king gold", True),
        (SelectiveLogic.AND_ANY, "king", False),
        (SelectiveLogic.NOT_ALL, "king gold", True),
        (SelectiveLogic.NOT_ALL, "king gold crown", False),
        (SelectiveLogic.NOT_ANY, "king", True),
        (SelectiveLogic.NOT_ANY, "king crown", False),
        (SelectiveLogic.AND_ALL, "king gold crown", True),
        (SelectiveLogic.AND_ALL, "king gold", False),
        (SelectiveLogic.AND_ALL, "gold crown", False),
    ],
)
def test_secondary_keys_decide_by_their_logic(logic: SelectiveLogic, text: str, found: bool) -> None:
    lore = book(entry(1, "king", secondary_keys=("gold", "crown"), logic=logic))
    assert (fired(run(lore, chat(text))) == {"1"}) is found


def test_secondary_keys_count_only_where_an_entry_is_selective() -> None:
    assert fired(run(book(entry(1, "king", secondary_keys=("x",), is_selective=False)), chat("king"))) == {"1"}


def test_macros_are_put_into_keys_and_content() -> None:
    lore = book(entry(1, "{{char}}'s sword", content="{{User}} knows <BOT>, not {{outlet::x}} or {{other}}"))
    activation = run(lore, chat("Oda's sword"), macros={"user": "Mira", "char": "Oda"})
    assert activation.placements.before == "Mira knows Oda, not {{outlet::x}} or {{other}}"


# 6. Sorting and groups
def test_one_of_a_group_stays_and_groups_come_before_probability() -> None:
    lore = book(
        entry(1, "x", groups=("g",), group_override=True, order=9, probability=0),
        entry(2, "x", groups=("g",), order=5),
    )
    activation = run(lore, chat("x"), rolls=[0.5])
    assert fired(activation) == set(), "the winner then fails its roll, and nobody takes its place"
    assert explain(activation, 2).rule == "group_override"
    assert explain(activation, 1).rule == "probability"


def test_highest_order_wins_among_those_that_override() -> None:
    lore = book(*(entry(n, "x", groups=("g",), group_override=n != 3, order=n) for n in (1, 2, 3)))
    assert fired(run(lore, chat("x"))) == {"2"}


@pytest.mark.parametrize(("roll", "winner"), [(0.0, "1"), (0.1, "1"), (0.11, "2"), (0.99, "2")])
def test_group_is_rolled_by_weight(roll: float, winner: str) -> None:
    lore = book(
        entry(1, "x", groups=("g",), group_weight=10, order=9), entry(2, "x", groups=("g",), group_weight=90, order=1)
    )
    activation = run(lore, chat("x"), rolls=[roll])
    assert fired(activation) == {winner}
    assert [(rolled.purpose, rolled.value) for rolled in activation.trace.rolls] == [("group", roll)]


def test_scoring_keeps_those_with_most_keys_found() -> None:
    lore = book(
        entry(1, "king", "gold", groups=("g",), order=1),
        entry(2, "king", "crown", groups=("g",), order=9),
        entry(3, "king", groups=("g",), use_group_scoring=False, order=5),
    )
    activation = run(lore, chat("king gold"), use_group_scoring=True, rolls=[0.9])
    assert explain(activation, 2).rule == "group_score"
    assert explain(activation, 2).detail == "(1 of 2)"
    assert fired(activation) == {"1"}


def test_score_counts_secondary_keys_only_where_they_ask_for_presence() -> None:
    lore = book(
        entry(1, "king", secondary_keys=("gold",), groups=("g",)),
        entry(2, "king", secondary_keys=("x",), logic=SelectiveLogic.NOT_ANY, groups=("g",)),
    )
    assert fired(run(lore, chat("king gold"), use_group_scoring=True)) == {"1"}


def test_group_that_is_in_already_lets_nobody_else_in() -> None:
    lore = book(entry(1, "x", groups=("g",), content="dragon"), entry(2, "dragon", groups=("g",)))
    activation = run(lore, chat("x"), is_recursive=True)
    assert fired(activation) == {"1"}
    assert explain(activation, 2).rule == "group_taken"


def test_active_group_is_told_by_the_whole_field_so_one_of_two_groups_takes_neither() -> None:
    lore = book(entry(1, "x", groups=("g", "h"), content="dragon"), entry(2, "dragon", groups=("g",)))
    assert fired(run(lore, chat("x"), is_recursive=True)) == {"1", "2"}


def test_entry_that_loses_in_two_groups_takes_a_stranger_with_it() -> None:
    """The bug: `splice(indexOf(entry), 1)` of an entry that is out already takes out the last one."""
    lore = book(
        entry(1, "x", groups=("g", "h"), order=9),
        entry(2, "x", groups=("g",), group_override=True, order=8),
        entry(3, "x", groups=("h",), group_override=True, order=7),
        entry("stranger", "x", order=1),
    )
    activation = run(lore, chat("x"))
    assert fired(activation) == {"2", "3"}
    assert explain(activation, "stranger").rule == "group_splice"


# 7. Probability
@pytest.mark.parametrize(
    ("percent", "roll", "found"),
    [
        (50, 0.5, True),
        (50, 0.501, False),
        (0, 0.0, True),
        (0, 0.001, False),
        (101, 0.999, True),
        (-1, 0.0, False),
        (float("nan"), 0.0, False),
    ],
)
def test_roll_times_hundred_is_at_most_the_probability(percent: float, roll: float, found: bool) -> None:
    activation = run(book(entry(1, "x", probability=percent)), chat("x"), rolls=[roll])
    assert (fired(activation) == {"1"}) is found


def test_certain_entries_and_those_that_use_none_are_not_rolled() -> None:
    activation = run(book(entry(1, "x"), entry(2, "x", probability=0, use_probability=False)), chat("x"))
    assert fired(activation) == {"1", "2"}
    assert activation.trace.rolls == ()


def test_failed_roll_is_final_for_the_scan() -> None:
    lore = book(
        entry(1, "x", probability=50, order=9), entry(2, "x", content="x again"), entry(3, "again", content="x")
    )
    activation = run(lore, chat("x"), is_recursive=True, rolls=[0.9, 0.0, 0.0])
    assert fired(activation) == {"2", "3"}
    assert len(activation.trace.rolls) == 1


# 8. Budget
def test_scan_of_entries_stops_at_the_first_that_reaches_the_budget() -> None:
    lore = book(
        entry(1, "x", content="a b c", order=9),
        entry(2, "x", content="a b c d e", order=8),
        entry(3, "x", content="a", order=7),
    )
    activation = run(lore, chat("x"), budget_cap=8)
    assert fired(activation) == {"1"}
    assert explain(activation, 2).describe() == "cut by the budget at 8 of 8; 'x' was found in message 1"
    assert explain(activation, 3).rule == "budget"
    assert activation.trace.has_overflowed


def test_budget_must_not_even_be_reached() -> None:
    assert fired(run(book(entry(1, "x", content="a b c")), chat("x"), budget_cap=3)) == set()
    assert fired(run(book(entry(1, "x", content="a b c")), chat("x"), budget_cap=4)) == {"1"}


def test_entries_that_ignore_the_budget_get_in_after_it_is_reached() -> None:
    lore = book(
        entry(1, "x", content="a b c", order=9),
        entry(2, "x", content="a", order=8),
        entry(3, "x", content="long " * 50, ignores_budget=True, order=7),
    )
    assert fired(run(lore, chat("x"), budget_cap=3)) == {"3"}


def test_content_that_ignores_the_budget_still_counts_for_those_behind_it() -> None:
    lore = book(entry(1, "x", content="a b c", ignores_budget=True, order=9), entry(2, "x", content="a", order=8))
    assert fired(run(lore, chat("x"), budget_cap=4)) == {"1"}


def test_recursion_ends_once_the_budget_is_reached() -> None:
    lore = book(entry(1, "x", content="dragon", order=900), entry(2, "x", content="a " * 9), entry(3, "dragon"))
    assert fired(run(lore, chat("x"), is_recursive=True, budget_cap=5)) == {"1"}


def test_entries_cut_by_the_budget_still_feed_a_further_level() -> None:
    lore = book(
        entry(1, "x", content="the dragon and more words", order=9),
        entry(2, "dragon", delay_until_recursion=2, ignores_budget=True),
        entry(3, "never", delay_until_recursion=1),
    )
    assert fired(run(lore, chat("x"), is_recursive=True, budget_cap=3)) == {"2"}


@pytest.mark.parametrize(
    "parts",
    [("a\n", "b\n"), ("end!\n", "/path\n"), ("x\n", " y\n"), ("x\n", "\n"), ("щит\n", "灯笼\n", "🔥\n"), ("", "a\n")],
)
def test_growing_text_is_counted_as_the_whole_is(parts: tuple[str, ...]) -> None:
    meter, whole = TokenMeter(count_tokens), ""
    for part in parts:
        whole += part
        assert meter.add(part) == count_tokens(whole)


def test_estimate_is_a_token_for_each_335_hundredths_of_a_character() -> None:
    assert [estimate_tokens(text) for text in ("", "a", "abcd", "щит" * 10, "😀")] == [0, 1, 2, 9, 1]


# 9. Recursion, minimum, levels
def test_content_finds_further_entries_only_where_recursion_is_on() -> None:
    lore = book(entry(1, "x", content="a dragon"), entry(2, "dragon", content="moon"), entry(3, "moon"))
    assert fired(run(lore, chat("x"))) == {"1"}
    activation = run(lore, chat("x"), is_recursive=True)
    assert fired(activation) == {"1", "2", "3"}
    assert [loop.state for loop in activation.trace.loops] == ["initial", "recursion", "recursion", "recursion"]


def test_recursion_flags() -> None:
    lore = book(
        entry(1, "x", content="dragon"),
        entry(2, "dragon", exclude_recursion=True),
        entry(3, "x", content="moon", prevent_recursion=True),
        entry(4, "moon"),
    )
    assert fired(run(lore, chat("x"), is_recursive=True)) == {"1", "3"}


def test_entries_that_name_each_other_end() -> None:
    lore = book(*(entry(n, "x" if n == 0 else f"key{n}", content=f"key{(n + 1) % 5} key{n}") for n in range(5)))
    assert fired(run(lore, chat("x"), is_recursive=True)) == {"0", "1", "2", "3", "4"}


def test_max_recursion_steps_counts_loops() -> None:
    lore = book(entry(1, "x", content="k2"), entry(2, "k2", content="k3"), entry(3, "k3"))
    assert fired(run(lore, chat("x"), is_recursive=True, max_recursion_steps=1)) == {"1"}
    assert fired(run(lore, chat("x"), is_recursive=True, max_recursion_steps=2)) == {"1", "2"}


def test_minimum_of_activations_goes_deeper_into_the_chat() -> None:
    lore = book(entry(1, "old"), entry(2, "older"))
    scene = chat("older", "old", "three", "four")
    assert fired(run(lore, scene)) == set()
    assert fired(run(lore, scene, min_activations=1)) == {"1"}
    assert fired(run(lore, scene, min_activations=2)) == {"1", "2"}
    assert fired(run(lore, scene, min_activations=2, min_activations_max_depth=2)) == {"1"}


def test_deeper_scans_leave_recursion_out_and_are_followed_by_one_with_it() -> None:
    lore = book(entry(1, "x", content="dragon"), entry(2, "old"), entry(3, "dragon"))
    activation = run(lore, chat("old", "x", "three"), is_recursive=True, min_activations=3)
    assert fired(activation) == {"1", "2", "3"}
    assert [loop.state for loop in activation.trace.loops][:3] == ["initial", "recursion", "recursion"]


def test_delayed_entries_wait_for_their_level() -> None:
    lore = book(
        entry(1, "x", content="a1"),
        entry(2, "a1", delay_until_recursion=1, content="a2"),
        entry(3, "a2", delay_until_recursion=3, content="a3"),
        entry(4, "x", delay_until_recursion=3),
    )
    activation = run(lore, chat("x"), is_recursive=True)
    assert [(explain(activation, n).loop, explain(activation, n).is_active) for n in (1, 2, 3, 4)] == [
        (1, True), (2, True), (4, True), (4, True),
    ]  # fmt: skip


def test_last_level_is_reached_also_where_recursion_is_off() -> None:
    lore = book(entry(1, "x", delay_until_recursion=1), entry(2, "x", delay_until_recursion=2))
    assert fired(run(lore, chat("x"))) == {"1", "2"}
    assert fired(run(book(entry(1, "x", delay_until_recursion=1)), chat("x"))) == set()


# 10. Placement
def test_higher_order_is_nearer_the_end() -> None:
    lore = book(entry("a", "x", order=1), entry("b", "x", order=3), entry("c", "x", order=2), entry("d", "x", order=2))
    assert run(lore, chat("x")).placements.before == "text a\ntext d\ntext c\ntext b"


def test_each_position_has_its_part() -> None:
    lore = book(*(entry(position.value, "x", position=position, outlet="here") for position in Position))
    placements = run(lore, chat("x")).placements
    assert (placements.before, placements.after) == ("text before_char", "text after_char")
    assert (placements.an_top, placements.an_bottom) == (("text an_top",), ("text an_bottom",))
    assert (placements.em_top, placements.em_bottom) == (("text em_top",), ("text em_bottom",))
    assert placements.at_depth[0].texts == ("text at_depth",)
    assert placements.outlets == {"here": ("text outlet",)}
    assert len(placements.entries) == 8


def test_entries_at_one_depth_in_one_role_are_one_block() -> None:
    def deep(uid: str, order: int, depth: int, role: Role):
        return entry(uid, "x", position=Position.AT_DEPTH, order=order, depth=depth, role=role)

    lore = book(
        deep("a", 1, 4, Role.SYSTEM),
        deep("b", 2, 4, Role.USER),
        deep("c", 3, 4, Role.SYSTEM),
        deep("d", 4, 2, Role.SYSTEM),
    )
    blocks = run(lore, chat("x")).placements.at_depth
    assert [(block.depth, block.role, block.texts) for block in blocks] == [
        (2, "system", ("text d",)),
        (4, "system", ("text a", "text c")),
        (4, "user", ("text b",)),
    ]


def test_outlets_go_by_exact_name_in_descending_order_and_need_a_name() -> None:
    lore = book(
        entry("a", "x", position=Position.OUTLET, outlet="Lore", order=1),
        entry("b", "x", position=Position.OUTLET, outlet="Lore", order=2),
        entry("c", "x", position=Position.OUTLET, outlet="lore"),
        entry("d", "x", position=Position.OUTLET),
    )
    activation = run(lore, chat("x"))
    assert activation.placements.outlets == {"lore": ("text c",), "Lore": ("text b", "text a")}
    assert "d" in fired(activation)


def test_entry_without_content_fires_but_stands_nowhere() -> None:
    activation = run(book(entry(1, "x", content="")), chat("x"))
    assert fired(activation) == {"1"}
    assert activation.placements.entries == ()


def test_later_of_two_entries_with_one_uid_takes_the_place_of_the_other() -> None:
    lore = book(entry(1, "x", content="high", order=9), entry(1, "x", content="low", order=1))
    activation = run(lore, chat("x"))
    assert activation.placements.before == "low"
    assert [trace.rule for trace in activation.trace.entries] == ["replaced", "key"]


def test_rolls_are_those_of_mulberry32() -> None:
    dice = Dice(1)
    assert [dice.roll("probability", "x") for _ in range(3)] == [
        0.6270739405881613,
        0.002735721180215478,
        0.5274470399599522,
    ]


# What a file leaves out
@pytest.mark.parametrize(
    ("missing", "text", "rolls", "active", "before"),
    [
        ((), "king gold", [0.5], True, "text"),
        ((), "king", [0.5], False, ""),
        (("selective",), "king", [0.5], True, "text"),
        ((), "king gold", [0.7], False, ""),
        (("probability",), "king gold", [0.0], False, ""),
        (("useProbability",), "king gold", [0.7], True, "text"),
        (("useProbability", "probability"), "king gold", [0.7], True, "text"),
        (("position",), "king gold", [0.5], True, ""),
    ],
)
def test_missing_member_is_what_javascript_makes_of_it(
    missing: tuple[str, ...], text: str, rolls: list[float], active: bool, before: str
) -> None:
    written = {
        "uid": 1, "key": ["king"], "keysecondary": ["gold"], "content": "text", "selective": True, "selectiveLogic": 0,
        "order": 100, "position": 0, "probability": 60, "useProbability": True,
    }  # fmt: skip
    kept = {name: value for name, value in written.items() if name not in missing}
    activation = run(BoundBook(read_document({"entries": {"1": kept}}).book), chat(text), rolls=rolls)
    trace = explain(activation, 1)
    assert (trace.is_active, trace.is_placed, activation.placements.before) == (active, bool(before), before)


def test_entries_without_uid_are_one_to_sillytavern() -> None:
    entries = {str(n): {"key": ["x"], "content": f"text {n}", "position": 0, "order": 100} for n in range(3)}
    lore = BoundBook(read_document({"entries": entries}).book)
    assert run(lore, chat("x")).placements.before == "text 2"
    assert run(lore, chat("x"), dialect=M37).placements.before == "text 2\ntext 1\ntext 0"
