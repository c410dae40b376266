"""What a player's "no, that's wrong" does to the facts that the assistant's last message claimed."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from episodes.conversations.selectors.neighbours import find_last_said_id
from episodes.conversations.selectors.texts import list_texts
from episodes.facts.selectors.losses import find_lost_facts
from episodes.models import Message
from factcheck.core.message_extraction import AdjacentMessages, CorrectionExtraction, FactExtraction, Reading
from factcheck.extraction.actions.breakers import judge_denial_breakers
from factcheck.instant.change_reader import list_changes
from factcheck.instant.core.additions import list_layer_additions
from factcheck.instant.core.change_cases import MAX_MESSAGE_LENGTH
from factcheck.instant.core.correction_results import Correction as Detected
from factcheck.instant.core.corrections import KnownFact, detect_changes, list_layer_corrections
from factcheck.instant.core.destinations import JOURNEYS, find_destinations
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.messages import fold
from factcheck.instant.core.narrative_modes import NarrativeMode
from factcheck.instant.core.takeback_words import load_takeback_words
from factcheck.instant.registry import get_compiled
from knowledge.facts.actions import (
    Correction,
    apply_fact,
    deactivate_fact,
    dispute_fact,
    record_forgotten_fact,
    record_unmatched_correction,
    restore_fact,
    supersede_fact,
)
from knowledge.facts.core.instructions import KINDS
from knowledge.facts.core.types import DEFAULT_KEYS, LIFE_EVENT, NUMBER_TYPES, WISH_TYPES
from knowledge.facts.models import CorrectionOutcome, CorrectionType, FactSource
from knowledge.facts.selectors import FactView, list_facts_said_by
from memoryproject.database import after_commit

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
Keys = set[tuple[str, str]]
"""Types and keys."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What came of a message's corrections."""

    told: tuple[CorrectionExtraction, ...] = ()
    settled: frozenset[tuple[str, str]] = frozenset()
    """Type and key of what they settled: the words of the message do not state that as well."""
    added: tuple[ExtractedFact, ...] = ()
    """What the message adds to its author's last statement: "and to kiwi too"."""


_TYPES = {
    "denied": CorrectionType.USER_DENIED,
    "replaced": CorrectionType.USER_DENIED,
    "outdated": CorrectionType.OUTDATED,
    "wrong_subject": CorrectionType.WRONG_SUBJECT,
    "ambiguous": CorrectionType.AMBIGUOUS,
    "confirmed": CorrectionType.CONFIRMED,
    "narrowed": CorrectionType.NARROWED,
    "retracted": CorrectionType.RETRACTED,
    "forgotten": CorrectionType.RETRACTED,
    "unmatched": CorrectionType.AMBIGUOUS,
}
DENYING_EFFECTS = ("ended", "replaced", "disputed")
"""What is held against batch extraction, where it wrote the fact."""
Told = list[CorrectionExtraction]


def apply_correction(
    *,
    end_user_id: int,
    message: Message,
    reading: Reading,
    around: AdjacentMessages,
    is_reapplied: bool = False,
) -> Applied:
    """What came of a message's corrections, under the user's lock.

    Facts that were said after the message (of an imported history) are not its to correct. One that matches nothing
    is logged as such, but not when it `is_reapplied`.
    Raises FactKeysMissing. Source: seed 002, fix 11.
    """
    owner_filter = {"tenant_id": message.tenant_id, "end_user_id": end_user_id}
    views = list_facts_said_by(**owner_filter, time=message.said_at)
    detected, added = _detect(message, reading, around, views)
    told, replaced = _apply_all(owner_filter, message, reading, around, views, detected, is_reapplied=is_reapplied)
    return Applied(tuple(told), frozenset(replaced), added)


