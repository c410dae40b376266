"""Expressions over Arabic as people spell it in Latin letters (Arabizi)."""

from __future__ import annotations

import re

_LETTERS = {
    "ا": "[aeio2]", "ب": "b", "ت": "t", "ث": "(?:th|t|s)", "ج": "[jg]", "ح": "[7h]", "خ": "(?:5|kh|7'|x)", "د": "d",
    "ذ": "(?:th|dh|z|d)", "ر": "r", "ز": "z", "س": "s", "ش": "(?:sh|ch|4)", "ص": "(?:9|s)", "ض": "(?:9'|dh|d|th|6)",
    "ط": "(?:6|t)", "ظ": "(?:6'|th|dh|z|d)", "ع": "3", "غ": "(?:gh|8|3'|g)", "ف": "f", "ق": "(?:2|q|g|8|k|a)",
    "ك": "[kc]", "ل": "l", "م": "m", "ن": "n", "ه": "h", "و": "(?:w|oo|ou|o|u)", "ي": "(?:y|ee|i|e)", "ء": "[2']?",
    "ئ": "(?:2|y|i|e)", "ؤ": "(?:2|w|o)",
}  # fmt: skip
_VOWELS = "[aeiou2]{0,2}"
_WORD = re.compile(r"[ء-ي]+")
_LONG_WORD = 5


def spell_in_latin(expression: str) -> str:
    """A folded expression with each run of Arabic letters as the Latin spellings that people use for it.

    Consonants may be doubled, short vowels stand between them or not: حساسيه gives `7asasiya`, `7assasiyeh`, `7sasye`.
    """
    return _WORD.sub(lambda match: _spell_run(match[0]), expression)


def _spell_run(run: str) -> str:
    parts = []
    if run.startswith("ال") and len(run) > 3:
        parts.append("(?:[ae]?l[ -]?|il[ -]?|e(?:s|sh|d|r|z|t|n|9|6)[ -]?)")
        run = run[2:]
    for index, letter in enumerate(run):
        sound = _LETTERS.get(letter, re.escape(letter))
        if letter == "ع" and len(run) >= _LONG_WORD:
            sound = "(?:3|a)"
        last = index == len(run) - 1
        is_weak = index > 0 and (letter in "اوي" or (letter == "ه" and last))
        count = "{0,2}" if is_weak else "{1,2}"
        parts.append(f"(?:(?:{sound}){count}{_VOWELS})")
    return "".join(parts)
