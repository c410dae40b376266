"""Candidates: statements add up until there are enough of them, or something speaks against them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from episodes.models import Message, MessageRole
from factcheck.extraction.core.given import GivenMessage
from factcheck.extraction.core.promotion import MIN_SUPPORTS, Support, list_independent
from factcheck.extraction.core.sessions import number_sessions
from factcheck.extraction.core.verdicts import EvidenceSpan
from factcheck.extraction.models import (
    LIVING_STATES,
    CandidateState,
    CandidateSupport,
    CandidateTransition,
    ExtractionRun,
    FactCandidate,
)
from factcheck.extraction.sealing import read_candidate
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.core.types import SOFT_TYPES
from knowledge.facts.models import PROTECTED_TYPES, EndReason, FactSource, UserFact
from knowledge.facts.sealing import get_key_ring, seal_context

SERVICE = "service"
"""Who changes a candidate where no person does."""
EXPIRY = dt.timedelta(days=90)
"""A candidate that nothing confirms for so long is dropped."""
CONTRADICTED = "The player said otherwise later."
BATCH_SIZE = 500
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Collected:
    """What one more statement made of a candidate; `ready` is the fact to write where there are enough."""

    candidate_id: int | None = None
    ready: FactDraft | None = None
    detail: str = ""


def collect_candidate(
    run: ExtractionRun, draft: FactDraft, evidence: Sequence[EvidenceSpan], said: Mapping[int, GivenMessage]
) -> Collected:
    """The candidate with one more statement. Call it under the player's lock.

    What the player denied, or what was forgotten, is not collected again; a new statement of an allergy or a ban is.
    """
    key_index, value_index = _index(run.tenant_id, run.end_user_id, draft)
    same = FactCandidate.objects.filter(
        tenant_id=run.tenant_id,
        end_user_id=run.end_user_id,
        type=draft.type,
        key_index=key_index,
        value_index=value_index,
    )
    denied_at = _find_denial(run, draft, key_index)
    is_denied = denied_at is not None and draft.valid_from is not None and draft.valid_from <= denied_at
    if is_denied or _is_blocked(same, draft):
        return Collected(detail="It was denied or forgotten before.")
    if _contradict(run, draft, key_index, value_index):
        return Collected(detail=CONTRADICTED)
    candidate = same.filter(state__in=LIVING_STATES).first() or _open(run, draft, key_index, value_index)
    if denied_at is not None:
        candidate.supports.filter(said_at__lte=denied_at).delete()
    for span in evidence:
        if not span.is_question:
            _add_support(candidate, run, span, said[span.message_id].said_at)
    candidate.confidence = max(candidate.confidence, draft.confidence)
    return _weigh(candidate, draft)


def _index(tenant_id: int, end_user_id: int, draft: FactDraft) -> tuple[bytes, bytes]:
    """Keyed hashes of key and value; that of the key is the one that facts have."""
    ring = get_key_ring()
    context = partial(seal_context, tenant_id=tenant_id, end_user_id=end_user_id, type_=draft.type)
    key_index = ring.blind_index(draft.key or "", context=context(field="index"))
    return key_index, ring.blind_index(draft.value.casefold(), context=context(field="value_index"))


def _is_blocked(same: QuerySet[FactCandidate], draft: FactDraft) -> bool:
    blocked = same.filter(state=CandidateState.BLOCKED)
    if draft.type in PROTECTED_TYPES:
        blocked = blocked.filter(updated_at__gte=draft.valid_from)
    return blocked.exists()


def _contradict(run: ExtractionRun, draft: FactDraft, key_index: bytes, value_index: bytes) -> bool:
    """Whether the player said otherwise after the draft's words; what they said otherwise before these is ended.

    Of two values of one key the later word holds, as it does of facts. Tastes and moods are held: they contradict none.
    """
    said_at = draft.valid_from or timezone.now()
    others = FactCandidate.objects.select_for_update(no_key=True).filter(
        tenant_id=run.tenant_id,
        end_user_id=run.end_user_id,
        type=draft.type,
        key_index=key_index,
        state=CandidateState.OPEN,
    )
    rows = list(others.exclude(value_index=value_index).order_by("pk"))
    for candidate in rows:
        if candidate.last_said_at <= said_at:
            change_state(candidate, CandidateState.CONTRADICTED, made_by=SERVICE, reason=CONTRADICTED)
    return any(candidate.last_said_at > said_at for candidate in rows)


def _find_denial(run: ExtractionRun, draft: FactDraft, key_index: bytes) -> dt.datetime | None:
    """When the player last denied the fact: what was said before counts nothing."""
    denied = UserFact.objects.filter(
        tenant_id=run.tenant_id,
        end_user_id=run.end_user_id,
        type=draft.type,
        key_index=key_index,
        ended_reason=EndReason.DENIED,
    )
    last: dt.datetime | None = denied.aggregate(last=Max("valid_to"))["last"]
    return last


def _open(run: ExtractionRun, draft: FactDraft, key_index: bytes, value_index: bytes) -> FactCandidate:
    ring, said_at = get_key_ring(), draft.valid_from or timezone.now()
    context = partial(seal_context, tenant_id=run.tenant_id, end_user_id=run.end_user_id, type_=draft.type)
    return FactCandidate.objects.create(
        tenant_id=run.tenant_id,
        end_user_id=run.end_user_id,
        type=draft.type,
        key_index=key_index,
        value_index=value_index,
        key_sealed=ring.encrypt(draft.key or "", context=context(field="key")),
        value_sealed=ring.encrypt(draft.value, context=context(field="value")),
        sealed_by=ring.primary,
        confidence=draft.confidence,
        language=draft.language,
        prompt_version=run.prompt_version,
        model=run.model,
        state=CandidateState.HELD if draft.type in SOFT_TYPES else CandidateState.OPEN,
        first_said_at=said_at,
        last_said_at=said_at,
    )


def _add_support(candidate: FactCandidate, run: ExtractionRun, span: EvidenceSpan, said_at: dt.datetime) -> None:
    CandidateSupport.objects.get_or_create(
        candidate=candidate,
        message_id=span.message_id,
        defaults={"run": run, "start": span.start, "end": span.end, "said_at": said_at, "is_independent": False},
    )
    candidate.first_said_at = min(candidate.first_said_at, said_at)
    candidate.last_said_at = max(candidate.last_said_at, said_at)


def _weigh(candidate: FactCandidate, draft: FactDraft) -> Collected:
    """The candidate with its independent statements counted, and the fact that they make."""
    supports = weigh_supports(candidate, draft.value)
    candidate.save()
    counted = [each.message_id for each in supports]
    if candidate.state == CandidateState.HELD:
        return Collected(candidate.pk, detail=f"{len(counted)} independent statements; never a fact")
    if len(counted) < MIN_SUPPORTS:
        return Collected(candidate.pk, detail=f"{len(counted)} of {MIN_SUPPORTS} independent statements")
    evidence = tuple({*draft.evidence, *candidate.supports.values_list("message_id", flat=True)})
    return Collected(candidate.pk, replace(draft, evidence=evidence))


def weigh_supports(candidate: FactCandidate, value: str) -> list[Support]:
    """The independent statements of a candidate, which are marked as such."""
    rows = list(candidate.supports.all())
    messages = Message.objects.living().in_bulk([row.message_id for row in rows])
    sessions = _number_sessions(candidate, rows)
    supports = [
        _view_support(row, messages[row.message_id], value, first=rows[0], session=sessions[row.said_at])
        for row in rows
        if row.message_id in messages
    ]
    counted = list_independent(supports)
    ids = [each.message_id for each in counted]
    candidate.supports.filter(message_id__in=ids).update(is_independent=True)
    candidate.supports.exclude(message_id__in=ids).update(is_independent=False)
    return counted


def _number_sessions(candidate: FactCandidate, rows: Sequence[CandidateSupport]) -> dict[dt.datetime, int]:
    """The session of each statement, by all that the player said from the first to the last of them."""
    if not rows:
        return {}
    said = Message.objects.filter(
        tenant_id=candidate.tenant_id,
        conversation__end_user_id=candidate.end_user_id,
        role=MessageRole.USER,
        sent_at__gte=rows[0].said_at,
        sent_at__lte=rows[-1].said_at,
    )
    return number_sessions([*said.values_list("sent_at", flat=True), *(row.said_at for row in rows)])


def _view_support(
    row: CandidateSupport, message: Message, value: str, *, first: CandidateSupport, session: int
) -> Support:
    words = {word.casefold() for word in _WORD.findall(message.content[row.start : row.end])}
    told = Message.objects.living().filter(
        conversation_id=message.conversation_id,
        role=MessageRole.ASSISTANT,
        seq__lt=message.seq,
        pk__gt=first.message_id,
        content__icontains=value,
    )
    return Support(
        message_id=row.message_id,
        conversation_id=message.conversation_id,
        seq=message.seq,
        said_at=row.said_at,
        words=frozenset(words - {word.casefold() for word in _WORD.findall(value)}),
        session=session,
        value_was_told=row.message_id != first.message_id and told.exists(),
    )


def settle_candidates(fact: UserFact, *, value: str, made_by: str = SERVICE, reason: str = "It is a fact now.") -> None:
    """What a fact that was written means for the open candidates of its key: one is proved, the others contradicted."""
    _, value_index = _index(
        fact.tenant_id, fact.end_user_id, FactDraft(type=fact.type, value=value, source=fact.source)
    )
    rows = FactCandidate.objects.select_for_update(no_key=True).filter(
        tenant_id=fact.tenant_id,
        end_user_id=fact.end_user_id,
        type=fact.type,
        key_index=fact.key_index,
        state=CandidateState.OPEN,
    )
    for candidate in rows:
        if bytes(candidate.value_index) == value_index:
            change_state(candidate, CandidateState.PROMOTED, made_by=made_by, reason=reason, fact=fact)
        else:
            change_state(candidate, CandidateState.CONTRADICTED, made_by=SERVICE, reason=CONTRADICTED)


def change_state(
    candidate: FactCandidate, state: CandidateState, *, made_by: str, reason: str, fact: UserFact | None = None
) -> None:
    """The candidate in its new state, and the log's entry."""
    CandidateTransition.objects.create(
        candidate=candidate, old_state=candidate.state, new_state=state, made_by=made_by, reason=reason[:500]
    )
    candidate.state = state
    candidate.fact = fact
    candidate.save()


