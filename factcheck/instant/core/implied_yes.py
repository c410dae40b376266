"""What a yes says yes to where no rule can tell: "god yes", "tamam", "sa7 kol ma tawwal", "yeah. 11 o'clock".

Layers read the message behind the question and say which kinds it is about; what it states is read from the question.
They do not tell yes from no ("bring them on", "lies"), so a word of the message must.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import replace

from factcheck.instant.core.answers import is_taken_back
from factcheck.instant.core.checked_values import CONFIRMED
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.judges import Scorer
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.pattern_rows import ANSWERS
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.said_yes import AGAINST, skip_yes
from factcheck.instant.core.tagged_words import open_with
from factcheck.instant.core.value_lists import list_mentions, list_words
from factcheck.instant.core.words import read_words
from knowledge.facts.core.instructions import INSTRUCTION
from knowledge.facts.core.types import FACT_TYPES, LIFE_EVENT, NUMBER_TYPES, PROTECTED_TYPES, THING_TYPES

MIN_ABOUT = 1.0
"""The log-odds from which on an answer states a kind."""
MIN_SURE_ABOUT = 3.0
"""Below it what protects a person is in doubt."""
CONFIDENCE = 0.8
_MAX_WORDS = 10
_NO = read_words("answer_refusals")
_YES = (read_words("answer_yes") | read_words("yes_beside_layers")) - read_words("weak_yes")
_MAX_WORDS_BEFORE_YES = 1
"""More words say something of their own: "god yes", but not "leave them in, yes"."""
_UNSURE = AGAINST.union(*map(read_words, ("answer_buts", "deferrals", "said_wrongly")))
_AS_YOU_LIKE = compile_phrases("answers", "as_you_like")
_WISHED = compile_phrases("answers", "wished")
_NUMBER = re.compile(r"(?<!\w)\d+(?![a-z])")
"""Digits are letters in Arabizi."""


def read_implied_yes(
    message: FoldedMessage,
    heard: Sequence[ExtractedFact],
    context: ReaderContext,
    scorer: Scorer,
    read_named: Callable[[Set[str]], Iterable[ExtractedFact]],
) -> list[ExtractedFact]:
    """The facts that were heard, with those that a yes states. `read_named` gives the facts of some kinds that the
    question names. A message with a number, a no or a value of its own says something else, but for a yes to a ban:
    "yes, never".
    """
    if scorer.tagger is None or not _may_be_yes(message):
        return list(heard)
    tagged = scorer.tag(open_with(context.question) + message.source)
    about = dict(zip(scorer.tagger.kinds, map(float, tagged.about), strict=True))
    said = {FACT_TYPES[fact.type].heard_as for fact in heard if not _is_unknown(fact, context)}
    stated = {kind for kind, odds in about.items() if odds >= MIN_ABOUT and kind not in said}
    stated &= _list_open(message.text, context) if stated else set()
    implied = [fact for fact in read_named(stated) if FACT_TYPES[fact.type].heard_as in stated] if stated else []
    instead = {FACT_TYPES[fact.type].heard_as for fact in implied}
    kept = [fact for fact in heard if FACT_TYPES[fact.type].heard_as not in instead or "@" not in fact.pattern]
    end = len(message.source.rstrip())
    return kept + [
        replace(
            fact, start=0, end=end, quote=message.source[:end], confidence=CONFIDENCE, answers_previous=True,
            pattern=f"{ANSWERS}/answer.{fact.type}{CONFIRMED}@{scorer.version}",
            is_doubtful=fact.type in PROTECTED_TYPES and about[FACT_TYPES[fact.type].heard_as] < MIN_SURE_ABOUT,
        )
        for fact in implied
    ]  # fmt: skip


def _may_be_yes(message: FoldedMessage) -> bool:
    words = list_words(message.text)
    says_yes = not _YES.isdisjoint(words[: _MAX_WORDS_BEFORE_YES + 1])
    is_short = says_yes and len(words) <= _MAX_WORDS and not message.text.rstrip().endswith(("?", "؟"))
    is_unsure = not _UNSURE.isdisjoint(words) or is_taken_back(message.text) or _AS_YOU_LIKE.search(message.text)
    return is_short and not is_unsure


def _list_open(text: str, context: ReaderContext) -> set[str]:
    """The kinds that a folded yes may state: beside a number an event, beside a no a ban, of what is wished a manner,
    of other people an event; and no thing where it names one itself.
    """
    whole = (0, len(text))
    kinds = set(FACT_TYPES)
    if _NUMBER.search(text):
        kinds &= {LIFE_EVENT}
    if not _NO.isdisjoint(list_words(text)):
        kinds &= {"hard_ban"} if skip_yes(text, is_negative=True) else set()
    if _WISHED.search(text):
        kinds &= {INSTRUCTION}
    if list_mentions(text, *whole, context.concepts, "person"):
        kinds &= {LIFE_EVENT}
    return kinds - {kind for kind in THING_TYPES if list_mentions(text, *whole, context.concepts, kind)}


def _is_unknown(fact: ExtractedFact, context: ReaderContext) -> bool:
    """Whether words were taken for a fact that no concept knows: those of the yes, it may be. What layers alone took
    for one gives way to what the question names.
    """
    is_yes = fact.type in THING_TYPES or (fact.type not in NUMBER_TYPES and "@" in fact.pattern)
    return is_yes and fact.key not in context.concepts.concepts
