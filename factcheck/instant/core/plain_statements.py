"""Statements so plain that layers, which learnt from few such lines, may not refuse them: "I wear size M"."""

from __future__ import annotations

import re

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.guards import is_reminder
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.measure_labels import list_labels
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.pattern_rows import HAPPENED
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.subjects import is_shared
from factcheck.instant.core.value_choice import Candidate
from factcheck.instant.core.value_lists import list_mentions, list_words
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import LIFE_EVENT, NUMBER_TYPES, PROTECTED_TYPES

_OWN_RELATION = frozenset({"first", "relation"})
"""Kinds of words in "I'm allergic to nuts"."""
_CONJUNCTIONS = read_words("conjunctions") - read_words("answer_refusals")
_INTOLERANT = "不耐"
"""A part of a word in the names of conditions: 乳糖不耐受."""
_AUTHOR = read_words("first_person")
_OWN_MEASURE = frozenset({"first", "topic"})
"""Kinds of words in "I wear size M"."""
_MAX_LEAD = 8
"""Characters before a hit in which its author may be named: 我 对."""
_NOW = re.compile(
    r"(?<!\w)(?:now|nowadays|these days|теперь|сейчас|الحين|الان|دلوقتي|هلق|هسه|و?(?:صرت|بقيت)(?: (?:البس|بلبس|اخذ))?"
    r"|al7een|delwa2t[iy]|hala2|现在)(?!\w)"
)
_SHOWN_BY_UNIT = frozenset({"height_cm", "weight_kg"})
"""Measures that need no name beside their author's: 我一米八三."""
_BODY_ALONE = frozenset({"hips", "chest", "waist", "inseam", "bra_size"})
"""Measures that nothing but a body has, so that a pattern's hit is plain in so many characters."""
_MAX_SHORT = 60
"""Characters of a message that says little else."""
_ENDS = re.compile(r"\s*(?:cm|см|سم|厘米|inch(?:es)?|in|\")?\s*(?:[,،.;!)\n]|and |и |و|$)")
"""Behind a measure: nothing that it is of, "chest 40 drawers"."""
_MAX_LEAD_OF_NOW = 20
"""Characters before a hit in which it may say so."""
MIN_SETTLED_SURE = -1.0
"""The log-odds below which layers, which may not refuse what is plain, leave what protects in doubt where other things
stand beside it: of 9 such values in 3,120 lines none was right, of 13 that stood alone 11.
"""


def is_settled(message: FoldedMessage, candidate: Candidate, context: ReaderContext) -> bool:
    """Whether what a pattern heard, with no guard against it, is so plain that layers, which learnt from few such
    lines, may not refuse it; nor what protects its author where they remind of it in a question.
    """
    fact = candidate.fact
    if not candidate.is_heard or fact.answers_previous:
        return candidate.is_heard and _is_listed(message, candidate, context)
    if fact.type == LIFE_EVENT:
        return HAPPENED in fact.pattern or not candidate.guards
    if candidate.guards:
        return False
    place = message.find_place(fact.start), message.find_place(fact.end)
    if fact.type in NUMBER_TYPES:
        return _is_plain_number(message, candidate, place)
    if fact.type in PROTECTED_TYPES and is_reminder(message.text, candidate.sentence[0], place[0]):
        return True  # layers take it for a question
    return fact.type in PROTECTED_TYPES and _is_plain_protection(message.text, candidate, place, context)


def _is_listed(message: FoldedMessage, candidate: Candidate, context: ReaderContext) -> bool:
    """Whether an answer to a question for bans or allergies lists known things and says nothing else: "shrimp milk"."""
    kind, text = candidate.fact.type, message.text
    if kind not in PROTECTED_TYPES or kind not in context.asked or candidate.guards:
        return False
    rest = list(text)
    for named in list_mentions(text, 0, len(text), context.concepts, kind, arabizi=is_arabizi(text)):
        rest[named.start : named.end] = " " * (named.end - named.start)
    return _CONJUNCTIONS.issuperset(list_words("".join(rest)))


def _is_plain_number(message: FoldedMessage, candidate: Candidate, place: Span) -> bool:
    """Whether a size or a sum holds now («теперь ношу L»), its author names it by its name ("I wear size M"), a short
    message names a measure of the body («ещё бёдра 102»), or a sentence says no more than a sum.
    """
    text, fact = message.text, candidate.fact
    said = text[place[0] : place[1]]
    is_own = not _AUTHOR.isdisjoint(said.split())
    has_label, kinds = bool(list_labels(text, place)), _list_kinds(said)
    if _NOW.search(text[max(0, place[0] - _MAX_LEAD_OF_NOW) : place[0]]) or kinds >= _OWN_MEASURE:
        return True
    if is_own and (has_label or fact.key in _SHOWN_BY_UNIT):
        return True
    if fact.key in _BODY_ALONE and len(text) <= _MAX_SHORT and _ENDS.match(text, place[1]):
        return True
    return "topic" in kinds and is_all_said(message, candidate)


def _list_kinds(said: str) -> set[str]:
    """The kinds of the words, as the lexicon of denials has them."""
    return {token.kind for token in load_lexicon().cut(said)}


def _is_plain_protection(text: str, candidate: Candidate, place: Span, context: ReaderContext) -> bool:
    """Whether layers cannot judge a ban or an allergy: its value has no words ("I don't drink"), it is somebody else's,
    too (they learnt that others' is none), or its author states an allergy to a known thing as such: «我对花生过敏».
    """
    fact, end = candidate.fact, place[1]
    is_known = fact.key in context.concepts.concepts
    lead = text[max(candidate.sentence[0], place[0] - _MAX_LEAD) : end]
    kinds = _list_kinds(lead) | ({"relation"} if _INTOLERANT in lead else set())
    if fact.type == "allergy" and is_known and kinds >= _OWN_RELATION:
        return True
    named = list_mentions(text, *place, context.concepts, fact.type, arabizi=True)
    has_no_words = is_known and not named
    return has_no_words or is_shared(text, candidate.sentence[0], end, candidate.sentence[1])


def is_all_said(message: FoldedMessage, candidate: Candidate) -> bool:
    """Whether what a pattern heard, with no guard against it, is all that its sentence says: "I don't eat pork."."""
    start, end = message.find_place(candidate.fact.start), message.find_place(candidate.fact.end)
    first, last = candidate.sentence
    rest = message.text[first:start] + message.text[end:last]
    is_plain = candidate.is_heard and not candidate.guards
    return is_plain and not any(character.isalnum() for character in rest)
