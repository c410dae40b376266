"""The entries of one activation: what is compiled, with the macros of this chat and what became of it so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from knowledge.lorebooks.activation.compiled_books import CompiledBooks, CompiledEntry
from knowledge.lorebooks.activation.inputs import ActivationSettings
from knowledge.lorebooks.activation.key_index import KeyIndex, Needle
from knowledge.lorebooks.activation.key_indexes import build_key_index
from knowledge.lorebooks.activation.macros import substitute_macros
from knowledge.lorebooks.activation.trace import KeyMatch
from knowledge.lorebooks.core.book import Entry


class Candidate:
    """One entry in one activation. `rule`, `detail` and `loop` are the last word on it so far.

    What most entries never change is a default of the class: thousands of candidates are made for each chat.
    """

    is_active = has_failed = False
    rule, detail, loop = "not_scanned", "", 0
    match: KeyMatch | None = None
    secondary_matches: tuple[KeyMatch, ...] = ()
    tokens: int | None = None

    def __init__(
        self, compiled: CompiledEntry, primary: tuple[Needle, ...], secondary: tuple[Needle, ...], *, is_external: bool
    ) -> None:
        self.compiled, self.entry, self.key = compiled, compiled.entry, compiled.key
        self.primary, self.secondary = primary, secondary
        self.content = compiled.content
        self.is_external = is_external
        self.can_be_stopped = compiled.can_be_stopped
        self.needs_no_key = is_external or compiled.needs_no_key

    @property
    def rank(self) -> int:
        """Place in the order in which entries are considered."""
        return self.compiled.rank

    @property
    def is_timed(self) -> bool:
        """Whether the entry has sticky, cooldown or delay."""
        return self.compiled.is_timed

    def stop(self, rule: str, loop: int, detail: str = "") -> None:
        """Records the rule that keeps the entry out of this loop."""
        self.rule, self.loop, self.detail = rule, loop, detail


def build_candidates(compiled: CompiledBooks, settings: ActivationSettings) -> tuple[list[Candidate], list[KeyIndex]]:
    """The entries in order, and the indexes that find their keys: the books' own and one of keys with macros."""
    dynamic = build_key_index(settings, first_id=compiled.index.next_id)
    candidates = []
    for compiled_entry in compiled.entries:
        primary, secondary = compiled_entry.primary, compiled_entry.secondary
        if compiled_entry.has_macro_keys:
            entry = compiled_entry.entry
            primary = tuple(_resolve(key, entry, dynamic, settings.macros) for key in primary)
            secondary = tuple(_resolve(key, entry, dynamic, settings.macros) for key in secondary)
        candidates.append(
            Candidate(
                compiled_entry,
                cast("tuple[Needle, ...]", primary),
                cast("tuple[Needle, ...]", secondary),
                is_external=compiled_entry.key in settings.external,
            )
        )
    return candidates, [compiled.index, dynamic] if dynamic.known else [compiled.index]


def _resolve(key: Needle | str, entry: Entry, index: KeyIndex, macros: Mapping[str, str]) -> Needle:
    return index.add(substitute_macros(key, macros), entry) if isinstance(key, str) else key
