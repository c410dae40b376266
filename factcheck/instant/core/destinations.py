"""Where a trip or a move goes, in the words that stated it: who says "Lisbon is off" names the trip so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factcheck.instant.core.clauses import cut_clause
from factcheck.instant.core.concepts import stems_of
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.takeback_words import load_takeback_words

JOURNEYS = ("trip", "move", "vacation", "going", "flying", "visiting", "travel")
"""How the keys of events begin that go to a place."""
_NEXT_WORD = re.compile(r"\s+([^\W\d_]{2,})")
_ENGLISH = re.compile(r"(?:[a-z]+ )*[a-z]+")


def find_destinations(text: str) -> Iterator[tuple[str, ...]]:
    """The stems of each place to which a message says that somebody goes, but for those of others.

    Behind "going to" anything may stand: in English a place is written with a capital, and may have two words.
    """
    words, message = load_takeback_words(), fold_message(text)
    for match in words.goes_to.finditer(message.text):
        name = "place" if match["place"] else "han"
        place, end = match[name].strip(), match.end(name)
        clause = cut_clause(message.text, *match.span())
        if words.no_place.fullmatch(place) or load_lexicon().has_guard("others", clause):
            continue
        is_english = _ENGLISH.match(match[0]) is not None and place.isascii()
        if is_english and not _is_capital(text, message.locate(match.start(name), end)[0]):
            continue
        following = _NEXT_WORD.match(message.text, end)
        if is_english and following and _is_capital(text, message.locate(*following.span(1))[0]):
            place = f"{place} {following[1]}"
        yield stems_of(place)


def _is_capital(source: str, place: int) -> bool:
    return source[place : place + 1].isupper()
