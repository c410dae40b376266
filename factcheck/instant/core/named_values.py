"""What the assistant's message names, for a yes that layers vouch for (`implied_yes`)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Container, Iterable, Iterator

from factcheck.instant.core.answers import REMOVES
from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.asked_of import is_of_others
from factcheck.instant.core.checked_values import (
    MAX_PREVIOUS,
    PLAYS,
    RELATIVE_THAT,
    find_last,
    is_no_check,
    is_of_itself,
    is_open,
    list_named,
    list_polarities,
)
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extracted import ExtractedFact, make_fact
from factcheck.instant.core.messages import fold, fold_message
from factcheck.instant.core.pattern_rows import make_answer_row
from factcheck.instant.core.questions import find_question, is_permission, list_asked
from factcheck.instant.core.said_by_reader import say_as_reader
from factcheck.instant.core.said_yes import NO_MORE
from factcheck.instant.core.value_lists import list_mentions, list_words
from knowledge.facts.core.types import LIFE_EVENT, NUMBER_TYPES, THING_TYPES

_ASKS_WHETHER = re.compile(r"^\W*(?:so )?(?:would|do) i ")
"""Of a question said as its reader would: "would i prefer shorter replies"."""


def read_named(
    previous: str,
    kinds: Container[str],
    concepts: ConceptTable,
    now: datetime.datetime,
    read: Callable[[str], Iterable[ExtractedFact]],
) -> list[ExtractedFact]:
    """What the assistant's message names in what it asks or says last, as its reader would state it: for a yes of which
    it is known from elsewhere that it states something of these kinds. Nothing of a question that is open or takes
    something away.
    """
    told = fold(previous[-MAX_PREVIOUS:])
    question = find_question(previous)
    check = RELATIVE_THAT.sub(", ", find_last(question or told))
    words = frozenset(list_words(check))
    if not check or is_open(words, check) or REMOVES.search(check) or PLAYS.search(told):
        return []
    if not question and is_of_itself(words):
        return []
    check = NO_MORE.sub(" below ", check)
    refused = NUMBER_TYPES if is_no_check(check) else ()
    stated = list(read(_ASKS_WHETHER.sub("i ", say_as_reader(check))))
    types = {fact.type for fact in stated}
    named = [*list_named(check, words, concepts, now), *_list_known_things(check, kinds, concepts)]
    found = [*stated, *(fact for fact in named if fact.type not in types)]
    return [
        fact
        for fact in found
        if fact.type not in refused
        and -1 not in list_polarities(fact, previous, concepts)
        and (fact.type == LIFE_EVENT or not is_of_others(check))
    ]


def _list_known_things(check: str, kinds: Container[str], concepts: ConceptTable) -> Iterator[ExtractedFact]:
    """The things of some kinds that a question names, of the kind that it asks for where it asks for one."""
    told, whole, asked = fold_message(check), (0, len(check)), list_asked(check)
    for kind in THING_TYPES:
        if kind in kinds and (kind in asked or not asked) and not is_permission(check):
            for thing in list_mentions(check, *whole, concepts, kind, arabizi=is_arabizi(check)):
                yield make_fact(told, make_answer_row(kind), thing.key, thing.value, *whole)
