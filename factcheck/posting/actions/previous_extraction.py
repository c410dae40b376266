"""What messages were understood to say when they came first, told again from what they left behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from episodes.models import Message
from factcheck.core.message_extraction import CorrectionExtraction, FactExtraction, MessageExtraction, Reading
from factcheck.instant.actions.extraction import MAX_MESSAGES_BY_MEANING, read_kept
from factcheck.instant.core.extracted import ExtractedFact
from knowledge.facts.core.types import canonical_key
from knowledge.facts.models import CorrectionOutcome, MemoryCorrection
from knowledge.facts.selectors import FactView, list_corrections, list_facts_from, map_superseded
from knowledge.facts.selectors.facts import view_fact


def load_previous_extraction(*, messages: Sequence[Message], end_user_id: int) -> dict[int, MessageExtraction]:
    """Message to the facts that rest on it and the corrections that it made; nothing of what is forgotten or deleted.

    Their words are read again, to tell a message's own facts from those of its neighbours. Three queries at most,
    however many messages of one tenant. Raises FactKeysMissing.
    """
    by_meaning = len(messages) <= MAX_MESSAGES_BY_MEANING
    readings = {
        each.pk: (each, read_kept(each, end_user_id=end_user_id, by_meaning=by_meaning))
        for each in messages
        if each.forgotten_at is None and each.is_current
    }
    telling = {pk: pair for pk, pair in readings.items() if pair[1].says_something}
    if not telling:
        return {}
    owner_filter = {"tenant_id": messages[0].tenant_id, "end_user_id": end_user_id}
    versions = list_facts_from(**owner_filter, message_ids=list(telling))
    corrections = _list_corrections(owner_filter, [pk for pk, (_, reading) in telling.items() if reading.may_correct])
    superseded = map_superseded(**owner_filter, fact_ids=[version.id for version in versions])
    return {
        pk: _recall(
            message,
            reading,
            [version for version in versions if pk in version.evidence],
            corrections.get(pk, []),
            superseded,
        )
        for pk, (message, reading) in telling.items()
    }


def _list_corrections(owner_filter: Mapping[str, int], message_ids: Sequence[int]) -> dict[int, list[MemoryCorrection]]:
    """Message to the corrections that it made, in order."""
    made: dict[int, list[MemoryCorrection]] = {}
    if message_ids:
        rows = list_corrections(**owner_filter).filter(trigger_message_id__in=message_ids)
        for row in rows.order_by("id").select_related("fact"):
            made.setdefault(row.trigger_message_id or 0, []).append(row)
    return made


def _recall(
    message: Message,
    reading: Reading,
    versions: Sequence[FactView],
    corrections: Sequence[MemoryCorrection],
    superseded: Mapping[int, int],
) -> MessageExtraction:
    by_id = {version.id: version for version in versions}
    replacements = {row.pk: _find_replacement(row, by_id) for row in corrections}
    replaced = {version.id for version in replacements.values() if version is not None}
    own = [version for version in versions if version.id not in replaced]
    return MessageExtraction(
        facts=tuple(
            _build_fact(version, message, fact.quote, superseded) for fact, version in _match(reading.facts, own)
        ),
        corrections=tuple(_build_correction(row, replacements[row.pk], message, superseded) for row in corrections),
    )


def _match(facts: Sequence[ExtractedFact], versions: Sequence[FactView]) -> list[tuple[ExtractedFact, FactView]]:
    """Each fact of the message with the newest version that rests on it."""
    newest = {(version.type, version.key): version for version in versions}
    pairs = [(fact, newest.get((fact.type, canonical_key(fact.key)))) for fact in facts]
    return [(fact, version) for fact, version in pairs if version is not None]


def _find_replacement(row: MemoryCorrection, by_id: dict[int, FactView]) -> FactView | None:
    if row.outcome != CorrectionOutcome.SUPERSEDED or row.fact is None or row.fact.superseded_by_id is None:
        return None
    return by_id.get(row.fact.superseded_by_id)


def _build_fact(version: FactView, message: Message, quote: str, superseded: Mapping[int, int]) -> FactExtraction:
    superseded_id = superseded.get(version.id) if version.valid_from == message.said_at else None
    outcome = "written" if version.valid_from == message.said_at else "confirmed"
    return FactExtraction(
        fact_id=version.id,
        type=version.type,
        key=version.key or "",
        value=version.value or "",
        outcome=outcome if superseded_id is None else "superseded",
        superseded_id=superseded_id,
        confidence=version.confidence,
        language=version.language,
        expires_at=version.expires_at,
        evidence=version.evidence,
        evidence_span=version.evidence_span,
        quote=quote,
        is_disputed=version.is_disputed,
    )


def _build_correction(
    row: MemoryCorrection, replacement: FactView | None, message: Message, superseded: Mapping[int, int]
) -> CorrectionExtraction:
    fact = None if row.fact is None else view_fact(row.fact)
    return CorrectionExtraction(
        outcome=row.outcome,
        type=row.correction_type,
        language=row.language,
        quote=message.content[row.quote_start : row.quote_end]
        if row.quote_end is not None
        else message.content.strip(),
        fact_id=row.fact_id,
        fact_type="" if fact is None else fact.type,
        fact_key="" if fact is None else fact.key or "",
        fact_value="" if fact is None else fact.value or "",
        corrected_message_id=row.corrected_message_id,
        replacement=None
        if replacement is None
        else _build_fact(replacement, message, message.content.strip(), superseded),
    )
