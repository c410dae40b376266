"""Words of proposals and candidates move to a new key with those of facts."""

from __future__ import annotations

from factcheck.extraction.models import ExtractionDelta, ExtractionRun, FactCandidate
from factcheck.extraction.sealing import ANSWER, DELTA, open_document, read_candidate, seal_document
from knowledge.facts.actions import rotate_rows
from knowledge.facts.core.cipher import KeyRing
from knowledge.facts.sealing import seal_context


def rotate_extraction_keys() -> int:
    """How many rows were encrypted anew. Raises FactKeysMissing."""
    return (
        rotate_rows(FactCandidate.objects.all(), _reseal_candidate, ("key_sealed", "value_sealed"))
        + rotate_rows(ExtractionDelta.objects.all(), _reseal_delta, ("words_sealed",))
        + rotate_rows(ExtractionRun.objects.all(), _reseal_run, ("answer_sealed",))
    )


def _reseal_candidate(candidate: FactCandidate, ring: KeyRing) -> None:
    key, value = read_candidate(candidate)
    if not key:
        return
    for field, text in (("key", key), ("value", value)):
        context = seal_context(
            tenant_id=candidate.tenant_id, end_user_id=candidate.end_user_id, type_=candidate.type, field=field
        )
        setattr(candidate, f"{field}_sealed", ring.encrypt(text, context=context))


def _reseal_delta(delta: ExtractionDelta, ring: KeyRing) -> None:
    if delta.words_sealed:
        delta.words_sealed = _seal_again(delta, bytes(delta.words_sealed), DELTA)


def _reseal_run(run: ExtractionRun, ring: KeyRing) -> None:
    if run.answer_sealed:
        run.answer_sealed = _seal_again(run, bytes(run.answer_sealed), ANSWER)


def _seal_again(row: ExtractionDelta | ExtractionRun, sealed: bytes, kind: str) -> bytes:
    document = open_document(sealed, tenant_id=row.tenant_id, end_user_id=row.end_user_id, kind=kind)
    return seal_document(document, tenant_id=row.tenant_id, end_user_id=row.end_user_id, kind=kind)[0]
