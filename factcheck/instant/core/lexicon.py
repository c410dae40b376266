"""The words of denials, by what they do in a clause, and the signs that a clause is no denial."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import re2

from factcheck.core.yaml_files import read_yaml
from factcheck.instant.core.chinese import join_chinese
from factcheck.instant.core.expressions import fold_expression

_FILE = Path(__file__).resolve().parents[2] / "pattern_sets" / "denials.yaml"
THING = "\ue000"
OTHER_THING = "\ue001"
"""What stands for the names of the fact that is looked at, and of other things: messages never hold them."""
_JUNK = re.compile(rf"[^\w'/+&,;،{THING}{OTHER_THING}-]+")
_MAX_MEMORY = 64 << 20
_TRIGGERS = {
    "over": ("ended", "unban"),
    "no": ("negation", "concord"),
    "denied": ("relation", "trouble", "ban", "banned", "like", "topic"),
    "lift": ("lift",),
    "lifted": ("relation", "ban", "topic"),
    "allowed": ("fine", "may"),
    "done": ("again", "first", "show"),
    "again": ("again",),
    "verb": ("like", "eat", "show"),
}
_TOGETHER = (("no", "denied"), ("lift", "lifted"), ("allowed", "done"), ("again", "verb"))
"""Words that a denial cannot do without, in pairs: a message without one of the pairs is read no further."""
_LISTING = re.compile(r"[,،/+&;]+")
_WORD_END = r"(?:[^\p{L}\p{N}_']|$)"


@dataclass(frozen=True, slots=True)
class Token:
    """A word or phrase of a clause and what it does there; `unknown` where the lexicon does not have it."""

    kind: str
    text: str


class Lexicon:
    """All words of one language-independent list, compiled; immutable."""

    def __init__(self, content: dict[str, Any]) -> None:
        words = content["words"]
        self.kinds = tuple(words)
        options = re2.Options()
        options.longest_match = True
        options.log_errors = False
        options.max_mem = _MAX_MEMORY
        self._kinds = [(kind, re2.compile(f"(?:{_join(group)}){_WORD_END}", options)) for kind, group in words.items()]
        self._any_kind = re2.compile(f"(?:{'|'.join(map(_join, words.values()))}){_WORD_END}", options)
        self._triggers = {
            name: re2.compile(
                rf"(?:^|[^\p{{L}}\p{{N}}_'])(?:{'|'.join(_join(words[kind]) for kind in kinds)}){_WORD_END}", options
            )
            for name, kinds in _TRIGGERS.items()
        }
        self._guards = {
            name: re.compile(rf"(?<![\w'])(?:{_for_re(_join(group))})(?![\w'])")
            for name, group in content["guards"].items()
        }

    def cut(self, clause: str) -> list[Token]:
        """The tokens of a folded clause, longest phrases first, earlier kinds before later ones."""
        tokens: list[Token] = []
        place = 0
        while place < len(clause):
            gap = _JUNK.match(clause, place)
            if gap:
                place = gap.end()
                continue
            token, place = self._cut_one(clause, place)
            tokens.append(token)
        return tokens

    def _cut_one(self, clause: str, place: int) -> tuple[Token, int]:
        if clause[place] in (THING, OTHER_THING):
            return Token("thing" if clause[place] == THING else "other_thing", clause[place]), place + 1
        listing = _LISTING.match(clause, place)
        if listing:
            return Token("filler", listing[0]), listing.end()
        kind, longest = self._find_kind(clause, place)
        if kind:
            return Token(kind, join_chinese(clause[place:longest].strip())), longest
        word = re.match(r"[\w'-]+", clause[place:])
        end = place + (word.end() if word else 1)
        return Token("unknown", clause[place:end]), end

    def _find_kind(self, clause: str, place: int) -> tuple[str, int]:
        """The kind of the phrase that begins at a place, and where it ends. Most words are of none, which is asked
        first.
        """
        longest = _end_of_phrase(self._any_kind, clause, place)
        if longest == place:
            return "", place
        return next(name for name, each in self._kinds if _end_of_phrase(each, clause, place) == longest), longest

    def may_deny(self, folded: str) -> bool:
        """Whether a folded text holds a word that a denial cannot do without."""
        if self._holds("over", folded):
            return True
        return any(self._holds(one, folded) and self._holds(other, folded) for one, other in _TOGETHER)

    def _holds(self, trigger: str, folded: str) -> bool:
        return self._triggers[trigger].search(folded) is not None

    def has_guard(self, name: str, text: str) -> bool:
        """Whether a folded text holds a sign of a kind: `keep`, `doubt` or `danger`."""
        return self._guards[name].search(text) is not None


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """The shipped lexicon, compiled once a process."""
    return Lexicon(read_yaml(_FILE))


def _end_of_phrase(expression: Any, text: str, place: int) -> int:
    """Where the longest phrase that starts at a place ends; the place itself where none does."""
    found = expression.match(text[place : place + 60])
    if not found:
        return place
    said = found[0]
    return place + len(said) - (1 if said and not (said[-1].isalnum() or said[-1] == "'") else 0)


def _join(group: dict[str, str]) -> str:
    """The alternatives of all languages as one folded expression."""
    return "|".join(fold_expression(re.sub(r"\s*\|\s*", "|", text.strip())) for text in group.values())


def _for_re(source: str) -> str:
    return source.replace(r"[\p{L}\p{N}_]", r"\w").replace(r"\p{L}", r"[^\W\d_]")
