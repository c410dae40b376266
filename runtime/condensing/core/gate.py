"""Whether a condensed text says no more than what it was made of. Deterministic: a model only proposes.

A refusal is a code; an empty text is none. In doubt the text is refused: without a snippet or a summary a pack tells
the messages alone, and nothing is lost. Source: seed 002, fix 4B.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from factcheck.core.numbers import find_numbers
from factcheck.core.tokens import Token, tokenize
from knowledge.text.tokens import count_tokens
from runtime.condensing.core.dictation import dictates
from runtime.condensing.core.polarity import NEGATIONS, read_polarity
from runtime.condensing.core.words import HAN_IDLE, IDLE

MAX_SNIPPET_LENGTH = 120
MAX_SUMMARY_TOKENS = 120
MIN_GROUNDED = 0.4
"""So much of what it says must be in the words of the messages; the seed's own example has 0.57."""
MIN_GROUNDED_WITHOUT_CAPITALS = 0.5
"""Of Arabic and Chinese, whose names can't be told from other words."""
MIN_SCRIPT_SHARE = 0.25
MIN_PREFIX, PREFIX_TAIL = 4, 3
_DIGITS = re.compile(r"\d+")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SCRIPTS = {
    "latin": re.compile(r"[A-Za-z\u00c0-\u024f]"),
    "cyrillic": re.compile(r"[\u0400-\u052f]"),
    "arabic": re.compile(r"[\u0620-\u06ff\u0750-\u077f]"),
    "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"),
}
_CASED = frozenset({"latin", "cyrillic"})
_VERB_ENDINGS = re.compile(r".{2,}(?:s|ed|ing|ет|ёт|ит|ут|ют|ат|ят|л|ла|ли|ть|ся|сь|ние|ия)")


def tidy(text: str) -> str:
    """The text on one line, without quotation marks around it."""
    line = " ".join(text.split())
    for first, last in ('""', "''", "«»", "“”", "``"):
        if len(line) > 1 and line[0] == first and line[-1] == last and first not in line[1:-1]:
            line = line[1:-1].strip()
    return line


def check_snippet(snippet: str, message: str) -> str:
    """Why a snippet of the message can't stand, as a code; empty where it can."""
    if len(snippet) > MAX_SNIPPET_LENGTH:
        return "too_long"
    return _check_content(snippet, [message]) or _check_polarity(snippet, message)


def check_summary(summary: str, messages: Sequence[str]) -> str:
    """Why a summary of the messages can't stand, as a code; empty where it can."""
    if count_tokens(summary) > MAX_SUMMARY_TOKENS:
        return "too_long"
    return _check_content(summary, messages) or _check_denials(summary, "\n".join(messages))


def _check_content(text: str, messages: Sequence[str]) -> str:
    if not text.strip():
        return "empty"
    if _CONTROLS.search(text) or dictates(text):
        return "not_plain"
    joined = "\n".join(messages)
    if not _find_scripts(text) <= _find_scripts(joined, least=MIN_SCRIPT_SHARE):
        return "language"
    told, source = tokenize(text).words, _read_source(joined)
    if not _has_own_numbers(text, told, joined):
        return "number"
    if not all(_is_known(word, source) for word in _list_names(told, text)):
        return "name"
    return "" if _is_grounded(told, source, text) else "not_grounded"


def _check_polarity(snippet: str, message: str) -> str:
    said = read_polarity(message)
    told = read_polarity(snippet)
    if said.has_negation and not told.has_negation:
        return "negation_lost"
    return _check_denials(snippet, message)


def _check_denials(text: str, source: str) -> str:
    """Whether something denied is affirmed, or the other way round."""
    said, told = read_polarity(source), read_polarity(text)
    content = frozenset(stem for stem in told.all if not _is_idle(stem))
    if (told.all & (said.denied - said.plain) & content) - told.doubtful:
        return "negation_lost"
    if (told.denied & said.all & content) - said.doubtful:
        return "negation_added"
    return ""


