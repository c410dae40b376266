"""A claim held against the structured fields of the subjects that it names.

The rule that keeps wrong verdicts away: every word of the claim must be accounted for, as the subject's name, words of
one field, the value, its unit, or one of a short list of joining words. What is left over leaves the claim undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from factcheck.claims.core.readings import Reading
from factcheck.claims.core.subjects import Field, Label, Subject
from factcheck.claims.core.values import read_value
from factcheck.claims.core.words import (
    ARTICLE_LIKE,
    ASKING,
    ASKING_PARTICLES,
    AUXILIARIES,
    COPULAS,
    HAN_FUNCTION,
    HAN_NAMING,
    HAN_NEGATIONS,
    NAMING,
    NEGATIONS,
    PEOPLE,
    PREPOSITIONS,
    QUESTION_MARKS,
)
from factcheck.core.tokens import Token, Tokens, find_sequence
from factcheck.core.verdicts import FieldVerdict

MAX_WORDS = 120
MAX_MENTIONS = 16
"""A claim beyond these says more than one thing; holding it against fields would only cost time."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A subject where the claim names it, [start, end)."""

    start: int
    end: int
    subject: Subject

    def places(self) -> frozenset[int]:
        """The places of its words."""
        return frozenset(range(self.start, self.end))


@dataclass(frozen=True, slots=True)
class Addressing:
    """A label of a field found in a claim."""

    places: frozenset[int]
    label: Label
    within_name: bool
    """Whether all its words are the subject's own name."""


def is_question(claim: Tokens) -> bool:
    """Whether the text asks instead of claiming."""
    marks = claim.tail + "".join(word.gap for word in claim.words)
    if QUESTION_MARKS & set(marks):
        return True
    if claim.words and claim.words[0].text in ASKING:
        return True
    return any(word.text in ASKING_PARTICLES and not word.capital for word in claim.words)


def find_mentions(claim: Tokens, subjects: Sequence[Subject]) -> list[Mention]:
    """Where the claim names subjects; a name within a longer one is not a mention."""
    found: dict[tuple[int, int, str], Mention] = {}
    for subject in subjects:
        for sequence in subject.sequences:
            for start in find_sequence(claim.words, sequence):
                mention = Mention(start, start + len(sequence), subject)
                found[mention.start, mention.end, subject.key] = mention
    mentions = list(found.values())
    return sorted(
        (mention for mention in mentions if not any(_covers(other, mention) for other in mentions)),
        key=lambda mention: (mention.start, mention.subject.key),
    )


def compare_claim(claim: Tokens, subjects: Sequence[Subject]) -> FieldVerdict | None:
    """The verdict of the structured fields; None when they leave the claim undecided."""
    if is_question(claim) or len(claim.words) > MAX_WORDS:
        return None
    mentions = find_mentions(claim, subjects)
    if len(mentions) > MAX_MENTIONS:
        return None
    verdicts: list[tuple[str, FieldVerdict]] = []
    for mention in mentions:
        verdict = _compare_subject(claim, mention, mentions)
        if verdict is not None:
            verdicts.append((mention.subject.key, verdict))
    return _agree(verdicts, mentions)


def _covers(longer: Mention, shorter: Mention) -> bool:
    is_longer = longer.end - longer.start > shorter.end - shorter.start
    return is_longer and longer.start <= shorter.start and shorter.end <= longer.end


def _agree(verdicts: Sequence[tuple[str, FieldVerdict]], mentions: Sequence[Mention]) -> FieldVerdict | None:
    """One verdict of all; a claim about a name that several things share is false only if it is of each of them."""
    answers = {verdict.verdict for _, verdict in verdicts}
    if len(answers) != 1 or answers == {"unknown"}:
        return None
    verdict = verdicts[0][1]
    if verdict.verdict == "true":
        return verdict
    deciding = {key for key, _ in verdicts}
    for mention in mentions:
        is_rival = mention.subject.key not in deciding and any(
            other.subject.key in deciding and (other.start, other.end) == (mention.start, mention.end)
            for other in mentions
        )
        if is_rival:
            return None
    return verdict


def _compare_subject(claim: Tokens, mention: Mention, mentions: Sequence[Mention]) -> FieldVerdict | None:
    """The verdict of the field that the claim addresses best; None where two fields say different things."""
    found = []
    for field in mention.subject.fields:
        verdict = _compare_field(claim, mention, field, mentions)
        if verdict is not None:
            found.append(verdict)
    if not found:
        return None
    strongest = max(verdict.strength for verdict in found)
    best = [verdict for verdict in found if verdict.strength == strongest]
    return best[0] if len({verdict.verdict for verdict in best}) == 1 else None


def _compare_field(claim: Tokens, mention: Mention, field: Field, mentions: Sequence[Mention]) -> FieldVerdict | None:
    """What the field says, if the claim addresses it, states a value of its kind, and says nothing else."""
    reading = None
    for addressing in _find_addressings(claim, mention, field):
        reading = read_value(claim, mention=mention, field=field, addressing=addressing, mentions=mentions)
        if reading is None:
            continue
        negated = _account_for(claim, mention, field, addressing, reading)
        if negated is not None:
            return _conclude(claim, mention, field, addressing, reading, negated=negated)
    return None


