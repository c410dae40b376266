"""What a book loses on its way into another dialect: field by field, with the reason, before anybody downloads it.

What the target says of a field is found by writing the book and reading it back. On top come the known traps of other
programs' readers, which no round trip of ours would show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from knowledge.lorebooks.adaptation import adapt_entry, slash_patterns
from knowledge.lorebooks.conversion import convert_book
from knowledge.lorebooks.core.book import ALWAYS_PERCENT, Book, Entry, Unread
from knowledge.lorebooks.core.vocabulary import Dialect, Position, SelectiveLogic
from knowledge.lorebooks.formats.decorator_fields import resolve_decorators
from knowledge.lorebooks.formats.members import BOOK_DEFAULTS, ENTRY_DEFAULTS
from knowledge.lorebooks.formats.registry import FORMATS
from knowledge.lorebooks.traps import PROGRAMS, explain_difference, explain_kept, find_book_traps, find_entry_traps

_SETTINGS = ("name", "description", "scan_depth", "token_budget", "recursive_scanning")
_NOT_COMPARED = frozenset({"index", "raw", "decorators", "display_index", "regex_keys", "memory37_id"})
_FIELDS = tuple(name for name in ENTRY_DEFAULTS if name not in _NOT_COMPARED)


class Outcome(StrEnum):
    """What becomes of a field."""

    KEPT = "kept"
    APPROXIMATED = "approximated"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Loss:
    """What becomes of one field of one entry; of the whole book where `entry` is None."""

    entry: str | None
    title: str
    field: str
    outcome: Outcome
    why: str

    def as_json(self) -> dict[str, Any]:
        return {
            "entry": self.entry,
            "title": self.title,
            "field": self.field,
            "outcome": self.outcome.value,
            "why": self.why,
        }


def report_losses(book: Book, target: Dialect, converted: Book | None = None) -> list[Loss]:
    """One line for each field that says something, in the order of entries; what is kept is listed, too.

    `converted` is the book in the target dialect, where the caller has it already.
    """
    converted = convert_book(book, target) if converted is None else converted
    losses = [
        *_compare_settings(book, converted, is_same=book.dialect is target and bool(book.raw)),
        *_report_foreign_settings(book, target),
    ]
    for entry, written in zip(book.entries, converted.entries, strict=True):
        losses += _report_entry(entry, written, book, target)
    return losses


def count_outcomes(losses: Iterable[Loss]) -> dict[str, int]:
    """How many lines each outcome has."""
    counts = {outcome.value: 0 for outcome in Outcome}
    for loss in losses:
        counts[loss.outcome.value] += 1
    return counts


def is_lossy(losses: Iterable[Loss]) -> bool:
    """Whether anything is approximated or dropped."""
    return any(loss.outcome is not Outcome.KEPT for loss in losses)


def make_comparable(entry: Entry) -> Entry:
    """The entry with what means the same said one way, and what has no effect set back to its default."""
    entry, _ = resolve_decorators(slash_patterns(entry))
    changes: dict[str, Any] = {}
    if not (entry.is_selective and entry.secondary_keys):
        changes |= {"is_selective": True, "logic": SelectiveLogic.AND_ANY}
    elif len(entry.secondary_keys) == 1:
        is_and = entry.logic in {SelectiveLogic.AND_ANY, SelectiveLogic.AND_ALL}
        changes["logic"] = SelectiveLogic.AND_ANY if is_and else SelectiveLogic.NOT_ANY
    if not entry.use_probability:
        changes |= {"use_probability": True, "probability": ALWAYS_PERCENT}
    if entry.position is not Position.AT_DEPTH:
        changes |= _default("depth", "role")
    if entry.position is not Position.OUTLET:
        changes |= _default("outlet")
    if not entry.groups:
        changes |= _default("group_override", "group_weight", "use_group_scoring")
    return replace(entry, **changes)


def _default(*names: str) -> dict[str, Any]:
    return {name: ENTRY_DEFAULTS[name] for name in names}


def _report_entry(entry: Entry, written: Entry, book: Book, target: Dialect) -> Iterator[Loss]:
    title = entry.comment or entry.name or next(iter(entry.keys), "")

    def line(field: str, outcome: Outcome, why: str) -> Loss:
        return Loss(entry.uid, title, field, outcome, why)

    traps: dict[str, Loss] = {}
    if book.dialect is not target:
        for name in adapt_entry(entry, target).lost_decorators:
            yield line(f"@@{name}", Outcome.DROPPED, f"{PROGRAMS[target]} has no such decorator")
    is_same = book.dialect is target and not isinstance(entry.raw, Unread)
    for trap in () if is_same else find_entry_traps(entry, target):
        traps[trap.field] = line(trap.field, Outcome(trap.outcome), trap.why)
    before, after = make_comparable(entry), make_comparable(written)
    for field in _FIELDS:
        was, is_now = getattr(before, field), getattr(after, field)
        default = ENTRY_DEFAULTS[field]
        if was != is_now:
            dropped = is_now == default or is_now in ((), "", None)
            outcome = Outcome.DROPPED if dropped else Outcome.APPROXIMATED
            traps.pop(field, None)
            yield line(field, outcome, explain_difference(field, was, is_now, target))
        elif field in traps:
            yield traps.pop(field)
        elif was != default:
            yield line(field, Outcome.KEPT, "" if is_same else explain_kept(field, target))
    yield from traps.values()
    yield from (line(name, outcome, why) for name, outcome, why in _report_foreign(entry, book.dialect, target))


def list_foreign_members(entry: Entry, dialect: Dialect) -> list[str]:
    """Members of the entry's JSON that are no field of ours: data of other programs."""
    spelling = FORMATS[dialect]
    known = {path[0] for member in spelling.entry_members for path in member.paths}
    known |= {path[0] for path in spelling.uid_paths} | set(spelling.new_entry)
    names = [name for name in entry.raw if name not in known]
    extensions = entry.raw.get(spelling.extensions) if spelling.extensions else None
    if isinstance(extensions, Mapping):
        inner = {path[1] for member in spelling.entry_members for path in member.paths if len(path) > 1}
        names += [f"{spelling.extensions}.{name}" for name in extensions if name not in inner]
    return names


