"""The entries of one activation: what is compiled, with the macros of this chat and what became of it so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from knowledge.lorebooks.activation.compiled_books import CompiledBooks, CompiledEntry
from knowledge.lorebooks.activation.inputs import ActivationSettings
from knowledge.lorebooks.activation.key_index import KeyIndex, Needle, build_key_index
from knowledge.lorebooks.activation.macros import substitute_macros
from knowledge.lorebooks.activation.trace import KeyMatch
from knowledge.lorebooks.core.book import Entry


class Candidate:
    """One entry in one activation. `rule`, `detail` and `loop` are the last word on it so far."""

    __slots__ = (
        "compiled", "content", "detail", "entry", "has_failed", "is_active", "is_external", "is_timed", "key", "loop",
        "match", "primary", "rank", "rule", "secondary", "secondary_matches", "tokens",
    )  # fmt: skip

    def __init__(
        self,
        compiled: CompiledEntry,
        primary: tuple[Needle, ...],
        secondary: tuple[Needle, ...],
        external: frozenset[str],
    ) -> None:
        entry = compiled.entry
        self.compiled, self.entry, self.rank, self.key = compiled, entry, compiled.rank, compiled.key
        self.primary, self.secondary = primary, secondary
        self.content = compiled.content
        self.is_timed = bool(entry.sticky or entry.cooldown or entry.delay)
        self.is_external = self.key in external
        self.is_active = self.has_failed = False
        self.rule, self.detail, self.loop = "not_scanned", "", 0
        self.match: KeyMatch | None = None
        self.secondary_matches: tuple[KeyMatch, ...] = ()
        self.tokens: int | None = None

    def stop(self, rule: str, loop: int, detail: str = "") -> None:
        """Records the rule that keeps the entry out of this loop."""
        self.rule, self.loop, self.detail = rule, loop, detail


def build_candidates(compiled: CompiledBooks, settings: ActivationSettings) -> tuple[list[Candidate], list[KeyIndex]]:
    """The entries in order, and the indexes that find their keys: the books' own and one of keys with macros."""
    dynamic = build_key_index(settings, first_id=compiled.index.next_id)
    candidates = []
    for compiled_entry in compiled.entries:
        entry = compiled_entry.entry
        primary, secondary = (
            tuple(_resolve(key, entry, dynamic, settings.macros) for key in keys)
            if compiled_entry.has_macro_keys
            else cast("tuple[Needle, ...]", keys)
            for keys in (compiled_entry.primary, compiled_entry.secondary)
        )
        candidates.append(Candidate(compiled_entry, primary, secondary, settings.external))
    return candidates, [compiled.index, dynamic] if dynamic.known else [compiled.index]


def _resolve(key: Needle | str, entry: Entry, index: KeyIndex, macros: Mapping[str, str]) -> Needle:
    return index.add(substitute_macros(key, macros), entry) if isinstance(key, str) else key
