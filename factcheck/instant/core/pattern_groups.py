"""Many expressions asked of a text at once: a few RE2 sets, of which those are asked whose script the text has, and of
plain English none in Arabizi.

One set over all of them remembers a state for each combination of what is half matched, and no two messages have the
same: of 396 patterns it took 8.9 ms a message that was never seen, in groups of ten it takes 0.06 to 0.1 ms (ADR 62).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from factcheck.instant.core.arabizi import is_plain_english
from factcheck.instant.core.expressions import compile_set, fold_expression

MAX_GROUP = 10
"""Expressions. Of six a group is asked 1.6 times as often, of twenty it costs twice the time on new messages."""
MEMORY_OF_GROUP = 16 << 20
"""Bytes: what the largest group needs to be compiled is a quarter. In 48,000 messages all groups filled 110 MB."""
_SCRIPTS = {
    "Latin": re.compile(r"[a-z]"),
    "Cyrillic": re.compile(r"[а-яіїєґ]"),
    "Arabic": re.compile(r"[\u0620-\u064a\u0671-\u06d3]"),
    "Han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"),
}
_MACRO = re.compile(r"\{[a-z_]+\}")
_WORD = re.compile(r"[^\W\d_]{3,}|[\u3400-\u9fff]+")
"""Fewer letters are a size or a unit, which all languages write in Latin letters."""
_NO_LETTERS = re.compile(r"\\[pP]\{\^?\w+\}|\\x\{[0-9a-fA-F]+\}|\\.|\(\?P?<\w+>|\(\?[a-zA-Z-]*[:)]|\{\d+(?:,\d*)?\}")
"""What of an expression is written in letters and stands for none."""


@dataclass(frozen=True, slots=True)
class _Group:
    scripts: frozenset[str]
    """Of the letters in the expressions; none: it is asked of every text."""
    indexes: tuple[int, ...]
    """Of its expressions among all."""
    is_arabizi: bool
    expressions: Any
    """The RE2 set."""

    def may_occur(self, scripts: frozenset[str], *, is_english: bool) -> bool:
        """Whether its expressions are asked of a text with letters of these scripts. Of one without letters all are; of
        plain English, some of whose words Arabizi has too, those in Arabizi are not.
        """
        if self.is_arabizi and is_english:
            return False
        return not self.scripts or not scripts or not scripts.isdisjoint(self.scripts)


@dataclass(frozen=True, slots=True)
class GroupedPattern:
    """An expression as it is grouped."""

    name: str
    pattern: str
    """As its row has it: what is in macros, such as the currencies of all languages, does not tell its script."""
    source: str
    """As RE2 reads it."""
    language: str

    @property
    def scripts(self) -> frozenset[str]:
        """Of the letters that the pattern is written in, or else its source."""
        own = _NO_LETTERS.sub(" ", fold_expression(_MACRO.sub(" ", self.pattern)))
        words = " ".join(_WORD.findall(own))
        return list_scripts(words) or list_scripts(_NO_LETTERS.sub(" ", self.source))


class PatternGroups:
    """Expressions over folded texts; immutable and safe between threads."""

    def __init__(self, rows: Sequence[GroupedPattern]) -> None:
        """Raises PatternInvalid for one that RE2 does not read, or for the last of a group that is too large."""
        alike: dict[tuple[frozenset[str], str], list[int]] = {}
        for index, row in enumerate(rows):
            alike.setdefault((row.scripts, row.language), []).append(index)
        self._asked: dict[tuple[frozenset[str], bool], list[_Group]] = {}
        self._groups = tuple(
            _compile(rows, scripts, own, is_arabizi=language == "arabizi")
            for (scripts, language), all_ in alike.items()
            for own in _cut(sorted(all_, key=lambda index: rows[index].name))
        )

    def match(self, folded: str) -> list[int]:
        """The indexes of the expressions that occur in a folded text, in order."""
        scripts = list_scripts(folded)
        asked = scripts, "Latin" in scripts and is_plain_english(folded)
        groups = self._asked.get(asked)
        if groups is None:
            groups = self._asked[asked] = [
                each for each in self._groups if each.may_occur(scripts, is_english=asked[1])
            ]
        encoded = folded.encode()
        found = [group.indexes[place] for group in groups for place in group.expressions.Match(encoded) or ()]
        return sorted(found) if found else found


def _compile(
    rows: Sequence[GroupedPattern], scripts: frozenset[str], indexes: tuple[int, ...], *, is_arabizi: bool
) -> _Group:
    chosen = [rows[index] for index in indexes]
    expressions = compile_set([(row.name, row.source) for row in chosen], memory=MEMORY_OF_GROUP)
    return _Group(scripts, indexes, is_arabizi, expressions)


def _cut(indexes: Sequence[int]) -> list[tuple[int, ...]]:
    """In groups as equal as they can be, of neighbours: what is alike is half matched at the same places."""
    groups = -(-len(indexes) // MAX_GROUP)
    return [
        tuple(indexes[number * len(indexes) // groups : (number + 1) * len(indexes) // groups])
        for number in range(groups)
    ]


def list_scripts(folded: str) -> frozenset[str]:
    """The scripts that a folded text has letters of, of those that patterns are written in."""
    return frozenset([script for script, letters in _SCRIPTS.items() if letters.search(folded)])
