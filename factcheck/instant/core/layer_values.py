"""What a message says is so instead of a known fact, or as well, where fitted layers point at the words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.change_cases import ReadChange
from factcheck.instant.core.clauses import is_question
from factcheck.instant.core.concepts import ConceptTable, stems_of
from factcheck.instant.core.correction_results import state_fact
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.measure_reader import read_measures
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.money import read_money
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.new_values import read_said_value
from factcheck.instant.core.phrases import name_said, name_thing
from factcheck.instant.core.takeback_words import load_takeback_words
from factcheck.instant.core.value_lists import list_mentions, split_tokens
from knowledge.facts.core.types import DEFAULT_KEYS, NUMBER_TYPES, WISH_TYPES
from knowledge.text.language import detect_language

PATTERN = "layers"
"""The name of what found these corrections; the version of the weights stands behind it."""
MAX_NAME_LENGTH = 40
MAX_CURRENCY_LENGTH = 12
"""Characters behind a number in which its currency may be named."""
NAME_KEY = "name"
_SIZES = frozenset({"size", "shoe_size"})
"""Keys of sizes that may be said without their name: "I'm a UK 9", of boots."""
KINDS_OF_WISHES = frozenset(
    {NAME_KEY, "language", "length", "tone", "format", "units", "pronouns", "formality", "emoji"}
)
"""Keys of wishes that are not their own words: one of them is no other."""
_WORD = re.compile(r"[^\W_][\w'-]*")
_MEASURED = re.compile(
    r"(?<!\w)(?:(?:re-?)?measured|fitted|fitting|(?:за|об|из|пере)мер\w+|قست|قاس\w*|انقست|2est|9est"
    r"|(?:et)?2as\w*)(?!\w)|量 ?[了过]"
)
"""That somebody took a measure."""


class LayerValues:
    """What one message says is new, as far as its author means it."""

    def __init__(
        self, message: FoldedMessage, spoken: AuthorSpans, extracted: Sequence[ExtractedFact], concepts: ConceptTable,
        *, previous: str = "",
    ) -> None:  # fmt: skip
        """`previous` is what the assistant said right before."""
        self._message, self._spoken, self._extracted, self._concepts = message, spoken, extracted, concepts
        self._previous = previous
        self.language = detect_language(message.source)

    def is_imagined(self, place: Span) -> bool:
        """Whether the sentence around a place is a question, or says what would be."""
        return is_question(self._get_sentence(place)) or self._is_unreal(place)

    def _is_unreal(self, place: Span) -> bool:
        return load_takeback_words().limits["imagined"].search(self._get_sentence(place)) is not None

    def _get_sentence(self, place: Span) -> str:
        first, last = self._message.sentence(*place)
        return self._message.text[first:last]

    def read_value(self, read: ReadChange) -> ExtractedFact | None:
        """The value that the layers point at: as readers read it there, else by its bare words."""
        fact, place = read.fact, self.find_place(read)
        if read.new is None or place is None:
            return None
        if self._is_unreal(place) or (is_question(self._get_sentence(place)) and not self._is_named(fact, place)):
            return None
        there = [new for new in self._extracted if new.start < read.new[1] and read.new[0] < new.end]
        if fact.type in NUMBER_TYPES:
            return self._read_amount(read, place, [new for new in there if new.type == fact.type])
        if fact.key == NAME_KEY:
            called = next((new for new in self._extracted if new.key == NAME_KEY and new.value != fact.value), None)
            if called is not None:
                return called
            name = self._message.quote(*place).strip(" .,!?\"'«»")
            is_name = 0 < len(name) <= MAX_NAME_LENGTH and any(map(str.isalpha, name))
            return self.state(read, NAME_KEY, name, place) if is_name else None
        wishes = [new for new in there if new.type in WISH_TYPES]
        return next((new for new in wishes if new.key == fact.key or not {new.key, fact.key} <= KINDS_OF_WISHES), None)

    def _is_named(self, fact: KnownFact, place: Span) -> bool:
        """Whether a name stands in a sentence that only begins like a question: «Какая Алина, я Альфия»."""
        return fact.key == NAME_KEY and not self._get_sentence(place).rstrip().endswith(("?", "؟"))

    def find_other_measure(self, read: ReadChange) -> ExtractedFact | None:
        """The one other value that a message says, beside the old one, of a measure that is over: "no more 75B, it came
        out 80C".
        """
        fact, message = read.fact, self._message
        if fact.type != "body_params":
            return None
        said = [each.span() for each in re.finditer(rf"(?<!\w){re.escape(fact.value.casefold())}(?!\w)", message.text)]
        start, end = said[-1] if said else (0, 0)
        parts = ((0, start), (end, len(message.text)))
        others = [
            each
            for part in parts
            for each in read_measures(message, part, is_expected=True)
            if each.key == fact.key and each.value != fact.value and not self.is_imagined((each.start, each.end))
        ]
        return (
            self.state(read, fact.key, others[0].value, (others[0].start, others[0].end)) if len(others) == 1 else None
        )

    def _read_amount(self, read: ReadChange, place: Span, there: Sequence[ExtractedFact]) -> ExtractedFact | None:
        """Another number of the fact, in its own currency where the message names one."""
        fact, message = read.fact, self._message
        said = read_said_value(message, fact, place, load_takeback_words(), previous=self._previous)
        if said is None:
            return self._read_as(read, there) or self._read_measure(read, place)
        money = read_money(message.text[said.start : said.end + MAX_CURRENCY_LENGTH]) if fact.type == "budget" else None
        value = next((new.value for new in there if fact.type == "budget"), money[0] if money else said.value)
        return self.state(read, fact.key, value, (said.start, said.end))

    def _read_measure(self, read: ReadChange, place: Span) -> ExtractedFact | None:
        """Another value of the same measure where the layers point, in letters as well, in a message that speaks of
        measuring: "got measured today. 32DD". A seat is 36C as well.
        """
        fact, text = read.fact, self._message.text
        is_measured = _MEASURED.search(text) is not None and not load_lexicon().has_guard("others", text)
        if fact.type != "body_params" or not is_measured:
            return None
        measures = (
            each
            for each in read_measures(self._message, place, is_expected=True)
            if each.key == fact.key and each.value.casefold() != fact.value.casefold()
        )
        first = next(measures, None)
        return None if first is None else self.state(read, fact.key, first.value, (first.start, first.end))

    def _read_as(self, read: ReadChange, there: Sequence[ExtractedFact]) -> ExtractedFact | None:
        """What readers take for the fact's value, or for a sum of which they know no purpose."""
        own = next((new for new in there if new.key == read.fact.key), None)
        if own is None and read.fact.key in _SIZES:
            return next((new for new in there if new.key in _SIZES), None)
        if own is not None or read.fact.type != "budget":
            return own  # a size is no weight
        general = next((new for new in there if new.key == DEFAULT_KEYS[read.fact.type]), None)
        return None if general is None else replace(general, key=read.fact.key)

    def read_thing(self, read: ReadChange, place: Span, pattern: str) -> ExtractedFact | None:
        """The thing that the layers point at, by its concept, or by its words where it is but a kind of the fact's:
        tuna of fish.
        """
        fact, text = read.fact, self._message.text
        known = list_mentions(text, *place, self._concepts, fact.type, arabizi=is_arabizi(text))
        for value in known[:1]:
            kinds = load_takeback_words().kinds.get(fact.key, ())
            if value.key != fact.key:
                return self.state(read, value.key, value.value, (value.start, value.end), pattern)
            if stems_of(text[value.start : value.end]) not in kinds:
                return None
        words = [word for word, _, _ in split_tokens(text, *place) if word[0].isalnum()]
        if load_takeback_words().slip_own.fullmatch(" ".join(words)):
            return None  # "I mixed it up" is no thing
        named = name_thing(words, fact.type) or name_said(words)
        key = named.replace(" ", "_") if named else ""
        return self.state(read, key, named, place, pattern) if named and key != fact.key else None

    def find_place(self, read: ReadChange) -> Span | None:
        """Where the folded text says what is new, in the author's own words, all of each."""
        if read.new is None:
            return None
        start, end = (self._message.find_place(each) for each in read.new)
        words = [word for word in _WORD.finditer(self._message.text) if word.start() < end and start < word.end()]
        ends = [self._message.locate(word.start(), word.end())[0] for word in (*words[:1], *words[-1:])]
        is_own = bool(words) and all(self._spoken.contains(each) for each in ends)
        return (words[0].start(), words[-1].end()) if is_own else None

    def state(
        self, read: ReadChange, key: str, value: str, place: Span, pattern: str = "replacement"
    ) -> ExtractedFact:  # fmt: skip
        """What is new, as a fact that the message states at a place of its folded text, named by what found it."""
        return state_fact(
            self._message, read.fact.type, key, value, place, language=self.language,
            pattern=f"{PATTERN}/{pattern}@{read.version}",
        )  # fmt: skip
