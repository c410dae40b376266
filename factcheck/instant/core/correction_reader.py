"""The readings of one message that may correct what is known, one after the other: each by rules of its own."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from factcheck.instant.core.assistant_claims import AssistantClaims, read_claims
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.cancelled_events import find_cancelled
from factcheck.instant.core.change_cases import ReadChange
from factcheck.instant.core.claim_answers import read_answer
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.correction_results import Basis, Correction, Effect, Outcome, state_fact
from factcheck.instant.core.denials import Denial, find_denials
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.instruction_denials import find_instruction_denials
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.layer_changes import DENYING_CHANGES, LayerChanges
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.named_takebacks import find_named_forgotten
from factcheck.instant.core.new_values import find_changed_value, find_new_value
from factcheck.instant.core.pattern_rows import CorrectionPattern
from factcheck.instant.core.patterns import CompiledPatterns
from factcheck.instant.core.slips import find_language_slip, find_slip
from factcheck.instant.core.takeback_words import load_takeback_words
from factcheck.instant.core.takebacks import Found, find_forgotten, find_joke, find_narrowing
from factcheck.instant.core.value_lists import read_list
from knowledge.facts.core.types import NUMBER_TYPES, THING_TYPES, WISH_TYPES
from knowledge.text.language import detect_language

MAX_WORDS_BESIDE = 2
"""Words beside a denial that is all of its message: "ok", "btw", a name."""
_WORD = re.compile(r"[^\W_][\w'-]*")
_INSTEAD = re.compile(
    r"(?<!\w)(?:but(?: to)?|it's|а(?: на)?|это|بل|لكن من|而是(?: 对)?|是 对|应该 是(?: 对)?|bas|bs|bal)\s+"
)
_ASKS_WHO = re.compile(r"(?<!\w)(?:who|whose|whom|talk to|кто|кого|кому|чей|مين|منو|meen|mno|谁)(?!\w)|谁")
_ANSWERING = ("yes", "no", "ambiguous", "other_subject")


class CorrectionReader:
    """One message with all that its readings look at."""

    def __init__(
        self, message: FoldedMessage, spoken: AuthorSpans, facts: Sequence[KnownFact], just_said: Sequence[KnownFact],
        extracted: Sequence[ExtractedFact], compiled: CompiledPatterns, concepts: ConceptTable, previous: str,
        now: datetime.datetime, changes: Sequence[ReadChange],
    ) -> None:  # fmt: skip
        self.changes = changes
        self.message, self.spoken, self.concepts = message, spoken, concepts
        self.facts, self.just_said, self.extracted, self.now = facts, just_said, extracted, now
        self.words, self.lexicon = load_takeback_words(), load_lexicon()
        self.previous = previous
        self.claims: AssistantClaims = read_claims(previous, facts, concepts)
        self.hits = _list_spoken_hits(message, spoken, compiled)
        self.language = detect_language(message.source)

    def read_takeback(self) -> list[Correction]:
        """A joke is in doubt; what is to be forgotten is forgotten."""
        if not self._is_all_own():
            return []
        named = find_named_forgotten(self.message, self.spoken, self.facts, self.concepts, self.words)
        if named:
            about = [each.fact for each in named]
            is_all = bool(self.just_said) and {fact.id for fact in about} == {fact.id for fact in self.just_said}
            effect: Effect = "forgotten" if is_all else "ended"  # the words said more: they stay, and it is over
            basis: Basis = "" if is_all else "explicit"
            return [self._make("forgotten", effect, about, "forget_named", spans=named, basis=basis)]
        asks, found = find_forgotten(self.message, self.just_said, self.words)
        if asks:
            return [self._make("forgotten", "forgotten", [each.fact for each in found], "forget_last")]
        jokes = find_joke(self.message, self.just_said, self.facts, self.concepts, self.words)
        return [self._make("retracted", "disputed", [each.fact for each in jokes], "joke")] if jokes else []

    def read_narrowing(self) -> list[Correction]:
        """The narrower thing is to be known, and the wider one is in doubt; the wider is never ended alone."""
        referred = [*self.claims.list_named(), *self.just_said]
        found = find_narrowing(self.message, self.spoken, self.facts, referred, self.concepts, self.words)
        if found is None:
            return []
        narrower = self._state(found.fact, found.key, found.value, found.start, found.end)
        return [self._make("narrowed", "disputed", [found.fact], "only", replacement=narrower)]

    def read_slip(self) -> list[Correction]:
        """What was meant takes the place of a slip; where it is not plain that it was one, the fact is in doubt."""
        asked = _ASKS_WHO.search(self.previous.casefold()) is not None
        slip = find_slip(self.message, self.spoken, self.facts, self.just_said, self.concepts, self.words, asked=asked)
        slip = slip or find_language_slip(self.message, self.spoken, self.facts, self.just_said, self.words)
        if slip is None:
            return []
        instead = self._state(slip.fact, slip.key, slip.value, slip.start, slip.end)
        if not slip.is_sure:
            return [self._make("narrowed", "disputed", [slip.fact], "slip", replacement=instead)]
        return [self._make("replaced", "replaced", [slip.fact], "slip", replacement=instead, basis="explicit")]

    def read_denials(self) -> list[Correction]:
        """Explicit denials end, or put another thing in the place; lesser ones dispute."""
        things = [fact for fact in self.facts if fact.type not in WISH_TYPES]
        denials = find_denials(
            self.message, self.spoken, things, referred=self._list_referred(), concepts=self.concepts,
            lexicon=self.lexicon,
            vouched={each.fact.id for each in self.changes if each.change == "ends" and each.is_sure},
        )  # fmt: skip
        denials += find_instruction_denials(self.message, self.spoken, self.facts, self.extracted)
        denials = [each for each in denials if not self._is_upheld(each)]
        denials = [replace(each, strength="doubtful") if self._is_outweighed(each) else each for each in denials]
        explicit = [each for each in denials if each.strength == "explicit"]
        doubtful = [each for each in denials if each.strength == "doubtful"]
        found = []
        if explicit:
            instead = self._find_instead(explicit[0]) if len(explicit) == 1 else None
            outcome: Outcome = "replaced" if instead else "outdated" if self._is_outdated() else "denied"
            effect: Effect = "replaced" if instead else "ended"
            found.append(self._make(outcome, effect, [each.fact for each in explicit], "denial", spans=explicit,
                                    replacement=instead, basis="explicit"))  # fmt: skip
        if doubtful:
            found.append(self._make("ambiguous", "disputed", [each.fact for each in doubtful], "doubt", spans=doubtful))
        return found

    def read_cancelled(self) -> list[Correction]:
        """An event that will not be is over; one that the engine stated and nobody named is in doubt."""
        referred = [*self.claims.list_named(), *self.just_said]
        found = find_cancelled(
            self.message, self.spoken, self.facts, referred, self.concepts, self.lexicon, self.words, self.now
        )
        ended = [each.fact for each in found if each.is_over and (each.is_named or not each.fact.is_protected)]
        doubted = [each.fact for each in found if each.fact not in ended]
        corrections = [self._make("outdated", "ended", ended, "cancelled", basis="explicit")] if ended else []
        return [*corrections, *([self._make("outdated", "disputed", doubted, "cancelled")] if doubted else [])]

    def read_value(self) -> list[Correction]:
        """Another value of a size or budget that the assistant just named."""
        named = self.claims.list_named()
        kinds = {hit.kind for hit in self.hits}
        for fact in named:
            new = next(
                (
                    new
                    for new in self.extracted
                    if (new.type, new.key) == (fact.type, fact.key) and new.value != fact.value
                ),
                None,
            )
            if new is not None and fact.type in NUMBER_TYPES and kinds & {"no", "not_value", "denied", "ambiguous"}:
                return [
                    self._make("replaced", "replaced", [fact], self._name_hit(kinds), replacement=new, basis="explicit")
                ]
        said = {(new.type, new.key) for new in self.extracted}
        open_ = [fact for fact in named if (fact.type, fact.key) not in said]
        value = None
        if self._is_all_own():
            unnamed = [] if named else self.facts
            value = find_new_value(self.message, open_, self.words, others=unnamed)
            value = value or find_changed_value(
                self.message, open_ or unnamed, self.words, is_named=bool(named), previous=self.previous
            )
        if value is None:
            return []
        new = self._state(value.fact, value.fact.key, value.value, value.start, value.end)
        return [self._make("replaced", "replaced", [value.fact], "bare_value", replacement=new, basis="explicit")]

    def read_layers(self) -> list[Correction]:
        """What fitted layers take the message to do."""
        return self._layer_corrections

    @cached_property
    def _layer_corrections(self) -> list[Correction]:
        """Read once: what rules but doubt is weighed against it, too."""
        referred = {fact.id for fact in (*self.claims.list_named(), *self.just_said)}
        found = LayerChanges(
            self.message, self.spoken, self.changes, self.extracted, self.concepts, referred=referred,
            just_said={fact.id for fact in self.just_said}, previous=self.previous,
        )  # fmt: skip
        return list(found.list_corrections()) if self.changes else []

    def weigh(self, found: list[Correction]) -> list[Correction]:
        """What rules found; where they but doubt a fact and layers vouch for a plain denial of it, it is denied, and
        where they know what is so instead, that is known as well.
        """
        if any(each.effect != "disputed" for each in found):
            return self._add_meant(found)
        found = [each for each in found if not self._is_moved(each)]
        doubted = {fact.id for each in found for fact in each.facts}
        read = self.read_layers()
        stated = {(new.type, new.key) for new in self.extracted}
        denied = [each for each in read if each.basis == "explicit" and not stated & _list_keys(each)]
        if any(each.outcome == "retracted" for each in found):
            denied = []  # a joke is not taken back by more words
        told = [each for each in read if each.effect == "disputed" and each.replacement is not None]
        for chosen in (denied, [] if any(each.replacement for each in found) else told):
            if chosen and doubted == {fact.id for each in chosen for fact in each.facts}:
                return chosen
        return found

    def _is_moved(self, found: Correction) -> bool:
        """Whether what rules doubt are events that layers read to be on another day."""
        moved = {each.fact.id for each in self.changes if each.change == "moved" and each.is_sure}
        return found.outcome == "outdated" and moved.issuperset(fact.id for fact in found.facts)

    def _add_meant(self, found: list[Correction]) -> list[Correction]:
        """What rules found; where a plain denial is all of it, with the thing that layers read to be meant instead."""
        if len(found) > 1 or found[0].effect != "ended" or found[0].basis != "explicit":
            return found
        ids = {fact.id for fact in found[0].facts}
        if not any(each.change == "replaced" and each.fact.id in ids for each in self.changes):
            return found
        told = [each for each in self.read_layers() if each.replacement is not None]
        is_same = len(told) == 1 and {fact.id for fact in told[0].facts} == ids
        return told if is_same and told[0].effect == "replaced" else found

    def read_short(self) -> list[Correction]:
        """A yes, a no or a doubt about what was claimed."""
        answer = read_answer([hit for hit in self.hits if hit.kind in _ANSWERING], self.claims)
        if answer is None:
            return []
        found = self._make(answer.outcome, answer.effect, answer.facts, answer.hit.name, basis=answer.basis)
        return [replace(found, language=answer.hit.language)]

    def _is_upheld(self, denial: Denial) -> bool:
        """Whether the message states the denied fact as well, elsewhere than in the words that plainly deny it."""
        first, last = self.message.locate(denial.start, denial.end)
        stated = [new for new in self.extracted if (new.type, new.key) == (denial.fact.type, denial.fact.key)]
        return any(new.end <= first or last <= new.start for new in stated)

    def _is_outweighed(self, denial: Denial) -> bool:
        """Whether the message says more than a denial, and layers read that the fact stays: "no cat allergy now! My
        son, I mean".
        """
        of_type = [each for each in self.changes if each.fact.type == denial.fact.type]
        if any(each.change in DENYING_CHANGES and each.is_sure for each in of_type):
            return False  # of which fact it is, layers may mistake
        upheld = any(each.change == "stays" and each.fact.id == denial.fact.id for each in of_type)
        text = self.message.text
        return upheld and len(_WORD.findall(f"{text[: denial.start]} {text[denial.end :]}")) > MAX_WORDS_BESIDE

    def _list_referred(self) -> list[KnownFact]:
        """The facts that "it" may mean: one of its type alone was named by the assistant."""
        named = self.claims.list_named()
        return [fact for fact in named if sum(other.type == fact.type for other in named) == 1]

    def _is_outdated(self) -> bool:
        return any(hit.kind == "outdated" for hit in self.hits)

    def _is_all_own(self) -> bool:
        """Whether the author says the first and the last word of the message for themselves."""
        words = list(_WORD.finditer(self.message.text))
        return bool(words) and all(
            self.spoken.contains(self.message.locate(word.start(), word.end())[0]) for word in (words[0], words[-1])
        )

    def _find_instead(self, denial: Denial) -> ExtractedFact | None:
        """The thing of the same type that is said instead: "not to nuts but to honey"."""
        fact = denial.fact
        if fact.type in WISH_TYPES:
            return None
        for new in self.extracted:
            is_another = new.value != fact.value if fact.type in NUMBER_TYPES else new.key != fact.key
            if new.type == fact.type and is_another and (fact.type not in NUMBER_TYPES or new.key == fact.key):
                return new
        match = _INSTEAD.search(self.message.text, denial.start)
        if match is None or fact.type not in THING_TYPES:
            return None
        values = read_list(self.message.text, match.end(), self.concepts, fact.type)
        if not values or values[0].key == fact.key:
            return None
        return self._state(fact, values[0].key, values[0].value, values[0].start, values[0].end)

    def _state(self, fact: KnownFact, key: str, value: str, start: int, end: int) -> ExtractedFact:
        return state_fact(
            self.message, fact.type, key, value, (start, end), language=self.language, pattern="replacement"
        )

    def _name_hit(self, kinds: set[str]) -> str:
        return next(hit.name for hit in self.hits if hit.kind in kinds)

    def _make(
        self, outcome: Outcome, effect: Effect, facts: Sequence[KnownFact], pattern: str, *,
        spans: Sequence[Denial | Found] = (), replacement: ExtractedFact | None = None, basis: Basis = "",
    ) -> Correction:  # fmt: skip
        source = self.message.source
        first, last = 0, len(source)
        if spans:
            first, last = self.message.locate(min(each.start for each in spans), max(each.end for each in spans))
        quote = source[first:last]
        first += len(quote) - len(quote.lstrip())
        return Correction(
            outcome=outcome, effect=effect, facts=tuple(facts), language=self.language, pattern=pattern,
            quote=quote.strip(), start=first, end=first + len(quote.strip()), replacement=replacement, basis=basis,
        )  # fmt: skip


def _list_keys(correction: Correction) -> set[tuple[str, str]]:
    return {(fact.type, fact.key) for fact in correction.facts}


def _list_spoken_hits(
    message: FoldedMessage, spoken: AuthorSpans, compiled: CompiledPatterns
) -> list[CorrectionPattern]:
    """The correction patterns that occur in the author's own words."""
    hits = []
    for pattern, expression in compiled.match_corrections(message.text):
        match = expression.search(message.text)
        word = _WORD.search(message.text, match.start()) if match else None
        if match and spoken.contains(message.locate(word.start() if word else match.start(), match.end())[0]):
            hits.append(pattern)
    return hits
