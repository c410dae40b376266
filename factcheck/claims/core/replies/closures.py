"""Weekdays, months and seasons on which something is closed or held, in canon and in a reply.

`По субботам кузня закрыта` and `Заходи в субботу` share one word; what opposes them is that one opens and one shuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from factcheck.claims.core.replies.clauses import Clause
from factcheck.claims.core.replies.findings import Finding
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.questions import Question, read_answer
from factcheck.claims.core.replies.texts import Text, TypedValue, list_typed_values

TIMES = frozenset({"weekday", "month", "season"})
DENIAL_DISTANCE = 3
DOUBTFUL = frozenset({"rumour", "hypothetical", "plan", "joke", "opinion", "bygone", "elsewhere", "denial"})


@dataclass(frozen=True, slots=True)
class Opening:
    """A time at which canon has something open, or closed."""

    slug: str
    label: str
    is_open: bool
    quote: str


@dataclass(frozen=True, slots=True)
class Visit:
    """A reply read for the times at which it sends somebody there."""

    clauses: Sequence[Clause]
    question: Question
    slugs: frozenset[str]
    """Of the articles that it may speak of."""


def list_openings(
    slug: str, text: Text, values: Iterable[TypedValue], quote: str, lexicon: Lexicon, *, is_negated: bool
) -> Iterable[Opening]:
    """The times of one clause of canon with what it says of them; none where it says of several, or says neither."""
    times = [each for each in values if each.group in TIMES]
    if len(times) != 1 or lexicon.lists["exception"].is_in(text.words):
        return
    is_shut = lexicon.lists["shut"].is_in(text.words)
    if is_negated and not is_shut and times[0].group != "weekday":
        return
    is_closed = is_negated != is_shut
    if is_closed or any(lexicon.lists[name].is_in(text.words) for name in ("opens", "held")):
        yield Opening(slug, times[0].label, not is_closed, quote)


def compare_openings(visit: Visit, openings: Sequence[Opening], lexicon: Lexicon) -> list[Finding]:
    """What canon says to a reply that takes a closed time for an open one, or an open one for closed."""
    known = [each for each in openings if each.slug in visit.slugs]
    if not known:
        return []
    for clause in visit.clauses:
        if clause.cues & DOUBTFUL or lexicon.lists["exception"].is_in(clause.text.words):
            continue
        for label in _labels_of(clause, visit, lexicon):
            meant = [each for each in known if each.label == label]
            is_open = _read_stance(clause, visit, label, lexicon) if meant else None
            if is_open is not None and all(each.is_open != is_open for each in meant):
                fact = meant[0]
                return [
                    Finding(
                        is_contradiction=True,
                        rule="polarity",
                        quote=clause.quote,
                        slug=fact.slug,
                        canon_quote=fact.quote,
                        expected=None,
                        field=None,
                    )
                ]
    return []


def _times_of(text: Text, lexicon: Lexicon) -> list[TypedValue]:
    return [each for each in list_typed_values(text, lexicon) if each.group in TIMES]


def _labels_of(clause: Clause, visit: Visit, lexicon: Lexicon) -> list[str]:
    """The time that the clause names, or where it opens the answer the one that was asked about."""
    own = [each.label for each in _times_of(clause.text, lexicon)]
    if own or not clause.is_opening:
        return own if len(own) == 1 else []
    asked = [each.label for each in _times_of(visit.question.text, lexicon)]
    return asked if len(asked) == 1 and "yes" in visit.question.asks else []


def _read_stance(clause: Clause, visit: Visit, label: str, lexicon: Lexicon) -> bool | None:
    """Whether the reply has it open at that time; None where it says neither, or both."""
    same = [each for each in visit.clauses if each.sentence == clause.sentence]
    is_open = any(_has_stated(each.text, name, lexicon) for each in same for name in ("opens", "come_by"))
    is_shut = any(lexicon.lists["shut"].is_in(each.text.words) for each in same)
    if is_shut or clause.is_negated:
        return None if is_open or (is_shut and clause.is_negated) else False
    if any(lexicon.lists["shut"].is_in(each.text.words) for each in visit.clauses):
        return None
    if is_open:
        return True
    asked = {each.label for each in _times_of(visit.question.text, lexicon)}
    is_affirmed = any(each.is_opening and read_answer(each.text, lexicon) for each in visit.clauses)
    return True if label in asked and "yes" in visit.question.asks and is_affirmed else None


def _has_stated(text: Text, name: str, lexicon: Lexicon) -> bool:
    """Whether a word of the list stands there without a denial before it."""
    return any(
        not lexicon.lists["negations"].is_in(text.words[max(each.start - DENIAL_DISTANCE, 0) : each.start])
        for each in lexicon.lists[name].find(text.words)
    )