def apply_layer_changes(
    *, end_user_id: int, message: Message, reading: Reading, around: AdjacentMessages, settled: Collection[int]
) -> Applied:
    """What came of a message by what fitted layers read, where rules found nothing when it was posted; see
    `apply_correction`. Facts with these ids (`settled`) are not its to change.

    The reading is at hand where the same was known when it was read ahead; else the model runs here, under the lock.
    """
    owner_filter = {"tenant_id": message.tenant_id, "end_user_id": end_user_id}
    views = list_facts_said_by(**owner_filter, time=message.said_at)
    version, mode = get_compiled(), cast("NarrativeMode", message.frame)
    known = _list_known(message.tenant_id, message.content, views)
    facts = list(known.values())
    read = list_changes(message.content, asked=around.answered, facts=facts, concepts=version.concepts)
    changes = [each for each in read if each.fact.id not in settled]
    detected = list_layer_corrections(
        message.content, changes, extracted=reading.facts, concepts=version.concepts, mode=mode,
        previous=around.answered, just_said=_list_just_said(message, views, known) if changes else (),
    )  # fmt: skip
    told, replaced = _apply_all(owner_filter, message, reading, around, views, detected, is_reapplied=True)
    added = [] if detected else list_layer_additions(message.content, changes, concepts=version.concepts, mode=mode)
    return Applied(tuple(told), frozenset(replaced), tuple(added))


def _apply_all(
    owner_filter: dict[str, int], message: Message, reading: Reading, around: AdjacentMessages,
    views: Sequence[FactView], detected: Sequence[Detected], *, is_reapplied: bool,
) -> tuple[Told, Keys]:  # fmt: skip
    """What came of each correction, and the keys that the words of the message do not state as well."""
    told: Told = []
    replaced: Keys = set()
    for found in detected:
        correction = _describe(found, message, around)
        corrected = {(fact.type, fact.key) for fact in found.facts}  # words that deny a fact do not state it
        if found.effect in DENYING_EFFECTS and any(fact.source == FactSource.BATCH for fact in found.facts):
            after_commit(judge_denial_breakers, message.tenant_id)
        if not found.facts:
            if not is_reapplied:
                record_unmatched_correction(**owner_filter, correction=correction)
            told.append(_build_outcome(CorrectionOutcome.UNMATCHED, found, correction, None))
        elif found.effect == "replaced" and found.replacement is not None:
            told += _replace(owner_filter, found, found.replacement, correction, message, around)
            replaced |= _list_same(found.replacement, reading.facts) | corrected | _list_of_name(found, reading.facts)
        elif found.outcome == "narrowed" and found.replacement is not None:
            told += _narrow(owner_filter, found, found.replacement, correction, message, around)
            replaced |= {(found.replacement.type, found.replacement.key), *corrected}
        else:
            said_in = {view.id: view.said_in for view in views}
            lost = _list_lost(owner_filter, found, said_in)
            told += [
                _correct_one(owner_filter, found, correction, fact, said_in.get(fact.id), is_lost=fact.id in lost)
                for fact in found.facts
            ]
            if found.effect == "ended":
                replaced |= corrected | _list_ended_numbers(found, reading.facts)
            if found.outcome == "forgotten":
                replaced |= _list_said_to_forget(found, reading.facts)
    return told, replaced


def _detect(
    message: Message, reading: Reading, around: AdjacentMessages, views: Sequence[FactView]
) -> tuple[list[Detected], tuple[ExtractedFact, ...]]:
    """The corrections that a message makes; where it makes none, what it adds to the statement before."""
    known = _list_known(message.tenant_id, message.content, views)

    version, mode = get_compiled(), cast("NarrativeMode", message.frame)
    changes = []
    if reading.reads_changes:  # as far as layers read it ahead: no model runs under a lock
        facts = list(known.values())
        changes = list_changes(
            message.content, asked=around.answered, facts=facts, concepts=version.concepts, kept_only=True
        )
    return detect_changes(
        message.content,
        previous_assistant_text=around.claim,
        facts=list(known.values()),
        list_just_said=lambda: _list_just_said(message, views, known),
        extracted=reading.facts,
        compiled=version.patterns,
        concepts=version.concepts,
        mode=mode,
        now=message.said_at,
        changes=changes,
    )


def read_changes_ahead(*, tenant_id: int, end_user_id: int, content: str, asked: str, time: dt.datetime) -> None:
    """Lets fitted layers read a message beside what is known of its author, before that is locked: under the lock the
    reading is at hand, where the same is known still. One query.

    `asked` is what the assistant said right before. Raises FactKeysMissing.
    """
    if len(content) > MAX_MESSAGE_LENGTH:
        return
    views = list_facts_said_by(tenant_id=tenant_id, end_user_id=end_user_id, time=time)
    facts = [KnownFact(each.id, each.type, each.key or "", each.value or "", source=each.source) for each in views]
    list_changes(content, asked=asked, facts=facts, concepts=get_compiled().concepts)