def _is_idle(stem: str) -> bool:
    return stem in IDLE or all(character in HAN_IDLE for character in stem)


def _find_scripts(text: str, *, least: float = 0.5) -> frozenset[str]:
    """The scripts that hold at least such a share of the letters; one Han character is worth three letters."""
    counts = {name: len(letters.findall(text)) * (3 if name == "han" else 1) for name, letters in _SCRIPTS.items()}
    total = sum(counts.values())
    return frozenset(name for name, count in counts.items() if count and count >= least * total)


def _has_own_numbers(text: str, told: Sequence[Token], source: str) -> bool:
    """Whether every number of the text, in digits or in words, is one of the source."""
    plain = unicodedata.normalize("NFKC", source)
    runs = {str(int(run)) for run in _DIGITS.findall(plain)}
    values = {span.value for span in find_numbers(tokenize(source).words)} - {None}
    numbers = find_numbers(told)
    for span in numbers:
        if span.value is not None and (span.value in values or (span.value == 1 and not span.in_digits)):
            continue
        digits = [str(int(run)) for word in told[span.start : span.end] for run in _DIGITS.findall(word.text)]
        if not digits or not set(digits) <= runs:
            return False
    whole = {str(span.value) for span in numbers if span.value in values}
    parts = {str(int(run)) for run in _DIGITS.findall(unicodedata.normalize("NFKC", text))}
    joined = {str(int("".join(_DIGITS.findall(word.text)))) for word in told if word.kind == "number"}
    return all(run in runs or any(run in each for each in whole | joined) for run in parts)


def _list_names(told: Sequence[Token], text: str) -> list[Token]:
    """The words of a text that may be names."""
    main = _find_scripts(text)
    foreign = [word for word in told if word.kind == "word" and _find_scripts(word.text) - main]
    if not main & _CASED:
        return [word for word in foreign if word.text not in IDLE]
    names = []
    for place, word in enumerate(told):
        if word.kind != "word" or not word.capital or word.text in IDLE:
            continue
        opens = place == 0 or re.search(r"[.!?…:]", word.gap) is not None
        if not (opens and (word.text in NEGATIONS or _VERB_ENDINGS.fullmatch(word.text))):
            names.append(word)
    return [*names, *(word for word in foreign if word not in names and word.text not in IDLE)]


def _is_grounded(told: Sequence[Token], source: frozenset[str], text: str) -> bool:
    words = [word for word in told if word.kind == "word" and word.text not in IDLE]
    han = _list_pairs(told)
    total = len(words) + len(han)
    if not total:
        return bool([word for word in told if word.kind == "number"])
    known = sum(_is_known(word, source) for word in words) + sum(pair in source for pair in han)
    least = MIN_GROUNDED if _find_scripts(text) & _CASED else MIN_GROUNDED_WITHOUT_CAPITALS
    return known >= least * total


def _is_known(word: Token, source: frozenset[str]) -> bool:
    """Whether the source has the word, in whatever form: by its stem, or by all but the end of a longer word."""
    if word.lexeme in source or word.text in source:
        return True
    head = word.text[: max(MIN_PREFIX, len(word.text) - PREFIX_TAIL)]
    return len(word.text) >= MIN_PREFIX and any(each.startswith(head) for each in source)


def _list_pairs(words: Sequence[Token]) -> list[str]:
    """Neighbouring Chinese characters but for those of idle words."""
    return [
        left.text + right.text
        for left, right in itertools.pairwise(words)
        if left.kind == right.kind == "han" and not right.spaced and not {left.text, right.text} & HAN_IDLE
    ]


@lru_cache(maxsize=8)
def _read_source(text: str) -> frozenset[str]:
    """Stems, words and pairs of characters of a source: a gate looks at it several times in a row."""
    words = tokenize(text).words
    return frozenset((*(word.lexeme for word in words), *(word.text for word in words), *_list_pairs(words)))
