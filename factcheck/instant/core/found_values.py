"""Values that no reader knows or believes: words of which the fitted layers say that they state something."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from factcheck.instant.core.answer_choices import ORDINALS
from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.asked_events import list_without_days
from factcheck.instant.core.concepts import make_key
from factcheck.instant.core.event_reader import make_event
from factcheck.instant.core.instruction_wishes import read_stated_wish
from factcheck.instant.core.instruction_words import load_instruction_words
from factcheck.instant.core.measure_reader import read_stated_measure
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.phrases import MAX_PHRASE_WORDS, name_said, name_thing
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.sum_reader import read_stated_sum
from factcheck.instant.core.tagged_words import TaggedWords, Word
from factcheck.instant.core.value_types import ReadValue
from factcheck.instant.core.wishes import WishedSentence
from factcheck.instant.core.words import read_words
from knowledge.facts.core.instructions import INSTRUCTION
from knowledge.facts.core.types import LIFE_EVENT, NUMBER_TYPES, THING_TYPES

FOUND_KINDS = (*THING_TYPES, LIFE_EVENT, INSTRUCTION, *NUMBER_TYPES)
"""In the order in which bounds cut them: what protects a person first."""
MIN_LOGIT = -1.0
"""Of each word of a value."""
MAX_FOUND = 12
_WIDENED = (*THING_TYPES, *NUMBER_TYPES)
"""Kinds whose values may be part of wider ones."""
_SAY_YES_OR_NO = (
    read_words("answer_yes") | read_words("answer_openers") | read_words("answer_refusals") | ORDINALS.keys()
)
_MOVED = compile_phrases("answers", "moved")
_AS_YOU_LIKE = compile_phrases("answers", "as_you_like")
_SAY_NOTHING = read_words("answer_no_things")
_CONJUNCTIONS = read_words("conjunctions")
_ARABIZI_ARTICLE = re.compile(r"^(?:[aei]?l)[ -](?=\w{3})")
_JOINTS = " -'’‑"
_LEAD = re.compile(r"^[带含有连] ?(?=[\u3400-\u9fff])")
"""Before a thing in Chinese: "with", "even". Names that begin so (带鱼) are compared without it alone."""
_POINT = re.compile(r"(?<=\d)[.,](?=\d)")
Reader = Callable[[FoldedMessage, Span, ReaderContext], ReadValue | None]


def list_found(
    message: FoldedMessage,
    tagged: TaggedWords,
    columns: Sequence[str],
    taken: Sequence[tuple[str, Span]],
    context: ReaderContext,
) -> list[tuple[str, ReadValue]]:
    """What the words state, each with its kind. Left out is what stands where a reader found a value of the kind
    (`taken`), unless the reader's is but a part of it: "seven fifty", where "seven" was read, "bull ants", where bulls.
    """
    found: list[tuple[str, ReadValue]] = []
    for kind in (each for each in FOUND_KINDS if each in columns):
        column = columns.index(kind)
        for first, last in _list_runs(message.text, tagged.words, tagged.logits[:, column]):
            known = [span for name, span in taken if name == kind and first < span[1] and span[0] < last]
            if known and (kind not in _WIDENED or _is_list(message.text, (first, last), known)):
                continue
            found += [
                (kind, value)
                for value in _read(_choose_reader(kind, tagged), kind, message, (first, last), context)
                if value.key and all(_says_more(message.text, value, each) for each in known)
            ]
    return found[:MAX_FOUND]


def _choose_reader(kind: str, tagged: TaggedWords) -> Reader:
    return _READERS.get(kind) or (_read_event(tagged) if kind == LIFE_EVENT else _read_thing(kind))


def _read(read: Reader, kind: str, message: FoldedMessage, place: Span, context: ReaderContext) -> Iterator[ReadValue]:
    """What neighbouring words state: one value, or measures one after the other ("86 63 90")."""
    start = place[0]
    while start < place[1] and (value := read(message, (start, place[1]), context)) is not None:
        yield value
        start = max(value.end, start + 1) if kind == "body_params" else place[1]


def _is_list(text: str, place: Span, known: Sequence[Span]) -> bool:
    """Whether all words of a place are values of readers, and what joins them: "hazelnuts and walnuts"."""
    said = "".join(" " if any(start <= at < end for start, end in known) else text[at] for at in range(*place))
    return all(word in _CONJUNCTIONS for word in said.split() if any(map(str.isalnum, word)))


def _says_more(text: str, value: ReadValue, known: Span) -> bool:
    """Whether a value is wider than what a reader found, and not by an article or a preposition: "el 7ummus", 带肉."""
    name = _LEAD.sub("", value.value)
    return is_wider((value.start, value.end), known) and name not in text[slice(*known)]


def is_wider(span: Span, other: Span) -> bool:
    """Whether a place holds another one and more."""
    return span[0] <= other[0] and other[1] <= span[1] and span != other


def _list_runs(text: str, words: Sequence[Word], logits: Array) -> Iterator[Span]:
    """The places of neighbouring words that are likely enough."""
    start: int | None = None
    for number, word in enumerate(words):
        is_likely = logits[number] >= MIN_LOGIT
        between = text[words[number - 1].end : word.start] if number else ""
        is_joined = not between.strip(_JOINTS) or _POINT.match(text, word.start - 1) is not None
        if start is not None and not (is_likely and is_joined):
            yield words[start].start, words[number - 1].end
            start = None
        if is_likely and start is None:
            start = number
    if start is not None:
        yield words[start].start, words[-1].end


def _read_thing(kind: str) -> Reader:
    def read(message: FoldedMessage, place: Span, context: ReaderContext) -> ReadValue | None:
        said = message.text[slice(*place)]
        concept = context.concepts.find(said, kind)
        if concept is None and said.startswith("و"):
            concept = context.concepts.find(said[1:], kind)  # "and" is written with the word behind it
        if concept is None and is_arabizi(message.text):
            lead = _ARABIZI_ARTICLE.match(said)
            concept = context.concepts.find_arabizi(said[lead.end() :] if lead else said, kind)
            place = (place[0] + (lead.end() if lead and concept else 0), place[1])
        if concept is not None:
            return ReadValue(concept.key, concept.label, *place)
        words = said.split()
        if all(word in _SAY_YES_OR_NO for word in words):
            return None
        name = (name_thing(words, kind) if len(words) <= MAX_PHRASE_WORDS else None) or name_said(words)
        if name is None or all(word in _SAY_YES_OR_NO for word in name.split()):
            return None
        return ReadValue(make_key(name), name, *place)

    return read


def _read_event(tagged: TaggedWords) -> Reader:
    def read(message: FoldedMessage, place: Span, context: ReaderContext) -> ReadValue | None:
        said = message.text[slice(*place)]
        if all(word in _SAY_YES_OR_NO for word in list_without_days(said)) or _MOVED.fullmatch(said):
            return None
        own = [number for number, word in enumerate(tagged.words) if place[0] <= word.start < place[1]]
        likely = tagged.events.name_event(own) if tagged.events else ""
        sentence = message.sentence(*place)
        return make_event(message, sentence, place, said, context.concepts, context.now, likely=likely)

    return read


def _read_wish(message: FoldedMessage, place: Span, _: ReaderContext) -> ReadValue | None:
    first, last = message.sentence(*place)
    said = message.text[slice(*place)]
    if all(word in _SAY_NOTHING or word in _SAY_YES_OR_NO for word in said.split()) or _AS_YOU_LIKE.search(said):
        return None
    sentence = WishedSentence(message, first, last, load_instruction_words())
    return read_stated_wish(sentence, place[0] - first, place[1] - first)


def _read_measure(message: FoldedMessage, place: Span, context: ReaderContext) -> ReadValue | None:
    return read_stated_measure(message, place, context.asked_measures)


def _read_sum(message: FoldedMessage, place: Span, _: ReaderContext) -> ReadValue | None:
    return read_stated_sum(message, place)


_READERS: dict[str, Reader] = {INSTRUCTION: _read_wish}
_READERS |= dict(zip(NUMBER_TYPES, (_read_measure, _read_sum), strict=True))
