"""Names and texts as values: the one that canon has, or plainly another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from factcheck.claims.core.readings import Reading
from factcheck.claims.core.subjects import Field, Named
from factcheck.claims.core.words import (
    ARTICLE_LIKE,
    COPULAS,
    HAN_PREPOSITIONS,
    NAMING,
    NEGATIONS,
    PREPOSITIONS,
)
from factcheck.core.tokens import Token, Tokens, find_sequence, tokenize

if TYPE_CHECKING:
    from factcheck.claims.core.field_comparison import Addressing, Mention

OPENING = frozenset("«“„\"'‘「『《")
CLOSING = frozenset("»”“\"'’」』》")
BEFORE_VALUE = PREPOSITIONS - {"by"}


def read_name(
    claim: Tokens, *, mention: Mention, field: Field, addressing: Addressing, mentions: Sequence[Mention]
) -> Reading | None:
    """The name that the claim gives as the field's value; None when it can't be told apart from other words."""
    if not field.names or not all(named.resolved for named in field.names):
        return None
    expected = _show(field)
    taken = mention.places() | (frozenset() if addressing.within_name else addressing.places)
    same = _find_expected(claim, field, taken)
    if same is not None:
        span, named = same
        if not _stands_as_value(claim, span, addressing) or not _is_uninflected(claim, span, named.surfaces):
            return None
        return Reading(frozenset(range(*span)), equal=True, may_refute=field.kind == "name", expected=expected)
    if field.kind == "list":
        return None
    other = _find_other(claim, field, taken, mentions)
    if other is None or not _stands_as_value(claim, other, addressing) or _shares_words(claim, other, field):
        return None
    return Reading(frozenset(range(*other)), equal=False, may_refute=True, expected=expected)


def _show(field: Field) -> str | list[str]:
    shown = list(dict.fromkeys(named.shown for named in field.names))
    return shown if field.kind == "list" else shown[0]


def _find_expected(claim: Tokens, field: Field, taken: frozenset[int]) -> tuple[tuple[int, int], Named] | None:
    """Where the claim holds canon's own value, the longest of its spellings."""
    found = [
        ((start, start + len(sequence)), named)
        for named in field.names
        for sequence in named.sequences
        for start in find_sequence(claim.words, sequence)
        if not taken & set(range(start, start + len(sequence)))
    ]
    return max(found, key=lambda item: item[0][1] - item[0][0], default=None)


def _find_other(
    claim: Tokens, field: Field, taken: frozenset[int], mentions: Sequence[Mention]
) -> tuple[int, int] | None:
    """Another name in the value's place: something that canon knows, a quotation, or a full name."""
    quoted = _find_quoted(claim, taken)
    if quoted is not None:
        return quoted
    if not _is_namelike(field):
        return None
    known = [other for other in mentions if not taken & other.places()]
    spans = {(other.start, other.end) for other in known}
    if len(spans) == 1:
        if not all(_may_replace(claim, other, field) for other in known):
            return None
        return spans.pop()
    return None if spans else _find_full_name(claim, field, taken)


def _may_replace(claim: Tokens, other: Mention, field: Field) -> bool:
    """Whether a thing that canon knows is of the kind of the expected one, and named in the nominative."""
    types = {named.type for named in field.names if named.type}
    if types and other.subject.type not in types:
        return False
    if any(named.document in other.subject.slugs for named in field.names if named.document):
        return False
    is_text = not any(named.document for named in field.names)
    if is_text and _script(claim.words[other.start]) not in _scripts(field):
        return False
    return _is_uninflected(claim, (other.start, other.end), other.subject.surfaces)


def _find_quoted(claim: Tokens, taken: frozenset[int]) -> tuple[int, int] | None:
    """The one quotation outside of name and label."""
    words = claim.words
    spans = []
    for start, word in enumerate(words):
        if not OPENING & set(word.gap[-1:]) or start in taken:
            continue
        for end in range(start + 1, len(words) + 1):
            gap = words[end].gap if end < len(words) else claim.tail
            if CLOSING & set(gap[:1]):
                if not taken & set(range(start, end)):
                    spans.append((start, end))
                break
    return spans[0] if len(spans) == 1 else None


def _find_full_name(claim: Tokens, field: Field, taken: frozenset[int]) -> tuple[int, int] | None:
    """Two or more capitalised words in a row (one after `called`), in a script in which canon writes the value."""
    words = claim.words
    runs: list[tuple[int, int]] = []
    place = 0
    while place < len(words):
        end = place
        while end < len(words) and words[end].capital and end not in taken and (end == place or not words[end].gap):
            end += 1
        if end > place:
            is_named = place > 0 and words[place - 1].text in NAMING
            if (end - place > 1 or is_named) and words[place].text not in COPULAS | NEGATIONS | PREPOSITIONS:
                runs.append((place, end))
        place = max(end, place + 1)
    if len(runs) != 1 or _script(words[runs[0][0]]) not in _scripts(field):
        return None
    return runs[0]


def _stands_as_value(claim: Tokens, span: tuple[int, int], addressing: Addressing) -> bool:
    """Whether the words around the name let it be what the field's label speaks of, and not whose it is."""
    words = claim.words
    start, end = span
    before = start - 1
    while before >= 0 and words[before].text in ARTICLE_LIKE:
        before -= 1
    is_outside = before >= 0 and before not in addressing.places
    if is_outside and (words[before].text in BEFORE_VALUE or words[before].text in HAN_PREPOSITIONS):
        return False
    if words[end - 1].text.endswith("'s") or (end < len(words) and words[end].text == "的"):
        return False
    if addressing.label.ends_with_by:
        by = [place for place in addressing.places if words[place].text == "by"]
        return bool(by) and max(by) == before
    return True


def _is_uninflected(claim: Tokens, span: tuple[int, int], surfaces: Sequence[tuple[str, ...]]) -> bool:
    """Whether a Russian name stands as canon writes it: another case gives it another part in the sentence."""
    words = claim.words[span[0] : span[1]]
    if not any("а" <= word.text[0] <= "я" for word in words):
        return True
    return tuple(word.text for word in words) in surfaces


def _shares_words(claim: Tokens, span: tuple[int, int], field: Field) -> bool:
    """Whether the other name holds a word of the expected one: then it may be the same thing by another name."""
    said = {word.lexeme for word in claim.words[span[0] : span[1]]}
    return any(said & set(sequence) for named in field.names for sequence in named.sequences)


def _is_namelike(field: Field) -> bool:
    """Whether the expected value is a name, and not a description such as `bronze and river silver`."""
    return all(
        named.document is not None or not named.shown[:1].isalpha() or not named.shown[0].islower()
        for named in field.names
    )


def _script(word: Token) -> str:
    first = word.text[:1]
    if "а" <= first <= "я":
        return "cyrillic"
    if "\u0600" <= first <= "\u06ff":
        return "arabic"
    return "han" if word.kind == "han" else "latin"


def _scripts(field: Field) -> frozenset[str]:
    """The scripts in which canon writes the value."""
    return frozenset(
        _script(word)
        for named in field.names
        for surface in named.surfaces
        for word in tokenize(" ".join(surface)).words
    )