def _list_just_said(
    message: Message, views: Sequence[FactView], known: Mapping[int, KnownFact]
) -> list[KnownFact]:  # fmt: skip
    """The facts that the author's last message before this one stated."""
    if not any(view.said_in for view in views):
        return []
    before = find_last_said_id(conversation_id=message.conversation_id, seq=message.seq)
    return [known[view.id] for view in views if before is not None and view.said_in == before]


def _list_known(tenant_id: int, content: str, views: Sequence[FactView]) -> dict[int, KnownFact]:
    """What corrections look at, by id."""
    places = _find_places(tenant_id, content, views)
    return {
        view.id: KnownFact(
            view.id, view.type, cast("str", view.key), cast("str", view.value), view.is_disputed, view.source,
            places.get(view.id, ()),
        )
        for view in views
    }  # fmt: skip


def _find_places(tenant_id: int, content: str, views: Sequence[FactView]) -> dict[int, tuple[tuple[str, ...], ...]]:
    """Where the known journeys go; looked up only where a message says that something is off."""
    journeys = [view for view in views if view.type == LIFE_EVENT and cast("str", view.key).startswith(JOURNEYS)]
    if not journeys or not load_takeback_words().is_off(fold(content)):
        return {}
    stated = Counter(each for view in journeys for each in view.evidence)
    alone = [each for each, count in stated.items() if count == 1]  # of two journeys nobody knows which goes where
    said = list_texts(tenant_id=tenant_id, message_ids=alone)
    places = {each: set(find_destinations(text)) for each, text in said.items()}
    return {
        view.id: tuple(place for each in view.evidence if len(places.get(each, ())) == 1 for place in places[each])
        for view in journeys
    }


def _describe(found: Detected, message: Message, around: AdjacentMessages) -> Correction:
    """The correction as the log keeps it. A doubt that is about no claim is a denial that its author is not sure of."""
    is_unclaimed_doubt = found.outcome == "ambiguous" and bool(found.facts) and around.claim_id is None
    return Correction(
        type=CorrectionType.USER_DENIED if is_unclaimed_doubt else _TYPES[found.outcome],
        trigger_message_id=message.pk,
        corrected_message_id=around.claim_id,
        language=found.language,
        said_at=message.said_at,
        basis=found.basis,
        quote_start=found.start,
        quote_end=found.end,
    )


def _replace(
    owner_filter: dict[str, int], found: Detected, new: ExtractedFact, correction: Correction, message: Message,
    around: AdjacentMessages,
) -> Told:  # fmt: skip
    wrong = found.facts[0]
    draft = around.draft_fact(new, said_in=message.pk, said_at=message.said_at, source="correction")
    applied = supersede_fact(**owner_filter, fact_id=wrong.id, draft=draft, correction=correction)
    is_superseded = applied.superseded_id == wrong.id
    outcome = CorrectionOutcome.SUPERSEDED if is_superseded else CorrectionOutcome.DEACTIVATED
    return [
        replace(
            _build_outcome(outcome, found, correction, wrong),
            replacement=FactExtraction.from_applied(applied, new.quote),
        )
    ]


def _list_same(new: ExtractedFact, heard: Sequence[ExtractedFact]) -> Keys:
    """The keys of a value that is said instead: "make it 1200" of the budget for a bike is no further budget."""
    words = (fact for fact in heard if fact.type == new.type and fact.start < new.end and new.start < fact.end)
    return {(new.type, new.key), *((fact.type, fact.key) for fact in words)}


def _list_of_name(found: Detected, heard: Sequence[ExtractedFact]) -> Keys:
    """The keys of wishes in their own words about a name that gave way: "use that instead of Dee from here on"."""
    names = [fact.value.casefold() for fact in found.facts if fact.key == "name"]
    wishes = (fact for fact in heard if fact.type in WISH_TYPES and fact.key not in KINDS)
    return {(fact.type, fact.key) for fact in wishes if any(name in fact.value.casefold() for name in names)}


