"""Figures and sizes that their author takes back at once: "EU 44, no wait, 45", «37, ой вру, 37,5», تسعة لا لا عشرة."""

from __future__ import annotations

import re

from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.messages import FoldedMessage, fold_message
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.reader_words import compile_phrases, may_hold
from factcheck.instant.core.spoken_numbers import list_numbers

_GROUP = "withdrawals"
_WINDOW = 60
"""Characters to either side in which the two values stand."""
_MAX_WITHDRAWALS = 6
_MAX_GAP = 8
"""Characters before a phrase in which the mark stands that it needs."""
_MARKS = r"[\s,،.;؛:!…—–-]{0,6}"
_GAP = re.compile(_MARKS)
_UNIT = re.compile(
    r"(?:\s{0,2}(?:[\"'$€£₽¥%]|[kкmмйя]|eu|us|uk|eur|euros?|usd|dollars?|bucks|quid|pounds?|gbp|cm|kg|kilos?|lbs?|inch(?:es)?"
    r"|size|waist|hips?|chest|bust|inseam|shoes?|wide|тыс\w*|тыщ\w*|руб\w*|р|евро|доллар\w*|кг|кило\w*|см|размер\w*|го|ый|ой"
    r"|ريال|درهم|دينار|جنيه|دولار|يورو|كيلو|سم|الف|الاف|riy?al|derham|dirham|dinar|geneh|kilo|w nos|ونص"
    r"|码|号|元|块|块 ?钱|公斤|斤|厘米|公分|啊|嗯|呃)(?!\w)){0,2}"
    rf"{_MARKS}"
)
"""What may stand between a value and what takes it back: "300 euros, no wait". Other words would be lost with it."""
_MARK_BEFORE, _MARK_BEHIND = re.compile(r"[\w%$€£₽¥]\s*[,،.;…—–-]\s*\Z"), re.compile(r"\s*[,،.;…—–-]\s*\w")
_LED_TO = re.compile(
    rf"{_MARKS}(?:(?:it'?s|it is|is|size|i'?m|more like|это|размер|هو|هي|مقاس|hiya|howa|heyye|huwe"
    rf"|eu|us|uk|是|应该 ?是|应该)(?!\w){_MARKS}){{0,2}}[$€£₽¥]?"
)
_FAR = re.compile(r"[^\d?؟\n]{0,40}")
"""What may lead to the new value behind a phrase that only takes back: "no wait, just checked inside my vans."."""
_LETTERS = re.compile(
    r"(?<![\w'])(?:x{0,4}[sml]|[2-6]xl|small|medium|large|эмк\w|эск\w|эльк\w|(?:اكس )?لارج|ميديوم|ميديم|سمول)(?![\w'])"
)
_REST = re.compile(r"[\d'\".,/]*\Z")
"""Of a value of several figures: the 5' of `5'7`."""


def fold_without_withdrawn(source: str) -> FoldedMessage:
    """The message folded, with spaces for values that another one takes the place of and for the words between."""
    message = fold_message(source)
    message.text = blank_withdrawn(message.text)
    return message


def blank_withdrawn(text: str) -> str:
    """A folded text, as long as before. "no" alone takes back between marks only: "9, no, 10", not "9 no tens"."""
    if not may_hold(_GROUP, text):
        return text
    phrases = [(span, _LED_TO) for span in _list_phrases(text, "plain")]
    phrases += [(span, _FAR) for span in _list_phrases(text, "far")]
    phrases += [(span, _LED_TO) for span in _list_between_marks(text)]
    for phrase, led_to in phrases[: 2 * _MAX_WITHDRAWALS]:
        place = _find_withdrawn(text, phrase, led_to)
        if place is not None:
            text = text[: place[0]] + " " * (place[1] - place[0]) + text[place[1] :]
    return text


def _list_phrases(text: str, name: str) -> list[Span]:
    """The places of phrases, neighbours as one: "no wait, no wait"."""
    found: list[Span] = []
    for match in compile_phrases(_GROUP, name).finditer(text):
        if len(found) >= _MAX_WITHDRAWALS:
            break
        if found and _GAP.fullmatch(text, found[-1][1], match.start()):
            found[-1] = (found[-1][0], match.end())
        else:
            found.append(match.span())
    return found


def _list_between_marks(text: str) -> list[Span]:
    return [
        match.span()
        for match in compile_phrases(_GROUP, "between_marks").finditer(text)
        if _MARK_BEFORE.search(text, max(0, match.start() - _MAX_GAP), match.start())
        and _MARK_BEHIND.match(text, match.end())
    ][:_MAX_WITHDRAWALS]


def _find_withdrawn(text: str, phrase: Span, led_to: re.Pattern[str]) -> Span | None:
    """The place of the value that a phrase between two values takes back, with the phrase."""
    first, last = max(0, phrase[0] - _WINDOW), min(len(text), phrase[1] + _WINDOW)
    numbers = list_numbers(text, first, last, is_stated=True)
    places = [(number.start, number.end) for number in numbers]
    places += [letters.span() for letters in _LETTERS.finditer(text, first, last)]
    before = [start for start, end in places if end <= phrase[0] and _UNIT.fullmatch(text, end, phrase[0])]
    behind = next((start for start, _ in sorted(places) if start >= phrase[1]), -1)
    if not before or behind < 0 or not led_to.fullmatch(text, phrase[1], behind):
        return None
    if load_lexicon().has_guard("others", text[phrase[1] : behind]):
        return None
    rest, marks = _REST.search(text, first, before[-1]), _GAP.match(text, phrase[1])
    return rest.start() if rest else before[-1], marks.end() if marks else phrase[1]