def _conclude(
    claim: Tokens, mention: Mention, field: Field, addressing: Addressing, reading: Reading, *, negated: bool
) -> FieldVerdict | None:
    equal = reading.equal
    if not equal and not reading.may_refute:
        return None
    if not equal and addressing.within_name and not reading.unit_said:
        return None
    if equal and negated and not reading.may_refute:
        return None
    verdict = equal is not negated
    name = tuple(word.lexeme for word in claim.words[mention.start : mention.end])
    slug = mention.subject.cite(field, name)
    return FieldVerdict(
        verdict="true" if verdict else "false",
        field=field.name,
        slug=slug,
        expected=reading.expected,
        reason=f"{field.name} of {slug}: canon says {reading.expected}.",
        strength=len(addressing.places),
    )


def _find_addressings(claim: Tokens, mention: Mention, field: Field) -> list[Addressing]:
    """The field's labels that the claim holds whole, those of most words first."""
    found = []
    by_lexeme: dict[str, list[int]] = {}
    for place, word in enumerate(claim.words):
        by_lexeme.setdefault(word.lexeme, []).append(place)
    inside = mention.places()
    for label in field.labels:
        places: set[int] = set()
        for piece in label.pieces:
            starts = [
                start
                for start in find_sequence(claim.words, piece)
                if not inside & set(range(start, start + len(piece)))
            ]
            if not starts:
                break
            for start in starts:
                places.update(range(start, start + len(piece)))
        else:
            if all(lexeme in by_lexeme for lexeme in label.lexemes):
                for lexeme in label.lexemes:
                    places.update(by_lexeme[lexeme])
                within = places <= inside
                if not within or _is_whole_name(label, mention):
                    found.append(Addressing(frozenset(places), label, within))
    return sorted(found, key=lambda addressing: -len(addressing.places - inside))


def _is_whole_name(label: Label, mention: Mention) -> bool:
    return label.lexemes in mention.subject.sequences and len(label.lexemes) == mention.end - mention.start


def _account_for(
    claim: Tokens, mention: Mention, field: Field, addressing: Addressing, reading: Reading
) -> bool | None:
    """Whether the claim is negated; None when a word is left over or the negation is not plain."""
    taken = mention.places() | reading.places
    negations = _find_negations(claim, taken, field)
    explained = taken | _own_words(claim, field, addressing) | _joining_words(claim, taken)
    explained |= _other_values(claim, mention, field, addressing)
    if negations is None or len(negations) > 1:
        return None
    for place, word in enumerate(claim.words):
        if place in explained or any(place in negation for negation in negations):
            continue
        if word.text in AUXILIARIES and negations:
            continue
        if field.kind == "number" and word.text in PEOPLE and not reading.unit_said:
            continue
        return None
    if not negations:
        return False
    after = max(negations[0]) + 1
    while after < len(claim.words) and claim.words[after].text in ARTICLE_LIKE:
        after += 1
    return None if after == mention.start and len(claim.words) > mention.end else True


def _find_negations(claim: Tokens, taken: frozenset[int], field: Field) -> list[frozenset[int]] | None:
    """The negations outside name, value and labels that hold one themselves."""
    in_labels = set(taken)
    for label in field.labels:
        for piece in label.pieces:
            for start in find_sequence(claim.words, piece):
                if len(piece) > 1:
                    in_labels.update(range(start, start + len(piece)))
        for negation, negated in pairwise(label.lexemes):
            for start in find_sequence(claim.words, (negation, negated)):
                in_labels.update({start, start + 1})
    found: list[frozenset[int]] = []
    place = 0
    while place < len(claim.words):
        span = None if place in in_labels else _negation_at(claim.words, place)
        if span is None:
            place += 1
            continue
        if span & in_labels:
            return None
        found.append(span)
        place = max(span) + 1
    return found


def _negation_at(words: Sequence[Token], place: int) -> frozenset[int] | None:
    if words[place].text in NEGATIONS:
        return frozenset({place})
    for negation in HAN_NEGATIONS:
        if tuple(word.text for word in words[place : place + len(negation)]) == tuple(negation):
            return frozenset(range(place, place + len(negation)))
    return None


def _own_words(claim: Tokens, field: Field, addressing: Addressing) -> frozenset[int]:
    vocabulary = field.vocabulary()
    places = {
        place
        for place, word in enumerate(claim.words)
        if word.lexeme in vocabulary and word.text not in NEGATIONS and word.kind == "word"
    }
    for label in field.labels:
        for piece in label.pieces:
            for start in find_sequence(claim.words, piece):
                places.update(range(start, start + len(piece)))
    return frozenset(places) | addressing.places


def _joining_words(claim: Tokens, taken: frozenset[int]) -> frozenset[int]:
    places = set()
    for place, word in enumerate(claim.words):
        if word.text in COPULAS or word.text in PREPOSITIONS or word.text in NAMING:
            places.add(place)
        for phrase in (*HAN_NAMING, *HAN_FUNCTION):
            span = range(place, place + len(phrase))
            if tuple(other.text for other in claim.words[place : place + len(phrase)]) == tuple(phrase):
                places.update(span)
                break
    first = claim.words[0].text if claim.words else ""
    if first in {"when", "as", "with", "by"} and 0 not in taken:
        places.discard(0)
    return frozenset(places)


def _other_values(claim: Tokens, mention: Mention, field: Field, addressing: Addressing) -> frozenset[int]:
    """Words that state another text field of the same deed, as canon has it (`Hind made it in 1102`).

    Of the same deed are fields that share a word with the label: who made it, when it was made.
    """
    places: set[int] = set()
    for other in mention.subject.fields:
        if other.kind != "name" or other.name == field.name:
            continue
        if not set(addressing.label.lexemes) & other.vocabulary():
            continue
        for named in other.names:
            for sequence in named.sequences:
                if len(sequence) < 2:
                    continue
                for start in find_sequence(claim.words, sequence):
                    places.update(range(start, start + len(sequence)))
    return frozenset(places)
