"""The words by which standing instructions are read, compiled."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from factcheck.core.yaml_files import read_yaml
from factcheck.instant.core.expressions import fold_expression
from knowledge.text.folding import normalise
from knowledge.text.languages import LANGUAGES

_FILE = Path(__file__).resolve().parents[2] / "pattern_sets" / "instruction_words.yaml"
_MACRO = re.compile(r"\{([a-z_]+)\}")
_SECTIONS = {each.word_section: each.boundary for each in LANGUAGES.values() if each.word_section}


_NOT_IN = re.compile(
    r"(?<!\w)(?<!why )(?<!почему )(?<!бы )(?:not|and not|не|а не|مو|مش|لا|ولا|وليس|ليس|msh|mesh|mish|mo"
    r"|不要|别|不是|不用)\s*"
    r"(?:in\s|на\s|по-|(?:ب?ال|ب|بل)\s?|b[ie]?l?[ -]?|用)?$"
)
"""What stands before a language that is not to be spoken."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A value of a kind, the words that wish for it, and what else the remark has to hold (`wish`, `lasting`)."""

    key: str
    value: str
    expression: re.Pattern[str]
    needs: str


@dataclass(frozen=True, slots=True)
class AskedManner:
    """What the assistant may ask about manner: how a question of it looks, and which answers give which value."""

    key: str
    asks: re.Pattern[str]
    values: tuple[tuple[str, re.Pattern[str]], ...]
    """None for names and languages."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language that may be wished for."""

    code: str
    name: str
    names: re.Pattern[str]


class InstructionWords:
    """All expressions, over folded texts; immutable."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self._macros: dict[str, str] = dict(content["macros"])
        self.languages = tuple(self._make_language(code, text) for code, text in content["languages"].items())
        self._macros["lang"] = "|".join(each.names.pattern for each in self.languages)
        for name in ("lasting", "once", "task", "others", "negation", "request", "imagined", "wish", "limit"):
            setattr(self, name, self._compile(content[name]))
        self.counted = tuple(self._compile({code: text}) for code, text in content["counted"].items())
        self.language_request = tuple(self._compile({code: text}) for code, text in content["language_request"].items())
        self.kinds = tuple(
            Kind(row["key"], row["value"], self._compile(row), str(row.get("needs", ""))) for row in content["kinds"]
        )
        self.asked = tuple(self._read_asked(row) for row in content["answers"])
        self.release_soft = self._compile(content["release"]["soft"])
        self.release_hard = self._compile(content["release"]["hard"])
        self.topics = {key: self._compile({"ar": text}) for key, text in content["topics"].items()}
        names, rules = content["names"], content["rules"]
        self.name_cue, self.name_never = self._compile(names["cue"]), self._compile(names["never"])
        self.name_by = tuple(self._compile({code: text}) for code, text in names["by"].items())
        self.name_trailing, self.name_mine = self._compile(names["trailing"]), self._compile(names["mine"])
        self.no_names = frozenset(normalise(" ".join(names["no_name"].values())).split())
        self.pronoun_forms = re.compile(rf"(?<![\w'])(?:{content['pronouns']['forms']})(?![\w'])".replace("ё", "е"))
        self.pronouns_about = self._compile(content["pronouns"]["about"])
        self.when, self.always = self._compile(rules["when"]), self._compile(rules["always"])
        self.act, self.manner = self._compile(rules["act"]), self._compile(rules["manner"])
        self.no_more = self._compile(rules["no_more"])
        self.no_start = frozenset(normalise(" ".join(rules["no_start"].values())).split())
        self.patterns = {name: re.compile("".join(lines)) for name, lines in content["patterns"].items()}
        self.lists = {name: frozenset(normalise(text).split()) for name, text in content["lists"].items()}

    lasting: re.Pattern[str]
    once: re.Pattern[str]
    task: re.Pattern[str]
    others: re.Pattern[str]
    negation: re.Pattern[str]
    request: re.Pattern[str]
    imagined: re.Pattern[str]
    wish: re.Pattern[str]
    limit: re.Pattern[str]

    def find_language(self, words: str) -> Language | None:
        """The language that folded words name last, but for one that they say not to use; the longest name wins."""
        found = [
            (match.end(), match.end() - match.start(), place)
            for place, each in enumerate(self.languages)
            for match in each.names.finditer(words)
            if not _NOT_IN.search(words, 0, match.start())
        ]
        return self.languages[max(found)[2]] if found else None

    def _read_asked(self, row: Mapping[str, Any]) -> AskedManner:
        values = tuple((value, self._compile(group)) for value, group in row.get("values", {}).items())
        return AskedManner(row["key"], self._compile(row["asks"]), values)

    def _make_language(self, code: str, text: str) -> Language:
        name, _, said = text.partition("|")
        names = (self._read(normalise(each.strip())) for each in said.split(","))
        return Language(code, name.strip(), re.compile("|".join(sorted(names, key=len, reverse=True))))

    def _compile(self, group: Mapping[str, str]) -> re.Pattern[str]:
        """One expression over the sections of a group, each tied to the words of its language."""
        sources = []
        for section, boundary in _SECTIONS.items():
            text = group.get(section)
            if not text:
                continue
            source = self._read(text)
            if boundary == "joined":
                source = f"[وف]?(?:{source})"
            sources.append(rf"(?<![\w'])(?:{source})(?![\w'])" if boundary != "none" else f"(?:{source})")
        return re.compile("|".join(sources) or "(?!)")

    def _read(self, text: str) -> str:
        source = text
        while _MACRO.search(source):
            source = _MACRO.sub(lambda match: self._put_in(match[1]), source)
        folded = fold_expression(source.replace("~", r"\w*"))
        return folded.replace(r"[\p{L}\p{N}_]", r"\w").replace(r"\p{L}\p{N}_", r"\w").replace(r"\p{L}", r"[^\W\d_]")

    def _put_in(self, name: str) -> str:
        return f"(?:{self._macros[name]})"


@lru_cache(maxsize=1)
def load_instruction_words() -> InstructionWords:
    """The shipped words, compiled once a process."""
    return InstructionWords(read_yaml(_FILE))