def _list_said_to_forget(found: Detected, heard: Sequence[ExtractedFact]) -> Keys:
    """The keys of what only the words that ask to forget something state: "forget that I asked for English"."""
    wishes = (fact for fact in heard if fact.type in WISH_TYPES)
    said = {(fact.type, fact.key) for fact in wishes if found.start <= fact.start and fact.end <= found.end}
    return said | _list_same_numbers(found, heard)


def _list_ended_numbers(found: Detected, heard: Sequence[ExtractedFact]) -> Keys:
    """The keys of numbers without a purpose that are those of a fact that is over: "I'd rather you forgot the 200"
    states no other budget; "scrap the trip budget. My sofa budget is 500" does.
    """
    return {key for key in _list_same_numbers(found, heard) if key[1] == DEFAULT_KEYS.get(key[0])}


def _list_same_numbers(found: Detected, heard: Sequence[ExtractedFact]) -> Keys:
    """The keys of heard numbers that are those of the facts found."""
    gone = {(fact.type, number) for fact in found.facts for number in _NUMBER.findall(fact.value)}
    numbers = (fact for fact in heard if fact.type in NUMBER_TYPES)
    return {
        (fact.type, fact.key)
        for fact in numbers
        if any((fact.type, number) in gone for number in _NUMBER.findall(fact.value))
    }


def _narrow(
    owner_filter: dict[str, int], found: Detected, new: ExtractedFact, correction: Correction, message: Message,
    around: AdjacentMessages,
) -> Told:  # fmt: skip
    """The narrower thing is known first; only then the wider one is in doubt."""
    draft = around.draft_fact(new, said_in=message.pk, said_at=message.said_at, source="correction")
    applied = apply_fact(**owner_filter, draft=draft)
    wide = found.facts[0]
    dispute_fact(**owner_filter, fact_id=wide.id, correction=correction)
    told = _build_outcome(CorrectionOutcome.DISPUTED, found, correction, wide)
    return [replace(told, replacement=FactExtraction.from_applied(applied, new.quote))]


def _list_lost(owner_filter: dict[str, int], found: Detected, said_in: dict[int, int | None]) -> set[int]:
    """Of what the player asked to forget, the facts that nothing else proves."""
    if found.effect != "forgotten":
        return set()
    words = [message_id for fact in found.facts if (message_id := said_in.get(fact.id)) is not None]
    return {row.pk for row in find_lost_facts(**owner_filter, message_ids=words)}


def _correct_one(
    owner_filter: dict[str, int], found: Detected, correction: Correction, fact: KnownFact, said_in: int | None, *,
    is_lost: bool,
) -> CorrectionExtraction:  # fmt: skip
    if found.effect == "restored":
        restore_fact(**owner_filter, fact_id=fact.id, correction=correction)
        return _build_outcome(CorrectionOutcome.RESTORED, found, correction, fact)
    if found.effect == "disputed":
        own = replace(correction, corrected_message_id=said_in) if found.outcome == "retracted" else correction
        dispute_fact(**owner_filter, fact_id=fact.id, correction=own)
        return _build_outcome(CorrectionOutcome.DISPUTED, found, own, fact)
    if found.effect == "forgotten":
        own = replace(correction, corrected_message_id=said_in)
        if not is_lost:  # other words prove it still: the player is to be asked
            dispute_fact(**owner_filter, fact_id=fact.id, correction=own)
            return replace(_build_outcome(CorrectionOutcome.DISPUTED, found, own, fact), is_forgetting=True)
        record_forgotten_fact(**owner_filter, fact_id=fact.id, correction=own)
        return replace(
            _build_outcome(CorrectionOutcome.FORGOTTEN, found, own, fact),
            fact_key="",
            fact_value="",
            is_forgetting=True,
        )
    deactivate_fact(**owner_filter, fact_id=fact.id, correction=correction)
    return _build_outcome(CorrectionOutcome.DEACTIVATED, found, correction, fact)


def _build_outcome(
    outcome: CorrectionOutcome, found: Detected, correction: Correction, fact: KnownFact | None
) -> CorrectionExtraction:
    return CorrectionExtraction(
        outcome=str(outcome),
        type=str(correction.type),
        language=found.language,
        quote=found.quote,
        fact_id=None if fact is None else fact.id,
        fact_type="" if fact is None else fact.type,
        fact_key="" if fact is None else fact.key,
        fact_value="" if fact is None else fact.value,
        corrected_message_id=correction.corrected_message_id,
    )