def block_candidates(candidates: Iterable[FactCandidate], *, reason: str) -> int:
    """How many candidates are never to be proposed again; of each only keyed hashes are left."""
    blocked = 0
    for candidate in candidates:
        candidate.key_sealed = candidate.value_sealed = b""
        candidate.supports.all().delete()
        change_state(candidate, CandidateState.BLOCKED, made_by=SERVICE, reason=reason)
        blocked += 1
    return blocked


def expire_candidates(*, now: dt.datetime | None = None) -> int:
    """How many open candidates were dropped because nothing confirmed them for 90 days. Several at once do no harm."""
    before = (now or timezone.now()) - EXPIRY
    expired = 0
    while True:
        with transaction.atomic():
            due = FactCandidate.objects.select_for_update(no_key=True, skip_locked=True).filter(
                state__in=LIVING_STATES, last_said_at__lt=before
            )
            rows = list(due.order_by("pk")[:BATCH_SIZE])
            for candidate in rows:
                change_state(
                    candidate, CandidateState.EXPIRED, made_by=SERVICE, reason=f"Not confirmed in {EXPIRY.days} days."
                )
        expired += len(rows)
        if len(rows) < BATCH_SIZE:
            return expired


def draft_candidate(candidate: FactCandidate) -> FactDraft:
    """The fact that a candidate would be."""
    key, value = read_candidate(candidate)
    supports = list(candidate.supports.all())
    return FactDraft(
        type=candidate.type,
        key=key,
        value=value,
        source=FactSource.BATCH,
        evidence=tuple(support.message_id for support in supports),
        confidence=candidate.confidence,
        language=candidate.language,
        valid_from=candidate.last_said_at,
        said_in=supports[-1].message_id if supports else None,
    )
