"""The language of a text by the script that most of its letters are in."""

import re

UNDETERMINED = "und"

_LETTERS = {
    "en": re.compile(r"[A-Za-z\u00c0-\u024f]"),
    "ru": re.compile(r"[\u0400-\u052f]"),
    "ar": re.compile(r"[\u0620-\u064a\u0671-\u06d3\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]"),
    "zh": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"),
}
_OTHER_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_LETTERS_PER_WORD = {"en": 5.0, "ru": 5.5, "ar": 4.5, "zh": 1.6}
_LONGEST_SAMPLE = 20_000
_LEAST_SHARE = 0.5


def detect_language(text: str) -> str:
    """`en`, `ru`, `ar` or `zh` by the share of words in its script; `und` without letters or without a majority.

    A Chinese word is shorter in letters than an English one, so letters are weighed as words. Kana or Hangul in more
    than a tenth of the East Asian letters means another language than Chinese: `und`.
    """
    sample = text[:_LONGEST_SAMPLE]
    letters = {language: len(pattern.findall(sample)) for language, pattern in _LETTERS.items()}
    other = len(_OTHER_EAST_ASIAN.findall(sample))
    words = {language: count / _LETTERS_PER_WORD[language] for language, count in letters.items()}
    total = sum(words.values()) + other / 2
    best = max(words, key=lambda language: words[language])
    if not words[best] or words[best] < _LEAST_SHARE * total:
        return UNDETERMINED
    if best == "zh" and other > 0.1 * (letters["zh"] + other):
        return UNDETERMINED
    return best
