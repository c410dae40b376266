"""From a message to the facts that it states about its author. Precision first: in doubt there is no fact."""

from __future__ import annotations

import datetime
import functools
import itertools
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from factcheck.instant.core.answers import MAX_ANSWER_LENGTH, Answer, read_answer, says_nothing
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.checked_values import read_confirmed, read_dated
from factcheck.instant.core.clause_patterns import load_clause_patterns
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.denials import find_denials
from factcheck.instant.core.extracted import ExtractedFact, make_fact
from factcheck.instant.core.hits import MAX_HITS, is_refused, passes_guards, trim_hit
from factcheck.instant.core.judges import Scorer
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import NarrativeMode
from factcheck.instant.core.pattern_rows import InstantPattern, takes_part
from factcheck.instant.core.patterns import CompiledPattern, CompiledPatterns
from factcheck.instant.core.questions import find_any_question, find_question, list_asked
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.semantic import read_by_meaning
from factcheck.instant.core.subjects import detect_subject
from factcheck.instant.core.value_types import ReadValue
from factcheck.instant.core.values import read_event, read_values
from factcheck.instant.core.wish_answers import read_wish_answers
from factcheck.instant.core.withdrawn_values import fold_without_withdrawn
from knowledge.facts.core.instructions import INSTRUCTION, KINDS
from knowledge.facts.core.types import DEFAULT_KEYS, NUMBER_TYPES, PROTECTED_TYPES, WISH_TYPES
from knowledge.text.language import detect_language

Stated = TypeVar("Stated", Answer, ExtractedFact)
MAX_FACTS = 50
ANSWERS = "answers"
"""What the pattern of a fact begins with that a bare answer gave."""
MAX_HIT_LENGTH = 1_000
"""Characters; a longer hit is a word repeated for its own sake ("la la la …"), and reading it takes seconds."""
_SCRIPTS = (
    re.compile("[A-Za-z]{3}"),
    re.compile("[а-яёА-ЯЁ]{2}"),
    re.compile("[\u0620-\u064a]{2}"),
    re.compile("[\u4e00-\u9fff]"),
)


def extract_facts(
    text: str,
    *,
    compiled: CompiledPatterns,
    concepts: ConceptTable,
    now: datetime.datetime,
    mode: NarrativeMode = "unknown",
    user_key: str = "",
    pattern_sets_off: frozenset[str] = frozenset(),
    previous: str = "",
    scorer: Scorer | None = None,
) -> list[ExtractedFact]:
    """The facts of one message in reading order, one for each (type, key); the last one said holds.

    Words of a character give none: with mode `in_character` (or with actions in asterisks and dialogue dashes when the
    mode is unknown) only what is marked as out of character is read. Quotes and quoted lines are never read. `user_key`
    decides which patterns that are on trial take part; patterns of `pattern_sets_off` never do. With a `scorer` the
    meaning of sentences is heard as well.
    """
    message = fold_without_withdrawn(text)
    hits = [hit for hit in compiled.match(message.text) if hit.row.pack not in pattern_sets_off]
    is_answer = bool(previous) and len(text) <= MAX_ANSWER_LENGTH
    if not hits and not is_answer and scorer is None:
        return []
    own = AuthorSpans(text, mode, is_topic=concepts.names_thing)
    if not own.says_anything:
        return []
    question = find_question(previous)
    found: dict[tuple[str, str], ExtractedFact] = {}
    for hit in hits:
        if takes_part(hit.row, user_key):
            _add_facts(found, _read_hit(message, hit, concepts, now), own)
    if is_answer and mode != "in_character":
        _add_answers(found, message, question, concepts, now, own, compiled.readers)
        dated = read_dated(message, previous, question, concepts, now)
        confirmed = read_confirmed(message, previous, question, concepts, now, functools.partial(
            extract_facts, compiled=compiled, concepts=concepts, now=now, user_key=user_key,
            pattern_sets_off=pattern_sets_off, scorer=scorer,
        ))  # fmt: skip
        checked = [fact for fact in (*dated, *confirmed) if (fact.type, fact.key) not in found]
        _add_facts(found, checked, own)
    heard = list(found.values())
    if scorer is not None:
        context = ReaderContext(own, compiled.readers, concepts, now, find_any_question(previous))
        heard = read_by_meaning(message, heard, context, scorer)
    heard = _without_denied(message, heard, concepts, own, explicit=True)
    language = _name_language(text) if heard else ""
    facts = [_name_spoken(fact, language) for fact in heard[:MAX_FACTS]]
    return sorted(_without_repeats(facts, concepts.concepts), key=lambda fact: fact.start)


def _add_facts(found: dict[tuple[str, str], ExtractedFact], facts: Iterable[ExtractedFact], own: AuthorSpans) -> None:
    for fact in facts:
        if not own.contains(fact.start) or len(found) >= MAX_FACTS:
            continue
        earlier = found.get((fact.type, fact.key))
        if earlier is None or fact.start > earlier.end:
            found[fact.type, fact.key] = fact


def _add_answers(
    found: dict[tuple[str, str], ExtractedFact],
    message: FoldedMessage,
    question: str,
    concepts: ConceptTable,
    now: datetime.datetime,
    own: AuthorSpans,
    readers: Mapping[str, CompiledPattern],
) -> None:
    """Adds what the message answers to the assistant's question, where it does not state it in full by itself."""
    said = {fact.type for fact in found.values()}
    named = _without_denied(message, read_answer(message.text, question, concepts), concepts, own)
    things = [_make_answer(message, answer) for answer in named if not _is_refused(message, answer, readers)]
    answers = [*things, *_read_event_answer(message, question, concepts, now)]
    wishes = [_make_wish(message, wish) for wish in read_wish_answers(message, question)]
    _add_facts(found, [answer for answer in answers if answer.type not in said], own)
    _add_facts(found, [wish for wish in wishes if (wish.type, wish.key) not in found], own)


