"""The messages of an input as the gate reads them: each folded, and read by the patterns, once for all deltas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from factcheck.extraction.core.cut_statements import join_halves
from factcheck.extraction.core.gate.quotes import QuotedText
from factcheck.extraction.core.gate.rules import GateRules
from factcheck.extraction.core.given import Given, GivenMessage
from factcheck.extraction.core.open_questions import find_open_question
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.mentions import names_value
from factcheck.instant.core.messages import FoldedMessage, fold_message
from factcheck.instant.core.narrative_modes import Span, detect_narrative_mode
from factcheck.instant.core.questions import detect_asked


class Source:
    """One message of the input."""

    def __init__(self, message: GivenMessage, previous: GivenMessage | None, rules: GateRules) -> None:
        """`previous` is the assistant's message right before it, or the one whose question was still open."""
        self.message, self.previous, self._rules = message, previous, rules

    @cached_property
    def quoted(self) -> QuotedText:
        """The text as quotes are looked for in it."""
        return QuotedText(self.message.content)

    @cached_property
    def folded(self) -> FoldedMessage:
        """The text as patterns see it."""
        return fold_message(self.message.content)

    @cached_property
    def own(self) -> AuthorSpans:
        """What the author says for themselves."""
        return AuthorSpans(self.message.content, self.message.frame, is_topic=self._names_topic)

    def _names_topic(self, label: str) -> bool:
        """Whether the label of a line names a thing ("Peanuts: …"); a person's name ("Mum: …") says who speaks."""
        concepts = self._rules.concepts
        return concepts.names_thing(label) and concepts.find(label, "person") is None

    @cached_property
    def is_played(self) -> bool:
        """Whether it is said in character: marked so, or by its actions and dialogue."""
        mode = self.message.frame
        return mode == "in_character" or (
            mode == "unknown" and detect_narrative_mode(self.message.content) == "in_character"
        )

    @cached_property
    def heard(self) -> list[ExtractedFact]:
        """What the patterns of the version make of it, with the question before it where it is an answer.

        An answer that comes late must name its value itself.
        """
        facts = self._read()
        if self.previous is None or self.previous.seq == self.message.seq - 1:
            return facts
        text, concepts = self.message.content, self._rules.concepts
        return [fact for fact in facts if not fact.answers_previous or names_value(text, fact, concepts)]

    def _read(self) -> list[ExtractedFact]:
        return extract_facts(
            self.message.content,
            compiled=self._rules.patterns,
            concepts=self._rules.concepts,
            now=self.message.said_at,
            mode=self.message.frame,
            user_key=self._rules.user_key,
            pattern_sets_off=self._rules.pattern_sets_off,
            previous=self.previous.content if self.previous else "",
        )

    def is_own(self, span: Span) -> bool:
        """Whether the author says a raw range for themselves, from its first letter to its last."""
        text = self.message.content
        start, end = span
        while start < end and not text[start].isalnum():
            start += 1
        while end > start and not text[end - 1].isalnum():
            end -= 1
        return start < end and self.own.contains(start) and self.own.contains(end - 1)

    def is_echo(self, span: Span) -> bool:
        """Whether a raw range repeats what a context pack told."""
        return any(start < span[1] and span[0] < end for start, end in self.message.echoes)

    def list_sentences(self, span: Span) -> list[Span]:
        """The folded sentences that a raw range lies in, with the one before and the one behind it."""
        message = self.folded
        length = len(message.text)
        start = min(message.find_place(span[0]), max(0, length - 1))
        end = max(start + 1, min(message.find_place(span[1]), length))
        found: list[Span] = []
        place = start
        while place < end and (not found or place < length):
            sentence = message.sentence(place, min(place + 1, length))
            first, last = max(sentence[0], found[-1][1] if found else 0), max(sentence[1], place + 1)
            found.append((first, last))
            place = last
        before = _find_letter(message.text, found[0][0] - 1, -1) if found else -1
        after = _find_letter(message.text, found[-1][1], 1) if found else -1
        if before >= 0:
            first, last = message.sentence(before, before + 1)
            found.insert(0, (first, min(last, found[0][0])))
        if after >= 0:
            found.append((found[-1][1], message.sentence(after, after + 1)[1]))
        return found


class Sources:
    """The messages of an input by their places."""

    def __init__(self, given: Given, rules: GateRules) -> None:
        self._given, self._rules = given, rules
        self._known: dict[int, Source] = {}

    def get(self, place: int) -> Source | None:
        """The message at a place, from 1; None for a place outside of the input."""
        message = self._given.find_message(place)
        if message is None:
            return None
        if place not in self._known:
            self._known[place] = Source(message, self._find_previous(message), self._rules)
        return self._known[place]

    def find(self, message_id: int) -> Source | None:
        """The message by its id; None where it is not of the input, or only its place is left."""
        places = (place for place, each in enumerate(self._given.messages, 1) if each.id == message_id and each.role)
        place = next(places, None)
        return None if place is None else self.get(place)

    def get_joined(self, sources: Sequence[Source]) -> Source | None:
        """The two messages of a statement that was sent in two, as one; None where they are no such halves."""
        halves = sorted({each.message.id: each.message for each in sources}.values(), key=lambda each: each.seq)
        if len(halves) != 2:
            return None
        first, second = halves
        is_pair = first.conversation_id == second.conversation_id and first.seq + 1 == second.seq
        joined = join_halves(first, second) if is_pair else None
        if joined is None:
            return None
        shift = len(joined) - len(second.content.rstrip())
        echoes = (*first.echoes, *((start + shift, end + shift) for start, end in second.echoes))
        return Source(replace(second, content=joined, frame=first.frame, echoes=echoes), None, self._rules)

    def _find_previous(self, message: GivenMessage) -> GivenMessage | None:
        """What the assistant asked: in the message right before, or in one that the player put off to answer."""
        previous = _find_previous(message, self._given.messages)
        if message.role != "user" or (previous is not None and detect_asked(previous.content)):
            return previous
        talk = [each for each in self._given.messages if each.conversation_id == message.conversation_id]
        question = find_open_question(
            talk, talk.index(message), has_answered=lambda answer, asked: self._has_answered(talk[answer], talk[asked])
        )
        return previous if question is None else talk[question]

    def _has_answered(self, answer: GivenMessage, question: GivenMessage) -> bool:
        source = self.get(self.find_place(answer))
        return source is not None and source.previous == question and any(f.answers_previous for f in source.heard)

    def find_place(self, message: GivenMessage) -> int:
        """The place of a message of the input."""
        return self._given.messages.index(message) + 1


def _find_previous(message: GivenMessage, messages: Sequence[GivenMessage]) -> GivenMessage | None:
    """The assistant's message right before a player's, with none between."""
    if message.role != "user":
        return None
    for other in messages:
        if other.conversation_id == message.conversation_id and other.seq == message.seq - 1:
            return other if other.role == "assistant" and other.frame != "in_character" else None
    return None


def _find_letter(text: str, place: int, step: int) -> int:
    """The next letter or digit from a place on; -1 without one."""
    while 0 <= place < len(text):
        if text[place].isalnum():
            return place
        place += step
    return -1
