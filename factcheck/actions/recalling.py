"""What a message was understood to say when it came first, told again from what it left behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from episodes.models import Message
from factcheck.actions.drafting import get_said_at
from factcheck.actions.reading import read_message
from factcheck.core.instant.extraction import ExtractedFact
from factcheck.core.understanding import NOTHING_UNDERSTOOD, Understood, UnderstoodCorrection, UnderstoodFact
from knowledge.facts.core.types import canonical_key
from knowledge.facts.models import CorrectionOutcome, MemoryCorrection
from knowledge.facts.selectors import FactView, list_corrections, list_facts_from, map_superseded


def recall_understood(*, message: Message, end_user_id: int) -> Understood:
    """The facts that rest on the message and the corrections that it made; nothing of what is forgotten or deleted.

    Its words are read again, to tell its own facts from those of its neighbours. Raises FactKeysMissing.
    """
    reading = read_message(
        tenant_id=message.tenant_id,
        role=message.role,
        content=message.content,
        frame=message.frame,
        said_at=get_said_at(message),
        end_user_id=end_user_id,
    )
    if message.forgotten_at is not None or not reading.says_something:
        return NOTHING_UNDERSTOOD
    versions = list_facts_from(tenant_id=message.tenant_id, end_user_id=end_user_id, message_id=message.pk)
    corrections: list[MemoryCorrection] = []
    if reading.may_correct:
        made = list_corrections(tenant_id=message.tenant_id, end_user_id=end_user_id)
        corrections = list(made.filter(trigger_message_id=message.pk).order_by("id").select_related("fact"))
    by_id = {version.id: version for version in versions}
    superseded = map_superseded(
        tenant_id=message.tenant_id, end_user_id=end_user_id, fact_ids=[version.id for version in versions]
    )
    replacements = {row.pk: _find_replacement(row, by_id) for row in corrections}
    replaced = {version.id for version in replacements.values() if version is not None}
    own = [version for version in versions if version.id not in replaced]
    return Understood(
        facts=tuple(_tell(version, message, fact.quote, superseded) for fact, version in _match(reading.facts, own)),
        corrections=tuple(_tell_correction(row, replacements[row.pk], message, superseded) for row in corrections),
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


def _tell(version: FactView, message: Message, quote: str, superseded: Mapping[int, int]) -> UnderstoodFact:
    superseded_id = superseded.get(version.id) if version.valid_from == get_said_at(message) else None
    outcome = "written" if version.valid_from == get_said_at(message) else "confirmed"
    return UnderstoodFact(
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
        quote=quote,
    )


def _tell_correction(
    row: MemoryCorrection, replacement: FactView | None, message: Message, superseded: Mapping[int, int]
) -> UnderstoodCorrection:
    return UnderstoodCorrection(
        outcome=row.outcome,
        type=row.correction_type,
        language=row.language,
        fact_id=row.fact_id,
        corrected_message_id=row.corrected_message_id,
        replacement=None if replacement is None else _tell(replacement, message, message.content.strip(), superseded),
    )
