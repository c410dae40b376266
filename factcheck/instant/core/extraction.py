"""From a message to the facts that it states about its author. Precision first: in doubt there is no fact."""

from __future__ import annotations

import datetime
import functools
import itertools
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace

from factcheck.instant.core.answered_facts import list_wish_answers, read_answers, without_denied
from factcheck.instant.core.answers import MAX_ANSWER_LENGTH, is_row
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.checked_values import CONFIRMED, read_checked
from factcheck.instant.core.chosen_options import read_chosen
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.hits import MAX_HITS, passes_guards, trim_hit
from factcheck.instant.core.implied_yes import read_implied_yes
from factcheck.instant.core.judges import Scorer
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.named_values import read_named
from factcheck.instant.core.narrative_modes import NarrativeMode
from factcheck.instant.core.pattern_rows import takes_part
from factcheck.instant.core.patterns import CompiledPattern, CompiledPatterns
from factcheck.instant.core.questions import join_questions, list_questions
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.semantic import read_by_meaning
from factcheck.instant.core.values import read_values
from factcheck.instant.core.withdrawn_values import fold_without_withdrawn
from knowledge.facts.core.instructions import KINDS
from knowledge.facts.core.types import DEFAULT_KEYS, LIFE_EVENT, WISH_TYPES
from knowledge.text.language import detect_language

MAX_FACTS = 50
_JEANS = "jeans_size"
_HOLIDAY = "vacation"
"""Beside a trip it is no other event: "flying out on the 3rd, first holiday in years"."""
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
    found: dict[tuple[str, str], ExtractedFact] = {}
    for hit in hits:
        if takes_part(hit.row, user_key):
            _add_facts(found, _read_hit(message, hit, concepts, now), own)
    questions = list_questions(previous) if is_answer or scorer is not None else []
    context = ReaderContext(own, compiled.readers, concepts, now, " ".join(questions))
    again = functools.partial(
        extract_facts, compiled=compiled, concepts=concepts, now=now, user_key=user_key,
        pattern_sets_off=pattern_sets_off, scorer=scorer,
    )  # fmt: skip
    if is_answer and mode != "in_character":
        _add_answers(found, message, previous, questions, context, again)
    heard = list(found.values())
    if scorer is not None:
        context = replace(context, question=join_questions(previous, questions))
        heard = read_by_meaning(message, heard, context, scorer)
        if is_answer and mode != "in_character":
            named = functools.partial(read_named, previous, concepts=concepts, now=now, read=again)
            heard = read_implied_yes(message, heard, context, scorer, named)
    heard = without_denied(message, heard, concepts, own, explicit=True)
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


def _without_repeats(facts: list[ExtractedFact], known: Container[str]) -> list[ExtractedFact]:
    """Without bans of what is an allergy already: "I can't eat nuts, I get hives" says one thing.

    Nor bans in the words of an instruction: "no emoji"; of a free one, those that no concept knows. A sum that is for
    something is no other budget besides.
    """
    allergies = {fact.key for fact in facts if fact.type == "allergy"}
    wishes = [fact for fact in facts if fact.type in WISH_TYPES]
    facts = [fact for fact in facts if not (_is_misspelt(fact, wishes) or _is_said_by_answer(fact, wishes))]
    journeys = {fact.key.split("_")[0] for fact in facts if fact.type == LIFE_EVENT}
    repeats = (_is_same_sum, _is_same_measure, _is_answered_as_two)
    facts = [fact for fact in facts if not any(is_repeat(fact, facts) for is_repeat in repeats)]
    facts = [fact for fact in facts if not (fact.key == _HOLIDAY and fact.type == LIFE_EVENT and "trip" in journeys)]
    return [
        fact
        for fact in facts
        if fact.type != "hard_ban"
        or fact.pattern.partition("@")[0].endswith(CONFIRMED)
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


def _is_same_measure(fact: ExtractedFact, facts: list[ExtractedFact]) -> bool:
    """Whether a number is a measure of another name, and no size besides: of shoes in the same words, or what was asked
    for ("Waist and inseam?" – "32 34").
    """
    return (
        (fact.type, fact.key) == ("body_params", "size")
        and not fact.answers_previous
        and any(
            other.type == "body_params"
            and other.key != "size"
            and other.value == fact.value
            and (other.answers_previous or (other.start < fact.end and fact.start < other.end))
            for other in facts
        )
    )


def _is_answered_as_two(fact: ExtractedFact, facts: list[ExtractedFact]) -> bool:
    """Whether a size of jeans has a number of an answer to a question for its parts: "Chest and waist?" – "42 / 36"."""
    answered = {other.value for other in facts if other.answers_previous and other.type == "body_params"}
    return (fact.type, fact.key) == ("body_params", _JEANS) and not answered.isdisjoint(fact.value.split("x"))


def _is_said_by_answer(fact: ExtractedFact, wishes: list[ExtractedFact]) -> bool:
    """Whether a free wish is the words of an answer that says what is wished: "rather you didn't", of emoji."""
    return (
        fact.type in WISH_TYPES
        and fact.key not in KINDS
        and not fact.answers_previous
        and any(wish.answers_previous and wish.start < fact.end and fact.start < wish.end for wish in wishes)
    )


def _is_misspelt(fact: ExtractedFact, wishes: list[ExtractedFact]) -> bool:
    """Whether Arabizi was read into the words of an instruction in another language: "confirm allergy information"."""
    return fact.language == "arabizi" and any(
        wish.language != "arabizi" and wish.start <= fact.start and fact.end <= wish.end for wish in wishes
    )


def _add_answers(
    found: dict[tuple[str, str], ExtractedFact],
    message: FoldedMessage,
    previous: str,
    questions: Sequence[str],
    context: ReaderContext,
    read: Callable[..., Iterable[ExtractedFact]],
) -> None:
    """Adds what the message answers to the assistant's questions, where it does not state it in full by itself."""
    jeans = ("body_params", _JEANS)
    if jeans in found and any(is_row(message.text, question) for question in questions):
        del found[jeans]
    said = {fact.type for fact in found.values()}
    checked = read_checked(message, previous, context.concepts, context.now, read)
    _add_facts(found, [fact for fact in checked if not _is_in(fact, found)], context.own)
    for question in questions:
        answers = [fact for fact in read_answers(message, question, context) if fact.type not in said]
        wishes = list_wish_answers(message, question)
        _add_facts(found, [fact for fact in (*answers, *wishes) if not _is_in(fact, found)], context.own)
        said |= {fact.type for fact in answers}
    if not found:
        _add_facts(found, read_chosen(message, previous, functools.partial(read, previous=previous)), context.own)


def _is_in(fact: ExtractedFact, found: Container[tuple[str, str]]) -> bool:
    return (fact.type, fact.key) in found


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
