"""Sentences that take a relation back ("no allergy to T any more", "you can show T again"), matched whole.

A clause is made plain first: names of the thing become one sign with their article, preposition or "scenes with", words
that add nothing go. A clause pattern then has to be all of what is left, save for openings before it and tails or an
adjunct ("since …", "because …") behind it: strange words are let through there, and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import re2

from factcheck.core.yaml_files import read_yaml
from factcheck.instant.core.expressions import fold_expression
from factcheck.instant.core.lexicon import OTHER_THING, THING
from factcheck.instant.core.transliteration import spell_in_latin

Group = Literal["relation", "thing", "now", "retract", "doubt"]
GROUPS: tuple[Group, ...] = ("relation", "thing", "now", "retract", "doubt")
_FILE = Path(__file__).resolve().parents[2] / "pattern_sets" / "clause_patterns.yaml"
_MAX_MEMORY = 256 << 20
_MACRO = re.compile(r"\{([a-z]+)\}")
_SLOT = re.compile(r"(?<![A-Za-z\\])T(?![A-Za-z])")
_JUNK = re.compile(rf"[^\w'{THING}{OTHER_THING}&+/-]+|(?<!\w)[-']+|[-']+(?!\w)")
_LIST = re.compile(
    rf"[{THING}{OTHER_THING}](?:\s*(?:[&+/]|and|or|nor|и|или|ни|و|او|ولا|w|wa|aw|和|跟|与|还有|或)?\s*[{THING}{OTHER_THING}])+"
)
_NO_NEGATION = re.compile(
    r"(?<!\w)(?:l[eiou]?s{1,2}[aeiou]*h?|wel|wil|wila|wl|oula?|list[ae]?|last|weili|mock|mic|mme|madde|mai)(?!\w)"
)
"""Words in Arabizi, French or English with the consonants of ليس, ولا and ما: "lessa" upholds, "wel" is "and the"."""
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class PlainClause:
    """A clause as the patterns read it: with the thing named, with pronouns for it, and whether a word says "again"."""

    text: str
    pronouns_as_thing: str
    has_again: bool


class ClausePatterns:
    """All clause patterns and the words around them, compiled; immutable."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self._content = content
        self._macros: dict[str, dict[str, str]] = content["macros"]
        self._fillers = self._compile_words("fillers")
        self._again = self._compile_words("again")
        self._pronouns = self._compile_words("pronouns")
        self._before = self._compile_thing("before", front=True)
        self._after = self._compile_thing("after", front=False)
        self._upheld = self._compile_words("uphold")
        self._limited = self._compile_words("limits")
        self._excused = self._compile_words("excused")
        self._ironic = re.compile(content["ironic"])
        self._relations = re2.compile(content["relations"], _make_options())
        self._turns = re2.compile(content["turns"], _make_options())
        words = "|".join(self._read(text, language) for language, text in content["triggers"].items())
        self._triggers = re2.compile(rf"(?:^|[^\p{{L}}\p{{N}}_'])(?:{words})(?:[^\p{{L}}\p{{N}}_]|$)", _make_options())
        self._patterns: dict[tuple[str, Group, bool], Any] = {}

    def may_deny(self, folded: str) -> bool:
        """Whether a folded text holds a word that clause patterns cannot do without."""
        if self._triggers.search(folded) is not None:
            return True
        return self._relations.search(folded) is not None and self._turns.search(folded) is not None

    def make_plain(self, masked: str, *, arabizi: bool) -> PlainClause:
        """A masked clause with its thing as one sign and without words that add nothing."""
        if arabizi:
            masked = _NO_NEGATION.sub(" ", masked)
        text = _SPACES.sub(" ", _JUNK.sub(" ", masked)).strip()
        has_again = self._again[arabizi].search(text) is not None
        text = self._join_thing(text, arabizi=arabizi)
        text = _SPACES.sub(" ", self._fillers[arabizi].sub(" ", text)).strip()
        text = self._join_thing(text, arabizi=arabizi)
        referring = self._join_thing(self._pronouns[arabizi].sub(THING, text), arabizi=arabizi)
        return PlainClause(text, referring, has_again)

    def find(self, type_: str, plain: str, groups: Iterable[Group], *, arabizi: bool) -> Group | None:
        """The first of the groups that fits all of a plain clause."""
        for group in groups:
            for spelling in (False, True) if arabizi else (False,):
                expression = self._get_patterns(type_, group, arabizi=spelling)
                if expression is not None and expression.fullmatch(plain):
                    return group
        return None

    def _get_patterns(self, type_: str, group: Group, *, arabizi: bool) -> Any:
        """The clause patterns of a group, compiled when they are first asked for."""
        key = (type_, group, arabizi)
        if key not in self._patterns:
            self._patterns[key] = self._compile_patterns(type_, group, arabizi=arabizi)
        return self._patterns[key]

    def is_upheld(self, text: str, *, arabizi: bool) -> bool:
        """Whether a text says that what is known stays."""
        return self._upheld[arabizi].search(text) is not None

    def is_limited(self, text: str, *, arabizi: bool) -> bool:
        """Whether a text narrows what it says: "only", "in small amounts", "not really"."""
        return self._limited[arabizi].search(text) is not None

    def is_ironic(self, text: str) -> bool:
        """Whether a text has a mark of irony."""
        return self._ironic.search(text) is not None

    def blank_excused(self, text: str, *, arabizi: bool) -> str:
        """The text without reports that are no quotes ("the doctor said", "what I told you"), for guards to look at."""
        return self._excused[arabizi].sub(" ", text)

    def _join_thing(self, text: str, *, arabizi: bool) -> str:
        for _ in range(2):
            text = _LIST.sub(lambda match: THING if THING in match[0] else OTHER_THING, text)
            text = self._before[arabizi].sub(r"\1", text)
            text = self._after[arabizi].sub(r"\1", text)
        return text

    def _expand(self, text: str, language: str) -> str:
        macros = self._macros.get(language, {})
        while _MACRO.search(text):
            text = _MACRO.sub(lambda match: macros[match[1]] if match[1] in macros else _fail(match[1]), text)
        return text

    def _read(self, text: str, language: str, *, arabizi: bool = False) -> str:
        """An expression of one language folded as messages are; of Arabic also as it is spelt in Latin letters."""
        source = _SPACES.sub(" ", self._expand(re.sub(r"\s*\n\s*", "", text.strip()), language))
        source = source.replace("~", "[a-z0-9']*" if language == "az" else r"\p{L}*")
        folded = THING.join(fold_expression(part) for part in _SLOT.split(source))
        return spell_in_latin(folded) if arabizi else folded

    def _list_sources(self, section: Mapping[str, str], *, arabizi: bool) -> list[str]:
        """The expressions of a section: in Latin letters Arabic ones stand beside the English."""
        sources = [self._read(text, language) for language, text in section.items() if language != "az"]
        if arabizi:
            sources += [self._read(section["ar"], "ar", arabizi=True)] if "ar" in section else []
            sources += [self._read(section["az"], "az")] if "az" in section else []
        return sources

    def _compile_words(self, name: str) -> dict[bool, re.Pattern[str]]:
        return {
            arabizi: re.compile(
                rf"(?<![\w'])(?:{_for_re('|'.join(self._list_sources(self._content[name], arabizi=arabizi)))})(?![\w'])"
            )
            for arabizi in (False, True)
        }

    def _compile_thing(self, name: str, *, front: bool) -> dict[bool, re.Pattern[str]]:
        compiled = {}
        for arabizi in (False, True):
            words = _for_re("|".join(self._list_sources(self._content["thing_phrase"][name], arabizi=arabizi)))
            source = (
                rf"(?<![\w'])(?>(?:{words})\s+)+([{THING}{OTHER_THING}])"
                if front
                else rf"([{THING}{OTHER_THING}])(?>\s+(?:{words})(?![\w']))+"
            )
            compiled[arabizi] = re.compile(source)
        return compiled

    def _compile_patterns(self, type_: str, group: str, *, arabizi: bool) -> Any:
        """One expression for the clause patterns of a group, with what may stand around them."""
        wholes = []
        for language, patterns in self._content["patterns"][type_].get(group, {}).items():
            if arabizi and language != "ar":
                continue
            opening, tail, adjunct = (
                self._read(self._content[name].get(language, ""), language, arabizi=arabizi)
                for name in ("openings", "tails", "adjuncts")
            )
            body = "|".join(self._read(pattern, language, arabizi=arabizi) for pattern in patterns)
            if language == "zh":  # where words are parted is not the pattern's concern
                wholes.append(rf"(?:(?:{opening}) ?)*(?:{body.replace(THING, THING + ' ?')})(?: ?(?:{tail}))* ?")
                continue
            behind = "" if group == "doubt" else rf"(?: (?:{adjunct}) .*)?"
            wholes.append(rf"(?:(?:{opening}) )*(?:{body})(?: (?:{tail}))*{behind}")
        if not wholes:
            return None
        return re2.compile("|".join(wholes).replace(r"\s+", " "), _make_options())


@lru_cache(maxsize=1)
def load_clause_patterns() -> ClausePatterns:
    """The shipped clause patterns, compiled once a process."""
    return ClausePatterns(read_yaml(_FILE))


def _make_options() -> Any:
    options = re2.Options()
    options.max_mem = _MAX_MEMORY
    options.log_errors = False
    return options


def _for_re(source: str) -> str:
    return source.replace(r"[\p{L}\p{N}_]", r"\w").replace(r"\p{L}", r"[^\W\d_]")


def _fail(name: str) -> str:
    raise KeyError(name)
