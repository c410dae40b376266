"""Whether a text is Arabizi: Arabic typed in Latin letters, with digits for the letters that Latin lacks."""

import re

from knowledge.text.language_words import ARABIZI_SHARED_WORDS, ARABIZI_WORDS
from knowledge.text.languages.en import ENGLISH

_ENGLISH_WORDS = ENGLISH.known_words or frozenset()
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_DIGIT_AS_LETTER = re.compile(r"(?:[a-z]+'?[2356789]'?[a-z][a-z2356789']*|[2356789]'?[a-z]{3,}[a-z2356789']*)")
"""`a3raf`, `o5ti`, `7abibi`: a digit among letters, or before at least three of them."""
_NOT_ARABIZI = re.compile(
    r"\d+(?:st|nd|rd|th|s|am|pm|kg|km|cm|mm|gb|mb|tb|hz|ghz|fps|hrs?|mins?|secs?|days?|gold|usd|eur|aed|ft|lbs?|hp|xp|mp|"
    r"gp|sp|cp|ep|pp|man|some|way|star|person|player|pcs|cal|kcal|pack|year|years|yo|yrs?|x\w*|d\w*)"
    r"|[a-z]{1,3}\d+|[a-z]+\d{2,}|m8|gr8|l8r?|h8\w*|w8\w*|str8|b4|be4|any1|some1|no1|every1|2day|2nite|2moro\w*|2morrow"
    r"|mp3\w*|h2o\w*|co2|[a-z]*2[a-z]{1,2}|b2b|p2p|f2p|r2d2|c3po|k8s|i18n|web3|ps[345]\w*|[a-z]+v[2-9]|l33t\w*|n00b\w*"
)
"""Measures, ordinals, names of models and files, and English abbreviations with digits in them."""
_ALWAYS_ARABIZI = re.compile(r"la2|sa7|ma3|ra7|fe2|2al\w*|7ub|ro7|7ad|2ool")

MIN_SCORE = 2.0
"""One word that hardly any other language has, or two that others share."""
MIN_SHARE = 0.55
"""Of a score of one a word: `love you habibi` stays English, `shukran habibi` is Arabizi. English words count twice
against it.
"""


def is_arabizi(text: str) -> bool:
    """Whether most of what tells a language in a folded text of Latin letters is Arabizi."""
    tokens = [token for token in _TOKEN.findall(text) if not token.isdigit() and len(token) > 0]
    if not tokens:
        return False
    score = sum(_weigh(token) for token in tokens)
    english = sum(token in _ENGLISH_WORDS for token in tokens)
    return score >= MIN_SCORE and score / len(tokens) >= MIN_SHARE and score >= 2 * english


def _weigh(token: str) -> float:
    if token in ARABIZI_WORDS or _ALWAYS_ARABIZI.fullmatch(token):
        return 2.0
    if token in ARABIZI_SHARED_WORDS:
        return 0.9
    if _DIGIT_AS_LETTER.fullmatch(token) and not _NOT_ARABIZI.fullmatch(token):
        return 2.5
    return 0.0
