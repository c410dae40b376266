"""What other programs make of a book that is written rightly: the traps of their readers, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from knowledge.lorebooks.adaptation import is_pattern
from knowledge.lorebooks.core.book import ALWAYS_PERCENT, Book, Entry
from knowledge.lorebooks.core.vocabulary import Dialect, Position, RegexKeys, SelectiveLogic
from knowledge.lorebooks.formats.agnai import KEPT_UNREAD
from knowledge.lorebooks.formats.registry import FORMATS

KEPT, APPROXIMATED = "kept", "approximated"
PROGRAMS = {
    Dialect.SILLYTAVERN: "SillyTavern",
    Dialect.CHARACTER_BOOK: "Character Card V2",
    Dialect.CHARACTER_BOOK_V3: "Character Card V3",
    Dialect.RISU: "RisuAI",
    Dialect.NOVELAI: "NovelAI",
    Dialect.AGNAI: "Agnai",
}
_CARD_BOOKS = frozenset({Dialect.CHARACTER_BOOK, Dialect.CHARACTER_BOOK_V3})
_V2_FIELDS = frozenset(
    {"keys", "secondary_keys", "content", "comment", "name", "order", "priority", "is_enabled", "is_constant"}
    | {"is_selective", "case_sensitive", "position", "memory37_id", "conditions"}
)
_AS_DECORATOR = frozenset(
    {"probability", "depth", "role", "scan_depth", "delay", "match_whole_words", "priority", "logic"}
    | {"prevent_recursion", "exclude_recursion"}
)


class Trap(NamedTuple):
    """A field, what becomes of it, and why."""

    field: str
    outcome: str
    why: str


def explain_kept(field: str, target: Dialect) -> str:
    """How a field is kept where it is not plain to see; empty where it is."""
    if target in _CARD_BOOKS and field not in _V2_FIELDS:
        return "in `extensions`, where SillyTavern reads it; other programs may not"
    if target is Dialect.RISU and field in _AS_DECORATOR:
        return "as a decorator in content"
    return ""


def explain_difference(field: str, was: Any, is_now: Any, target: Dialect) -> str:
    """Why a field is not what it was."""
    program = PROGRAMS[target]
    if field == "position":
        return f"{program} has no place {was.value}; it becomes {is_now.value}"
    if field in FORMATS[target].entry_fields:
        return f"{program} cannot say {_show(was)}; it becomes {_show(is_now)}"
    return f"{program} has no such field"


def _show(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nothing"
    return "nothing" if value in (None, "") else str(value)


def find_book_traps(book: Book, target: Dialect) -> Iterator[Trap]:
    """Settings of the book that stand in the file and are not acted upon."""
    for field in ("scan_depth", "token_budget", "recursive_scanning"):
        if getattr(book, field) is None:
            continue
        if target is Dialect.SILLYTAVERN:
            why = "stands in the file, for Chub and the way back; SillyTavern goes by its own settings"
            yield Trap(field, APPROXIMATED, why)
        elif target is Dialect.AGNAI:
            yield Trap(field, APPROXIMATED, "Agnai keeps it and goes by its own settings")


def find_entry_traps(entry: Entry, target: Dialect) -> Iterator[Trap]:
    """What readers of the target do to this entry though every member is written as it should be."""
    if entry.conditions:
        state = "enabled" if entry.is_enabled else "disabled"
        yield Trap("conditions", APPROXIMATED, f"only Memory37 knows conditions; the entry is written as {state}")
    if target is Dialect.SILLYTAVERN:
        yield from _sillytavern_traps(entry)
    elif target in _CARD_BOOKS:
        yield from _card_traps(entry)
        yield from _v3_traps(entry) if target is Dialect.CHARACTER_BOOK_V3 else _v2_traps(entry)
    elif target is Dialect.RISU:
        yield from _risu_traps(entry)
    elif target is Dialect.NOVELAI:
        yield from _novelai_traps(entry)
    elif target is Dialect.AGNAI:
        yield from _agnai_traps(entry)


def _sillytavern_traps(entry: Entry) -> Iterator[Trap]:
    if entry.regex_keys is RegexKeys.NONE and any(map(is_pattern, entry.keys)):
        yield Trap("keys", APPROXIMATED, "SillyTavern reads a key written /…/ as a pattern")
    if entry.priority is not None:
        yield Trap("priority", APPROXIMATED, "SillyTavern goes by order alone; priority stands in the file")


def _card_traps(entry: Entry) -> Iterator[Trap]:
    if not entry.is_enabled:
        yield Trap("is_enabled", KEPT, "RisuAI reads every entry of a card as enabled, and writes `enabled: true`")
    if any("," in key for key in entry.keys):
        yield Trap("keys", KEPT, "RisuAI joins keys by commas and splits them there: this one falls apart")
    if entry.secondary_keys and not entry.is_selective:
        yield Trap("secondary_keys", KEPT, "RisuAI drops secondary keys of an entry that is not selective")
    if entry.character_filter is not None:
        yield Trap("character_filter", APPROXIMATED, "SillyTavern does not read it from cards; Memory37 does")
    if entry.is_selective and entry.secondary_keys and entry.logic is not SelectiveLogic.AND_ANY:
        why = "SillyTavern reads it in `extensions`; RisuAI makes decorators of it and gives those back"
        yield Trap("logic", KEPT, why)
    if entry.use_probability and entry.probability != ALWAYS_PERCENT:
        why = "SillyTavern reads it in `extensions`; RisuAI makes `@@probability` of it and gives that back"
        yield Trap("probability", KEPT, why)
    if entry.position not in {Position.BEFORE_CHAR, Position.AFTER_CHAR}:
        why = "SillyTavern reads it in `extensions.position`; others place the entry after the character"
        yield Trap("position", KEPT, why)


def _v2_traps(entry: Entry) -> Iterator[Trap]:
    if entry.regex_keys is not RegexKeys.NONE and any(map(is_pattern, entry.keys)):
        yield Trap("keys", APPROXIMATED, "V2 has no patterns: SillyTavern reads /…/ as one, others as plain text")


def _v3_traps(entry: Entry) -> Iterator[Trap]:
    if entry.regex_keys is RegexKeys.NONE:
        return
    patterns = entry.keys if entry.regex_keys is RegexKeys.ALL else tuple(filter(is_pattern, entry.keys))
    if not patterns:
        return
    if entry.is_constant:
        why = "V3 tells readers to ignore `constant` where `use_regex` is true"
        yield Trap("is_constant", APPROXIMATED, why)
    if entry.secondary_keys and entry.is_selective:
        yield Trap("secondary_keys", APPROXIMATED, "V3 tells readers to ignore them where `use_regex` is true")
    if len(patterns) < len(entry.keys):
        why = "V3 reads every key as a pattern where `use_regex` is true; RisuAI turns it off if the first has no slash"
        yield Trap("keys", APPROXIMATED, why)


def _risu_traps(entry: Entry) -> Iterator[Trap]:
    if not entry.is_enabled:
        yield Trap("is_enabled", APPROXIMATED, "RisuAI has no disabled entries: it becomes `@@dont_activate`")
    if any("," in key for key in (*entry.keys, *entry.secondary_keys)):
        yield Trap("keys", APPROXIMATED, "RisuAI splits keys at commas, in patterns too: this one falls apart")
    elif entry.regex_keys is RegexKeys.SLASHED and 0 < sum(map(is_pattern, entry.keys)) < len(entry.keys):
        yield Trap("keys", APPROXIMATED, "RisuAI reads all keys of an entry as patterns, or none")
    if entry.use_probability and entry.probability == 0:
        why = "SillyTavern takes 0 % in a RisuAI file for no check at all: there the entry always fires"
        yield Trap("probability", KEPT, why)
    if entry.position is Position.BEFORE_CHAR:
        return
    if entry.position is Position.AFTER_CHAR:
        yield Trap("position", KEPT, "as `@@position after_desc`")


def _novelai_traps(entry: Entry) -> Iterator[Trap]:
    if entry.is_constant:
        yield Trap("is_constant", KEPT, "SillyTavern's reader of NovelAI files drops `forceActivation`")
    if any(" & " in key and not is_pattern(key) for key in entry.keys):
        yield Trap("keys", APPROXIMATED, "NovelAI reads ` & ` in a key as: both must occur")
    if entry.position is Position.AT_DEPTH:
        yield Trap("position", APPROXIMATED, "NovelAI counts lines from the end, not messages")


def _agnai_traps(entry: Entry) -> Iterator[Trap]:
    for field in sorted(KEPT_UNREAD & {"is_constant", "secondary_keys", "position"}):
        says_something = entry.position is not Position.BEFORE_CHAR if field == "position" else getattr(entry, field)
        if says_something:
            yield Trap(field, APPROXIMATED, "Agnai keeps it and does not act on it")
    if any(map(is_pattern, entry.keys)) and entry.regex_keys is not RegexKeys.NONE:
        yield Trap("keys", APPROXIMATED, "Agnai reads patterns as plain text")
