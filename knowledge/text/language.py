"""The language of a text: by its script, by statistics of its letters (py3langid), by words that give it away, and
by the talk around it. Short messages need all four.
"""

import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from knowledge.text.arabizi import is_arabizi
from knowledge.text.language_words import KNOWN_WORDS
from knowledge.text.languages import LANGUAGES, SEARCH_LANGUAGES
from memoryproject.lazy_modules import LazyModule

if TYPE_CHECKING:
    from py3langid import langid
else:
    langid = LazyModule("py3langid.langid")

UNDETERMINED = "und"
ARABIZI = "arabizi"

MAX_SAMPLE_LENGTH = 4_000
"""More letters do not make the answer surer, and statistics cost 1 µs a letter."""
MIN_SHARE = 0.5
"""A script needs half of the words; below that a text is a mixture without a language."""
MIN_CONFIDENT_LETTERS = 12
MIN_CONFIDENT_MARGIN = 8.0
"""Log-likelihood (nats) between the best language and the next: above it, `short_chat.jsonl` has no error."""

_SCRIPTS = {
    "latin": re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"),
    "cyrillic": re.compile(r"[\u0400-\u052f]"),
    "arabic": re.compile(r"[\u0620-\u064a\u066e-\u06d3\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]"),
    "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"),
    "kana": re.compile(r"[\u3040-\u30ff\u31f0-\u31ff]"),
    "hangul": re.compile(r"[\uac00-\ud7af\u1100-\u11ff]"),
    "greek": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"),
    "hebrew": re.compile(r"[\u05d0-\u05ea]"),
    "devanagari": re.compile(r"[\u0900-\u097f]"),
    "thai": re.compile(r"[\u0e00-\u0e7f]"),
    "armenian": re.compile(r"[\u0530-\u058f]"),
    "georgian": re.compile(r"[\u10a0-\u10ff]"),
}
_LETTERS_PER_WORD = {"latin": 5.0, "cyrillic": 5.5, "arabic": 4.5, "han": 1.6, "kana": 2.0, "hangul": 2.5}
_LANGUAGE_OF_SCRIPT = {
    "han": "zh", "kana": "ja", "hangul": "ko", "greek": "el", "hebrew": "he", "thai": "th", "armenian": "hy",
    "georgian": "ka",
}  # fmt: skip
_KANA_SHARE = 0.1
"""Japanese has kana in every sentence: in more than a tenth of its letters."""
_CANDIDATES = {
    "latin": (
        "en", "es", "de", "fr", "it", "pt", "nl", "pl", "tr", "sv", "no", "da", "fi", "cs", "ro", "hu", "id", "vi",
    ),
    "cyrillic": ("ru", "uk", "bg", "sr", "be", "mk", "kk"),
    "arabic": ("ar", "fa", "ur"),
    "devanagari": ("hi", "mr", "ne"),
}  # fmt: skip
_PRIOR = {
    "fa": 1.0,
    "sr": 1.0,
    "de": 2.0,
    "fr": 2.0,
    "pt": 1.0,
    "it": 1.0,
    **{code: each.prior for code, each in LANGUAGES.items()},
}
"""Nats in favour of a language before a letter is read: what players of a game write most."""
_KNOWN_WORDS = KNOWN_WORDS | {code: each.known_words for code, each in LANGUAGES.items() if each.known_words}
_CONTEXT_NATS = 9.0
"""In favour of the language that the talk was in so far."""
_KNOWN_WORD_NATS = 8.0
_SHORT_ANSWER_LETTERS = 5
"""`ok`, `no`, `M` and `super` are said in all languages: up to here the talk before tells the language."""
_NAME_SHARE = 1 / 3
"""Capitalised Latin words among words of another script are mostly names: they count for a third."""
_LETTERS_OF_OTHERS = {
    "be": re.compile("[иїєґщъјљњћђџѓќ]"),
    "bg": re.compile("[ыэёіїєґўјљњћђџѓќ]"),
    "sr": re.compile("[ыэёъьйщяюіїєґўѓќ]"),
    "mk": re.compile("[ыэёъьйщяюіїєґўћђ]"),
    **{code: re.compile(each.foreign_letters) for code, each in LANGUAGES.items() if each.foreign_letters},
}
"""Letters that a language does not have: one of them says more than all statistics."""
_FOREIGN_LETTER_NATS = 12.0
_CAPITALISED = re.compile(r"[A-Z][A-Za-z\u00c0-\u024f]+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class LanguageGuess:
    """The likeliest language, and whether the letters leave no doubt of it (short texts always do)."""

    language: str
    is_confident: bool
    close: tuple[str, ...] = ()
    """All languages of the script that it may be in, likeliest first; none where no letter tells."""


def detect_language(text: str, *, context: Sequence[str] = ()) -> str:
    """The language of a text: an ISO 639-1 code, `arabizi`, or `und` where no letter or no majority tells.

    `context` holds what was said before, the latest last: it decides for texts such as `ok` and `500`.
    """
    return guess_language(text, context=context).language


def script_of_language(language: str) -> str | None:
    """The script of languages that share it with others (`latin`, `cyrillic`, `arabic` …); None for the rest."""
    if language == ARABIZI:
        return "latin"
    return next((script for script, languages in _CANDIDATES.items() if language in languages), None)


def guess_language(text: str, *, context: Sequence[str] = ()) -> LanguageGuess:
    """The likeliest language of a text and how sure it is. The last texts are remembered: storing asks twice."""
    return _guess(text[:MAX_SAMPLE_LENGTH], tuple(context))


@lru_cache(maxsize=256)
def _guess(sample: str, context: tuple[str, ...]) -> LanguageGuess:
    script, letters = _find_script(sample)
    if letters <= _SHORT_ANSWER_LETTERS and context:
        return LanguageGuess(_find_context_language(context), is_confident=False)
    if script is None:
        return LanguageGuess(UNDETERMINED, is_confident=False)
    if script not in _CANDIDATES:
        return LanguageGuess(_LANGUAGE_OF_SCRIPT[script], is_confident=True, close=(_LANGUAGE_OF_SCRIPT[script],))
    folded = unicodedata.normalize("NFC", sample).lower()
    if script == "latin" and is_arabizi(folded):
        return LanguageGuess(ARABIZI, is_confident=True, close=(ARABIZI,))
    ranked = _rank(folded, script, _find_context_language(context))
    (best, score), (_, second) = ranked[0], ranked[1]
    is_confident = letters >= MIN_CONFIDENT_LETTERS and score - second >= MIN_CONFIDENT_MARGIN
    close = tuple(language for language, each in ranked if score - each < MIN_CONFIDENT_MARGIN)
    return LanguageGuess(best, is_confident=is_confident, close=close)


def find_language_without_stemmer(text: str) -> str | None:
    """The language of a text that plainly is in one whose words are not brought to their stems; else None."""
    guess = guess_language(text)
    is_known = guess.language in (*SEARCH_LANGUAGES, UNDETERMINED)
    return None if is_known or not guess.is_confident else guess.language


def is_written_in(text: str, language: str, *, context: Sequence[str] = ()) -> bool:
    """Whether a text may be in a language: false only where its letters leave no doubt that it is in another.

    Arabic and Arabizi are one language here: who writes the one reads the other.
    """
    guess = guess_language(text, context=context)
    wanted = language.replace("_", "-").split("-")[0].lower()
    arabic = {"ar", ARABIZI}
    if guess.language in (UNDETERMINED, wanted) or wanted == UNDETERMINED or {guess.language, wanted} <= arabic:
        return True
    script = script_of_language(guess.language)
    return not guess.is_confident and script is not None and wanted in _CANDIDATES[script]


def _find_script(sample: str) -> tuple[str | None, int]:
    """The script of most words, and how many letters the text has in all. A Chinese word has fewer letters than an
    English one, so letters are weighed as words.
    """
    letters = {script: len(pattern.findall(sample)) for script, pattern in _SCRIPTS.items()}
    if letters["kana"] > _KANA_SHARE * (letters["kana"] + letters["han"]):
        letters["kana"] += letters.pop("han")
    words = {script: count / _LETTERS_PER_WORD.get(script, 5.0) for script, count in letters.items()}
    total = sum(letters.values())
    if total > letters["latin"] > 0:
        named = sum(len(match[0]) for match in _CAPITALISED.finditer(sample)) / _LETTERS_PER_WORD["latin"]
        words["latin"] = max(0.0, words["latin"] - named * (1 - _NAME_SHARE))
    best = max(words, key=lambda script: words[script])
    if not words[best] or words[best] < MIN_SHARE * sum(words.values()):
        return None, total
    return best, total


def _rank(folded: str, script: str, spoken: str) -> list[tuple[str, float]]:
    """The script's languages with their scores in nats, the best first."""
    found = dict(_identifier().rank(_letters_only(folded)))
    scores = {language: float(found[language]) for language in _CANDIDATES[script]}
    if min(scores.values()) < -1e30:  # py3langid's floor for a text without any feature: statistics say nothing
        scores = dict.fromkeys(scores, 0.0)
    known = Counter(
        language for word in _WORD.findall(folded)[:60] for language in scores if word in _KNOWN_WORDS.get(language, ())
    )
    for language in scores:
        scores[language] += _PRIOR.get(language, 0.0) + _KNOWN_WORD_NATS * known[language]
        scores[language] += _CONTEXT_NATS if language == spoken else 0.0
        foreign = _LETTERS_OF_OTHERS.get(language)
        if foreign is not None and foreign.search(folded):
            scores[language] -= _FOREIGN_LETTER_NATS
    return sorted(scores.items(), key=lambda item: -item[1])


def _find_context_language(context: Sequence[str]) -> str:
    """The language of the talk so far: of the latest text that has one."""
    return next((found for found in map(detect_language, reversed(context)) if found != UNDETERMINED), UNDETERMINED)


def _letters_only(text: str) -> str:
    return " ".join(_WORD.findall(text))


_LOADING = threading.Lock()


@cache
def _load_identifier() -> "langid.LanguageIdentifier":
    identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE)
    identifier.set_languages(sorted({language for group in _CANDIDATES.values() for language in group}))
    return identifier


def _identifier() -> "langid.LanguageIdentifier":
    """The identifier of the candidates, loaded once (0.7 s) however many threads ask."""
    with _LOADING:
        return _load_identifier()
