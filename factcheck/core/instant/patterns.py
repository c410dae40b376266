"""Instant patterns and their compilation: one RE2 set over all of them, one expression each for what they capture."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import re2

from factcheck.core.instant.guards import WHERE, CompiledGuard, Where, get_guard_kind
from factcheck.core.instant.messages import fold
from factcheck.core.instant.money import list_currency_words, list_multiplier_words
from knowledge.text.folding import normalise

FactType = Literal["body_params", "budget", "allergy", "hard_ban", "life_event", "instruction"]
KeyRule = Literal["size", "measure", "money", "concept", "phrase", "nearby", "event", "instruction"]

FACT_TYPES: tuple[FactType, ...] = ("body_params", "budget", "allergy", "hard_ban", "life_event", "instruction")
KEY_RULES: tuple[KeyRule, ...] = (
    "size", "measure", "money", "concept", "phrase", "nearby", "event", "instruction",
)  # fmt: skip
CORRECTION_KINDS = ("denied", "not_value", "outdated", "other_subject", "ambiguous", "no", "yes")
LANGUAGES = ("ru", "en", "ar", "arabizi", "zh", "mixed")
SEMANTIC = "semantic"
"""In the place of a pack: what was heard by the meaning of its sentence and not by a pattern."""
SEMANTIC_CONFIDENCE = 0.85
RULES_THAT_READ_A_VALUE = ("size", "measure", "money")
MAX_PATTERN_LENGTH = 4_000

_WORD_START = r"(?:^|[^\p{L}\p{N}_])"
_ARABIC_WORD_START = rf"{_WORD_START}[وف]?"
"""The conjunctions و and ف are written together with the word behind them."""
_WORD_END = r"(?:[^\p{L}\p{N}_]|$)"
_MEMORY_OF_SET = 256 << 20
_MACRO = re.compile(r"\{([a-z_]+)\}")
_KEPT_GROUP = re.compile(
    r"\(\?(?:P<\w+>|[:imsU-]+\)?)|\\(?:[pP]\{\^?\w+\}|x\{[0-9a-fA-F]+\}|.)|\{\d+(?:,\d*)?\}", re.DOTALL
)
CHINESE_GUARD = "_zh"
"""How guards end that only rows of Chinese ask: a third of all, which would cost every other row its time."""
_READ_CHINESE = ("zh", "mixed")
_QUANTIFIERS = frozenset("?*{")
_HAN = re.compile("[\u3400-\u9fff]")
_DEEPEST_MACRO = 8
_UNICODE_CLASSES = {r"\w": (r"[\p{L}\p{N}_]", r"\p{L}\p{N}_"), r"\W": (r"[^\p{L}\p{N}_]", r"\W")}
"""What RE2 knows of ASCII only, outside and inside a class."""


def _money_macro() -> str:
    currencies = "|".join(re.escape(word) for word in list_currency_words())
    multipliers = "|".join(list_multiplier_words())
    number = r"\d[\d.,]*(?:[ ]\d{3})*"
    before = rf"(?:{currencies})[ ]?{number}(?:[ ]?(?:{multipliers}))?"
    after = rf"{number}[ ]?(?:(?:{multipliers})\.?[ ]?)?(?:{currencies})"
    return f"{before}|{after}"


BUILT_IN_MACROS = {"money": _money_macro()}


class PatternInvalid(ValueError):
    """The expression cannot be compiled, or breaks a rule for patterns; `name` says which one."""

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(f"{name}: {detail}")
        self.name = name
        self.detail = detail


@dataclass(frozen=True, slots=True)
class InstantPattern:
    """A row: what to look for, and what a hit means."""

    name: str
    type: FactType
    language: str
    pattern: str
    key_rule: KeyRule
    key: str = ""
    anchors: str = ""
    anti_anchors: str = ""
    skips: tuple[str, ...] = ()
    closed: bool = False
    confidence: float = 0.95
    priority: int = 100
    pack: str = ""
    rollout_percent: int = 100


@dataclass(frozen=True, slots=True)
class Guard:
    """A reason not to believe a hit: an expression that must not occur before, after or anywhere near it."""

    name: str
    where: Where
    pattern: str
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectionPattern:
    """An expression by which people correct, confirm or doubt what they were told about themselves."""

    name: str
    kind: str
    language: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """Words that state a relation of a fact type; the gate wants them beside the value of what a model proposes."""

    name: str
    type: FactType
    language: str
    pattern: str
    pack: str = ""


@dataclass(frozen=True, slots=True)
class Pack:
    """One file of patterns, guards, corrections, anchors and the words that they share."""

    name: str
    patterns: tuple[InstantPattern, ...] = ()
    guards: tuple[Guard, ...] = ()
    corrections: tuple[CorrectionPattern, ...] = ()
    macros: Mapping[str, str] = field(default_factory=dict)
    version: int = 1
    description: str = ""
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True)
class CompiledPattern:
    """A pattern with its expressions ready to run."""

    row: InstantPattern
    expression: Any
    anchors: Any
    anti_anchors: Any
    guards: tuple[tuple[Where, Any], ...]


_JoinedGuards = dict[tuple[str, ...], tuple[tuple[Where, Any], ...]]


class PatternSet:
    """All patterns of one version, compiled; immutable and safe between threads."""

    def __init__(self, packs: Sequence[Pack], *, version: int = 0) -> None:
        """Raises PatternInvalid for the first row that RE2 does not compile."""
        self.version = version
        rows = compile_rows(packs)
        self.patterns = rows.patterns
        self.corrections = rows.corrections
        self.readers = rows.readers
        self.anchors = rows.anchors
        macros = list_macros(packs)
        self.guards = compile_guards(packs)
        self._fact_set = _compile_set(
            [(each.row.name, each.row.pattern, each.row.language) for each in self.patterns], macros
        )
        self._correction_set = _compile_set([(row.name, row.pattern, "") for row, _ in self.corrections], macros)

    def match(self, folded: str) -> list[CompiledPattern]:
        """The patterns that occur in a folded text, by priority, found in one pass."""
        if self._fact_set is None:
            return []
        return [self.patterns[place] for place in sorted(self._fact_set.Match(folded.encode()) or ())]

    def match_corrections(self, folded: str) -> list[tuple[CorrectionPattern, Any]]:
        """The correction patterns that occur in a folded text."""
        if self._correction_set is None:
            return []
        return [self.corrections[place] for place in sorted(self._correction_set.Match(folded.encode()) or ())]


@dataclass(frozen=True, slots=True)
class CompiledRows:
    """Every row by itself, patterns by priority."""

    patterns: tuple[CompiledPattern, ...]
    corrections: tuple[tuple[CorrectionPattern, Any], ...]
    readers: Mapping[str, CompiledPattern]
    """By fact type: all guards of the type, for values that are found without a pattern."""
    anchors: tuple[tuple[Anchor, Any], ...]


def compile_rows(packs: Sequence[Pack]) -> CompiledRows:
    """The rows of all packs compiled one by one, without the sets over them, which take longest.

    Raises PatternInvalid for the first row that RE2 does not compile or that lacks what its key rule reads.
    """
    macros = list_macros(packs)
    guards = tuple(guard for pack in packs for guard in pack.guards)
    joined: _JoinedGuards = {}
    rows = sorted((row for pack in packs for row in pack.patterns), key=lambda row: (-row.priority, row.name))
    return CompiledRows(
        patterns=tuple(_compile_row(row, guards, macros, joined) for row in rows),
        corrections=tuple(
            (row, compile_search(row.name, row.pattern, macros, bounded=True))
            for pack in packs
            for row in pack.corrections
        ),
        readers={fact_type: _make_reader(fact_type, guards, macros, joined) for fact_type in FACT_TYPES},
        anchors=tuple(
            (row, compile_search(row.name, row.pattern, macros, bounded=True, language=row.language))
            for pack in packs
            for row in pack.anchors
        ),
    )


def _make_reader(
    fact_type: FactType, guards: Sequence[Guard], macros: Mapping[str, str], joined: _JoinedGuards
) -> CompiledPattern:
    row = InstantPattern(fact_type, fact_type, "", "", "nearby", confidence=SEMANTIC_CONFIDENCE, pack=SEMANTIC)
    return CompiledPattern(row, None, None, None, _join_guards(row, guards, macros, joined))


def compile_guards(packs: Sequence[Pack]) -> tuple[CompiledGuard, ...]:
    """Every guard by itself, for `find_guards`. Raises PatternInvalid."""
    macros = list_macros(packs)
    return tuple(
        CompiledGuard(
            guard.name,
            get_guard_kind(guard.name),
            guard.where,
            guard.types,
            compile_search(guard.name, guard.pattern, macros, bounded=True),
        )
        for pack in packs
        for guard in pack.guards
    )


def list_macros(packs: Sequence[Pack]) -> dict[str, str]:
    """What rows of any pack can use."""
    return BUILT_IN_MACROS | {name: text for pack in packs for name, text in pack.macros.items()}


def _compile_row(
    row: InstantPattern, guards: Sequence[Guard], macros: Mapping[str, str], joined: _JoinedGuards
) -> CompiledPattern:
    expression = compile_search(row.name, row.pattern, macros, bounded=True, language=row.language)
    if row.key_rule in RULES_THAT_READ_A_VALUE and "value" not in expression.groupindex:
        raise PatternInvalid(row.name, f"the key rule {row.key_rule} reads (?P<value>…), which the pattern lacks")
    return CompiledPattern(
        row=row,
        expression=expression,
        anchors=_compile(row.name, translate(row.name, row.anchors, macros), captures=False) if row.anchors else None,
        anti_anchors=_compile(row.name, translate(row.name, row.anti_anchors, macros, bounded=True), captures=False)
        if row.anti_anchors
        else None,
        guards=_join_guards(row, guards, macros, joined),
    )


def _join_guards(
    row: InstantPattern, guards: Sequence[Guard], macros: Mapping[str, str], joined: _JoinedGuards
) -> tuple[tuple[Where, Any], ...]:
    """A row's guards as one expression for each place that they look at, shared by rows with the same guards.

    Guards of all types are about what an author says of themselves; instructions are guarded where they are read, and
    by guards that name their type.
    """
    chosen = [
        guard
        for guard in guards
        if guard.name not in row.skips
        and (row.type in guard.types or (not guard.types and row.type != "instruction"))
        and (row.language in _READ_CHINESE or not guard.name.endswith(CHINESE_GUARD))
    ]
    key = tuple(guard.name for guard in chosen)
    if key not in joined:
        compiled: list[tuple[Where, Any]] = []
        for where in WHERE:
            sources = [
                translate(guard.name, guard.pattern, macros, bounded=True) for guard in chosen if guard.where == where
            ]
            if sources:
                joined_source = "|".join(f"(?:{source})" for source in sources)
                compiled.append((where, _compile(row.name, joined_source, captures=False)))
        joined[key] = tuple(compiled)
    return joined[key]


def compile_search(
    name: str, pattern: str, macros: Mapping[str, str], *, bounded: bool = False, language: str = ""
) -> Any:
    """The expression folded like the messages it is matched against; `bounded` ties both ends to word boundaries."""
    return _compile(name, translate(name, pattern, macros, bounded=bounded, language=language))


def translate(name: str, pattern: str, macros: Mapping[str, str], *, bounded: bool = False, language: str = "") -> str:
    """The RE2 source of a row: macros put in, literals folded, spaces standing for any white space."""
    if not pattern.strip():
        raise PatternInvalid(name, "the pattern is empty")
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise PatternInvalid(name, f"the pattern is longer than {MAX_PATTERN_LENGTH} characters")
    text = pattern.strip()
    starts_clause = text.startswith("{start}")
    expanded = _expand(name, text.removeprefix("{start}"), macros, 0)
    if r"\b" in expanded:
        raise PatternInvalid(name, r"\b knows only ASCII words; both ends of a pattern are word boundaries already")
    folded = fold_expression(expanded)
    if not bounded:
        return folded
    if not _is_balanced(folded):
        _compile(name, folded)
    first = _ARABIC_WORD_START if language == "ar" else _WORD_START
    start = fold_expression(_expand(name, macros.get("start", "^"), macros, 0)) if starts_clause else first
    return f"{start}(?:{folded}){_WORD_END}"


def _is_balanced(source: str) -> bool:
    """Whether groups and classes close by themselves, so that what is put around the source holds all of it.

    "a)|(b" would slip out of its word boundaries. Compiling the source says so too, in a millisecond a pattern.
    """
    depth, in_class, position = 0, False, 0
    while position < len(source):
        character = source[position]
        if character == "\\":
            if source[position + 1 : position + 2] in ("", "Q"):
                return False
            position += 1
        elif in_class:
            in_class = character != "]" or source[position - 1] == "[" or source[position - 2 : position] == "[^"
        elif character == "[":
            in_class = True
        elif character in "()":
            depth += 1 if character == "(" else -1
            if depth < 0:
                return False
        position += 1
    return depth == 0 and not in_class


def takes_part(row: InstantPattern, user_key: str) -> bool:
    """Whether a row's rollout share includes a user; the same user always gets the same answer."""
    if row.rollout_percent >= 100:
        return True
    digest = hashlib.sha256(f"{row.pack}/{row.name}/{user_key}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % 100 < row.rollout_percent


def _expand(name: str, text: str, macros: Mapping[str, str], depth: int) -> str:
    if depth > _DEEPEST_MACRO:
        raise PatternInvalid(name, "macros refer to each other in a circle")

    def put_in(match: re.Match[str]) -> str:
        if match[1] not in macros:
            raise PatternInvalid(name, f"unknown macro {match[0]}")
        return f"(?:{_expand(name, macros[match[1]], macros, depth + 1)})"

    return _MACRO.sub(lambda match: match[0] if text[: match.start()].endswith(("\\p", "\\P")) else put_in(match), text)


def fold_expression(text: str) -> str:
    """Literals folded as messages are; escapes, group heads, classes and counts stay; a space is any white space.

    Behind a Chinese character outside a class a space may follow: where a message is cut into words is not the row's
    concern, but that a hit begins and ends with a word is.
    """
    parts: list[str] = []
    position, in_class = 0, False
    while position < len(text):
        kept = _KEPT_GROUP.match(text, position)
        if kept:
            parts.append(_UNICODE_CLASSES.get(kept[0], (kept[0], kept[0]))[in_class])
            position = kept.end()
            continue
        character = text[position]
        position += 1
        if character in "[]":
            in_class = character == "["
        if character == " " and not in_class:
            parts.append(r"(?:\s+)" if text[position : position + 1] in _QUANTIFIERS else r"\s+")
            continue
        folded = _fold_character(character)
        if _HAN.match(character) and not in_class:
            folded = rf"(?:{folded}\s?)" if text[position : position + 1] in _QUANTIFIERS else rf"{folded}\s?"
        parts.append(folded)
    return "".join(parts)


@lru_cache(maxsize=4_096)
def _fold_character(character: str) -> str:
    return normalise(character) if _HAN.match(character) else fold(character)


def _compile(name: str, source: str, *, captures: bool = True) -> Any:
    try:
        return _compile_source(source, captures)
    except re2.error as error:
        detail = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else str(error)
        raise PatternInvalid(name, f"RE2 does not compile it: {detail}") from error


@lru_cache(maxsize=2_048)
def _compile_source(source: str, captures: bool) -> Any:
    """Kept, as a new version of the patterns differs from the last one in a few rows."""
    options = re2.Options()
    options.log_errors = False
    options.never_capture = not captures
    return re2.compile(source, options)


def _compile_set(rows: Iterable[tuple[str, str, str]], macros: Mapping[str, str]) -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY_OF_SET
    options.never_capture = True
    options.log_errors = False
    chosen = re2.Set.SearchSet(options)
    size = 0
    for name, pattern, language in rows:
        chosen.Add(translate(name, pattern, macros, bounded=True, language=language))
        size += 1
    if not size:
        return None
    chosen.Compile()
    return chosen
