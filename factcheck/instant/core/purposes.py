"""What a sum is for, as the key of its budget: a known purpose, or the noun that is named as one."""

from __future__ import annotations

import re

from factcheck.instant.core.concepts import make_key
from factcheck.instant.core.money import read_purpose
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.reader_words import compile_phrases

_FOR = re.compile(
    r"(?<![\w'])(?:for|on|towards|toward)\s+(?:(?:a|an|the|my|our|some|any|new|winter|summer|nice|good|decent|"
    r"proper|pair of|couple of|set of|bottle of|whole)\s+)*"
    r"(?P<en>[a-z][a-z'-]{2,})"
    r"|(?<![\w'])(?:на|за|для)\s+(?:(?:\w+(?:ую|ой|ый|ий|ое|ее|ые|ие|ого|его)|пару|бутылку|набор)\s+)?(?P<ru>[а-я]{3,})"
    r"|(?<![\w'])(?:لل|علي ال|عال|حق ال|علشان ال|عشان ال)(?P<ar>[\u0620-\u064a]{2,})"
    r"|(?<![\w'])(?:lel|lal|3al|3ala el|7a2 el|7ag el|l el|fel)\s?-?(?P<az>[a-z'0-9]{3,})"
)


def find_purpose(text: str, end: int, where: Span) -> str | None:
    """The key of what a sum that ends at `end` is for, within a part of a folded text; None where nothing is named."""
    said = text[end : where[1]]
    known = read_purpose(said) or read_purpose(text[where[0] : end])
    if known:
        return known
    for part in (said, text[where[0] : end]):
        for match in _FOR.finditer(part):
            noun = next(word for word in match.groups() if word)
            if compile_phrases("sum_scopes").fullmatch(noun) is None:
                return make_key(noun)
    return None