def _report_foreign(entry: Entry, source: Dialect, target: Dialect) -> Iterator[tuple[str, Outcome, str]]:
    """Data of other programs goes along where the target has a place for it."""
    for name in list_foreign_members(entry, source):
        if source is target:
            yield name, Outcome.KEPT, "stays where it is"
        elif FORMATS[target].extensions:
            yield name, Outcome.KEPT, f"goes along in `{FORMATS[target].extensions}`, for the way back"
        else:
            yield name, Outcome.DROPPED, f"{PROGRAMS[target]} has no place for data of other programs"


def _compare_settings(book: Book, converted: Book, *, is_same: bool) -> Iterator[Loss]:
    target = converted.dialect
    traps = {} if is_same else {trap.field: trap for trap in find_book_traps(book, target)}
    for field in _SETTINGS:
        was, is_now = getattr(book, field), getattr(converted, field)
        if was != is_now:
            why = f"{PROGRAMS[target]} has no such setting of a book"
            yield Loss(None, book.name, field, Outcome.DROPPED, why)
        elif field in traps:
            yield Loss(None, book.name, field, Outcome(traps[field].outcome), traps[field].why)
        elif was != BOOK_DEFAULTS[field]:
            yield Loss(None, book.name, field, Outcome.KEPT, "")


def _report_foreign_settings(book: Book, target: Dialect) -> Iterator[Loss]:
    spelling = FORMATS[book.dialect]
    known = {path[0] for member in spelling.book_members for path in member.paths} | set(spelling.new_book)
    for name in book.raw:
        if name in known or name == spelling.entries_path[0]:
            continue
        if book.dialect is target:
            yield Loss(None, book.name, name, Outcome.KEPT, "stays where it is")
        elif target is Dialect.NOVELAI:
            yield Loss(None, book.name, name, Outcome.DROPPED, "NovelAI has no place for data of other programs")
        else:
            yield Loss(None, book.name, name, Outcome.KEPT, "goes along, for the way back")
