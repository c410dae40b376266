"""Sticky, cooldown and delay last for messages, follow the entry's hash, and end where the chat goes back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from knowledge.lorebooks.activation.inputs import ActivationDialect, Chat
from knowledge.lorebooks.activation.timed_state import TimedState
from tests.knowledge.lorebooks.activation.scenes import M37, book, chat, entry, explain, fired, run

DIALECTS = list(ActivationDialect)


def talk(length: int, *, key_at: int | None = None) -> Chat:
    """So many messages, with the key in the one that is the last at that length."""
    return chat(*("x" if number == key_at else "…" for number in range(1, length + 1)))


def carry(state: TimedState) -> TimedState:
    """The state as it comes back from the database."""
    return TimedState.from_json(json.loads(json.dumps(state.as_json())))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_delay_then_on_then_sticky_then_cooldown_then_free(dialect: ActivationDialect) -> None:
    lore = book(entry(1, "x", sticky=3, cooldown=2, delay=2))
    state, seen = TimedState(), []
    for length in range(1, 10):
        # The key is said in every message: only the effects decide.
        activation = run(lore, chat(*["x"] * length), state, dialect=dialect)
        state = carry(activation.state)
        seen.append(explain(activation, 1).rule)
    assert seen == ["delay", "key", "sticky", "sticky", "cooldown", "cooldown", "key", "sticky", "sticky"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_effect_is_taken_back_where_the_chat_does_not_advance(dialect: ActivationDialect) -> None:
    lore = book(entry(1, "x", sticky=5))
    state = run(lore, talk(3, key_at=3), dialect=dialect).state
    assert fired(run(lore, talk(4), state, dialect=dialect)) == {"1"}
    swiped = run(lore, talk(3), state, dialect=dialect)
    assert fired(swiped) == set()
    assert swiped.state == TimedState()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_edit_of_the_entry_ends_its_effect(dialect: ActivationDialect) -> None:
    known = entry(1, "x", sticky=5)
    state = run(book(known), talk(3, key_at=3), dialect=dialect).state
    edited = book(replace(known, content="other"))
    assert fired(run(edited, talk(4), state, dialect=dialect)) == set()


def test_old_effect_of_an_edited_entry_keeps_a_new_one_away_in_sillytavern_only() -> None:
    known = entry(1, "x", sticky=5)
    state = run(book(known), talk(3, key_at=3)).state
    edited = book(replace(known, content="other"))
    assert run(edited, talk(4, key_at=4), state).state.sticky == state.sticky
    assert run(edited, talk(4, key_at=4), state, dialect=M37).state.sticky != state.sticky


@pytest.mark.parametrize("dialect", DIALECTS)
def test_entry_that_moved_in_the_file_keeps_its_effect(dialect: ActivationDialect) -> None:
    known = entry(1, "x", sticky=5)
    state = run(book(known), talk(3, key_at=3), dialect=dialect).state
    moved = book(entry(0, "nothing"), replace(known, index=7, display_index=7))
    assert fired(run(moved, talk(4), state, dialect=dialect)) == {"1"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_sticky_entry_is_not_rolled_again(dialect: ActivationDialect) -> None:
    lore = book(entry(1, "x", sticky=5, probability=50))
    state = run(lore, talk(3, key_at=3), rolls=[0.1], dialect=dialect).state
    activation = run(lore, talk(4), state, rolls=[0.99], dialect=dialect)
    assert fired(activation) == {"1"}
    assert activation.trace.rolls == ()


def test_sticky_entry_wins_its_group() -> None:
    lore = book(
        entry(1, "x", sticky=5, groups=("g",), order=1), entry(2, "y", groups=("g",), group_override=True, order=9)
    )
    state = run(lore, talk(3, key_at=3)).state
    activation = run(lore, chat("…", "…", "…", "y"), state)
    assert fired(activation) == {"1"}
    assert explain(activation, 2).rule == "group_sticky"


def test_sticky_entry_in_a_group_falls_to_its_own_cooldown_in_sillytavern_only() -> None:
    lore = book(entry(1, "x", sticky=5, cooldown=4, groups=("g",)))
    state = run(lore, talk(3, key_at=3)).state
    assert explain(run(lore, talk(4), state), 1).rule == "group_timed"
    state = run(lore, talk(3, key_at=3), dialect=M37).state
    assert fired(run(lore, talk(4), state, dialect=M37)) == {"1"}


def test_protected_cooldown_outlives_a_swipe_but_not_a_deletion_in_ours() -> None:
    lore = book(entry(1, "x", sticky=1, cooldown=9))
    state = run(lore, talk(3, key_at=3)).state
    ended = run(lore, talk(4), state).state
    assert ended.cooldown["lore.1"].protected
    assert explain(run(lore, talk(4, key_at=4), ended), 1).rule == "cooldown"
    assert explain(run(lore, talk(2, key_at=2), ended), 1).rule == "cooldown"
    assert explain(run(lore, talk(2, key_at=2), ended, dialect=M37), 1).rule == "key"


def test_effects_of_entries_that_are_not_there_end_by_themselves() -> None:
    state = run(book(entry(1, "x", sticky=3)), talk(3, key_at=3)).state
    other = book(entry(2, "y"))
    assert run(other, talk(5), state).state.sticky
    assert not run(other, talk(6), state).state.sticky


def test_effect_of_an_entry_that_lost_the_setting_ends() -> None:
    state = run(book(entry(1, "x", sticky=3)), talk(3, key_at=3)).state
    assert state.sticky["lore.1"].end == 6


def test_dry_run_sees_and_leaves_no_effect() -> None:
    lore = book(entry(1, "x", sticky=5))
    state = run(lore, talk(3, key_at=3)).state
    dry = run(lore, talk(4), state, is_dry_run=True)
    assert fired(dry) == set()
    assert dry.state == state


def test_branch_inherits_and_rewinds() -> None:
    lore = book(entry(1, "x", sticky=5), entry(2, "y", sticky=5))
    state = run(lore, talk(3, key_at=3)).state
    state = run(lore, chat("…", "…", "x", "…", "y"), state).state
    assert set(state.sticky) == {"lore.1", "lore.2"}
    assert set(state.rewind(4).sticky) == {"lore.1"}
    assert state.rewind(2) == TimedState()


@pytest.mark.parametrize(
    "content", [None, [], {"sticky": 3}, {"sticky": {"a.1": None, "a.2": {"start": "x", "end": 2}}}, {"cooldown": [1]}]
)
def test_damaged_state_is_read_as_far_as_it_goes(content: object) -> None:
    assert TimedState.from_json(content) == TimedState()


def test_state_has_the_shape_of_sillytaverns_chat_metadata() -> None:
    state = run(book(entry(1, "x", sticky=5)), talk(3, key_at=3)).state
    effect = state.as_json()["sticky"]["lore.1"]
    assert {key: effect[key] for key in ("start", "end", "protected")} == {"start": 3, "end": 8, "protected": False}
    assert carry(state) == state
