"""Phrases that the readers of measures, sums and events go by, out of `pattern_sets/readers.yaml`."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import re2

from factcheck.core.yaml_files import read_yaml
from factcheck.instant.core.chinese import allow_spaces
from factcheck.instant.core.messages import fold
from knowledge.text.folding import normalise

_FILE = Path(__file__).resolve().parents[2] / "pattern_sets" / "readers.yaml"
_HAN = re.compile("[\u4e00-\u9fff]")
_ARABIC = re.compile("[\u0620-\u064a]")
_JOINED_BEFORE = "(?:[وف]?(?:ال|لل|بال|[بلك])?)?"
_ARABIC_FIRST_PERSON = "(?:(?:راح|رح|غادي|بدي|ناوي|ناويه)\\s+)?[وف]?(?:سو?ف? ?)?[هحبغم]?[ان]?"
_ARABIC_ENDING = "(?:و|وا|ه|ها|ين|نا)?"
_LATIN_FIRST_PERSON = r"(?:(?:ra7a?|rah|gha|ghadi|beddi|badi)\s+)?w?(?:b|7|h|s|gh?|m)?[aeiou]*n?[aeiou]*"
_LATIN_ENDING = "(?:[aeiou]{0,2}|een|in|eh|ah|ha|oh)"
_LATIN_SOUNDS = {"q": "[2gq8k]", "j": "[jg]", "5": "(?:5|kh|x)", "7": "[7h]", "z": "[zs]"}
_MAX_MEMORY = 64 << 20
_LEFT, _RIGHT = r"(?<![\w'])", r"(?![\w])"


@lru_cache(maxsize=1)
def _load() -> dict[str, Any]:
    loaded: dict[str, Any] = read_yaml(_FILE)
    return loaded


def read_group(name: str) -> dict[str, str]:
    """The entries of a group by their names: a key or a kind to its phrases."""
    return dict(_load()[name])


@lru_cache(maxsize=256)
def compile_phrases(group: str, name: str = "") -> re.Pattern[str]:
    """An expression for the phrases of an entry, separated by commas; `*` behind a word stands for any ending.

    Arabic words are found with the article, prepositions and و that are joined to them, too. `~` before the stem of an
    Arabic verb stands for what the first person and the future put there; in Latin letters the stem is its consonants.
    """
    entry = _load()[group]
    phrases = entry[name] if name else ",".join(entry.values()) if isinstance(entry, dict) else entry
    return compile_alternatives(phrases)


@lru_cache(maxsize=8)
def _compile_prefilter(group: str) -> Any:
    """The phrases of all entries of a group as a set of one expression, which says whether it occurs and not where."""
    parts = ",".join(_load()[group].values()).split(",")
    chosen = re2.Set.SearchSet(_make_options())
    chosen.Add(_write_re2({" ".join(fold(part).split()) for part in parts}))
    chosen.Compile()
    return chosen


def compile_occurrence(phrases: str) -> Any:
    """`compile_alternatives` in RE2, whatever their number one pass over a text: for whether one of them occurs."""
    return re2.compile(_write_re2({_fold_phrase(part) for part in phrases.split(",")}), _make_options())


def _make_options() -> Any:
    options = re2.Options()
    options.max_mem = _MAX_MEMORY
    options.log_errors = False
    return options


def _write_re2(phrases: set[str]) -> str:
    parts = sorted(_make_expression(phrase).replace(r"\w", r"\p{L}\p{N}_") for phrase in phrases - {""})
    return rf"(?:^|[^\p{{L}}\p{{N}}_'])(?:{'|'.join(parts)})(?:[^\p{{L}}\p{{N}}_]|$)"


def may_hold(group: str, folded: str) -> bool:
    """Whether a folded text may hold a phrase of any entry of a group; where not, none needs to be looked for."""
    return bool(_compile_prefilter(group).Match(folded.encode()))


def compile_alternatives(phrases: str) -> re.Pattern[str]:
    """An expression for phrases that are separated by commas."""
    parts = sorted({_fold_phrase(part) for part in phrases.split(",")} - {""}, key=len, reverse=True)
    return re.compile(f"{_LEFT}(?:{'|'.join(map(_make_expression, parts))}){_RIGHT}")


def _fold_phrase(phrase: str) -> str:
    """A phrase folded; one in Chinese is written as it is folded, and words are told apart in the text alone."""
    return " ".join((normalise(phrase) if _HAN.search(phrase) else fold(phrase)).split())


def _make_expression(phrase: str) -> str:
    if _HAN.search(phrase):
        return allow_spaces(re.escape(phrase).replace(r"\ ", " ?"))
    if phrase.startswith("~"):
        return _make_verb(phrase[1:])
    words = [re.escape(word).replace(r"\*", r"[\w']*") for word in phrase.split()]
    before = _JOINED_BEFORE if _ARABIC.match(phrase) else ""
    return before + r"\s+".join(words)


def _make_verb(stem: str) -> str:
    """An expression for what is done or to be done by the speaker: `نتقل` for بنتقل, هننتقل; `ntql` for nantagel."""
    if _ARABIC.match(stem):
        return _ARABIC_FIRST_PERSON + re.escape(stem) + _ARABIC_ENDING
    sounds = [_LATIN_SOUNDS.get(sound, re.escape(sound)) + "+" for sound in stem]
    return _LATIN_FIRST_PERSON + "[aeiou]*".join(sounds) + _LATIN_ENDING