def _is_refused(message: FoldedMessage, answer: Answer, readers: Mapping[str, CompiledPattern]) -> bool:
    """Whether a number in an answer is wished for, or the like."""
    return answer.type in NUMBER_TYPES and is_refused(message, readers[answer.type], answer.start, answer.end)


def _without_denied(
    message: FoldedMessage,
    stated: Sequence[Stated],
    concepts: ConceptTable,
    own: AuthorSpans,
    *,
    explicit: bool = False,
) -> list[Stated]:
    """What is stated but for what the message denies: "You are allergic to nuts, right?" – "I'm not allergic to nuts".

    With `explicit` only what is plainly denied is left out.
    """
    things = [
        KnownFact(index, each.type, each.key, each.value)
        for index, each in enumerate(stated)
        if each.type in PROTECTED_TYPES
    ]
    lexicon = load_lexicon()
    if not things or not (lexicon.may_deny(message.text) or load_clause_patterns().may_deny(message.text)):
        return list(stated)
    denials = find_denials(message, own, things, referred=(), concepts=concepts, lexicon=lexicon)
    denied = {denial.fact.id for denial in denials if denial.strength == "explicit" or not explicit}
    return [each for index, each in enumerate(stated) if index not in denied]


def _make_answer(message: FoldedMessage, answer: Answer) -> ExtractedFact:
    row = InstantPattern(f"answer.{answer.type}", answer.type, "mixed", "", "phrase", pack=ANSWERS)
    return replace(make_fact(message, row, answer.key, answer.value, answer.start, answer.end), answers_previous=True)


def _make_wish(message: FoldedMessage, wish: ReadValue) -> ExtractedFact:
    row = InstantPattern(f"answer.{INSTRUCTION}", INSTRUCTION, "mixed", "", "phrase", pack=ANSWERS)
    return replace(make_fact(message, row, wish.key, wish.value, wish.start, wish.end), answers_previous=True)


def _read_event_answer(
    message: FoldedMessage, question: str, concepts: ConceptTable, now: datetime.datetime
) -> Iterator[ExtractedFact]:
    if "life_event" not in list_asked(question) or says_nothing(message.text):
        return
    row = InstantPattern("answer.life_event", "life_event", "mixed", "", "event", confidence=0.85, pack=ANSWERS)
    end = len(message.text)
    if detect_subject(message.text, 0, end, end) != "other":
        for fact in read_event(message, row, (0, end), (0, end), concepts, now):
            yield replace(fact, answers_previous=True)


def _without_repeats(facts: list[ExtractedFact], known: Container[str]) -> list[ExtractedFact]:
    """Without bans of what is an allergy already: "I can't eat nuts, I get hives" says one thing.

    Nor bans in the words of an instruction: "no emoji"; of a free one, those that no concept knows. A sum that is for
    something is no other budget besides.
    """
    allergies = {fact.key for fact in facts if fact.type == "allergy"}
    wishes = [fact for fact in facts if fact.type in WISH_TYPES]
    facts = [fact for fact in facts if not _is_misspelt(fact, wishes)]
    facts = [fact for fact in facts if not _is_same_sum(fact, facts)]
    return [
        fact
        for fact in facts
        if fact.type != "hard_ban"
        or not (
            fact.key in allergies
            or any(
                (fact.key not in known or wish.key in KINDS) and fact.start < wish.end and wish.start < fact.end
                for wish in wishes
            )
        )
    ]


def _is_same_sum(fact: ExtractedFact, facts: list[ExtractedFact]) -> bool:
    """Whether another fact has the same words for a budget and tells what it is for."""
    return (fact.type, fact.key) == ("budget", DEFAULT_KEYS["budget"]) and any(
        other.type == "budget"
        and other.key != fact.key
        and other.value == fact.value
        and other.start < fact.end
        and fact.start < other.end
        for other in facts
    )


def _is_misspelt(fact: ExtractedFact, wishes: list[ExtractedFact]) -> bool:
    """Whether Arabizi was read into the words of an instruction in another language: "confirm allergy information"."""
    return fact.language == "arabizi" and any(
        wish.language != "arabizi" and wish.start <= fact.start and fact.end <= wish.end for wish in wishes
    )


def _read_hit(
    message: FoldedMessage, hit: CompiledPattern, concepts: ConceptTable, now: datetime.datetime
) -> Iterator[ExtractedFact]:
    for match in itertools.islice(hit.expression.finditer(message.text), MAX_HITS):
        start, end = trim_hit(message.text, match.start(), match.end())
        if end - start > MAX_HIT_LENGTH:
            continue
        if passes_guards(message, hit, start, end):
            yield from read_values(message, hit, match, (start, end), message.sentence(start, end), concepts, now)


def _name_spoken(fact: ExtractedFact, language: str) -> ExtractedFact:
    """The fact with the language of its message, where its row does not say it or the message mixes two."""
    return replace(fact, language=language) if language == "mixed" or not fact.language else fact


def _name_language(text: str) -> str:
    """`mixed` when a message has words of two scripts, else the detected language."""
    if sum(1 for script in _SCRIPTS if script.search(text)) > 1:
        return "mixed"
    return detect_language(text)
