"""What is known of a user: now, at another time, and how it came to be."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone

from knowledge.errors import UnknownFact
from knowledge.facts.core.cipher import KeyRing
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import MemoryCorrection, UserFact
from knowledge.facts.sealing import get_key_ring, seal_context, unseal
from memoryproject.prepared import fetch_prepared

MAX_VERSIONS = 100


_SAID_BY = """
SELECT {columns} FROM knowledge_userfact
WHERE tenant_id = %s AND end_user_id = %s AND is_active AND said_at <= %s AND (expires_at IS NULL OR expires_at > %s)
ORDER BY id
"""


@dataclass(frozen=True, slots=True)
class FactView:
    """One version of a fact in plain text. Of a deleted or forgotten one, key and value are None."""

    id: int
    tenant_id: int
    end_user_id: int
    type: str
    key: str | None
    value: str | None
    confidence: float
    source: str
    language: str
    evidence: tuple[int, ...]
    valid_from: dt.datetime
    valid_to: dt.datetime | None
    superseded_by: int | None
    is_active: bool
    is_disputed: bool
    corrected_message_id: int | None
    ended_reason: str
    expires_at: dt.datetime | None
    said_in: int | None = None
    evidence_span: tuple[int, ...] = ()
    """The messages around the evidence: they explain it and prove nothing."""
    disputed_at: dt.datetime | None = None

    @property
    def is_doubtful(self) -> bool:
        """Whether it is disputed because it was never sure that the player says so, not because somebody denied it."""
        return self.is_disputed and self.disputed_at == self.valid_from

    def to_draft(self, *, valid_from: dt.datetime, said_in: int | None = None) -> FactDraft:
        """A version as it would be stated once more, as of a time."""
        return FactDraft(
            type=self.type,
            key=self.key,
            value=self.value or "",
            source=self.source,
            evidence=self.evidence,
            evidence_span=self.evidence_span,
            confidence=self.confidence,
            language=self.language,
            valid_from=valid_from,
            expires_at=self.expires_at,
            said_in=said_in,
        )


@dataclass(frozen=True, slots=True)
class FactPlace:
    """Where one version of a fact comes from; `key` is its type and the hash of its key."""

    id: int
    key: tuple[str, bytes]
    is_active: bool
    ended_reason: str
    evidence: tuple[int, ...]
    evidence_span: tuple[int, ...]
    stated_in: tuple[int, ...]
    """Worlds that stated it without a message; 0 for the whole tenant."""


def list_facts(
    *,
    tenant_id: int,
    end_user_id: int,
    as_of: dt.datetime | None = None,
    type: str | None = None,  # noqa: A002 - the field's name in every door
    disputed: bool | None = None,
    among: Collection[int] | None = None,
    after: tuple[str, int] | None = None,
    limit: int | None = None,
) -> list[FactView]:
    """What is known of the user now, or what was valid at a time; by type, oldest first. One query.

    `after`: type and id of the last fact of the page before.
    With `among` only these versions, and of now each of them, active or not. What was deleted or forgotten is in no
    answer, of whatever time. Raises FactKeysMissing.
    """
    facts = _facts(tenant_id, end_user_id).exclude(value_sealed=b"")
    if among is not None:
        facts = facts.filter(pk__in=among)
    if as_of is None:
        facts = facts if among is not None else facts.filter(is_active=True)
        facts = facts.filter(_not_expired(timezone.now()))
    else:
        facts = facts.filter(Q(valid_to__isnull=True) | Q(valid_to__gt=as_of), valid_from__lte=as_of)
        facts = facts.filter(_not_expired(as_of))
    if type is not None:
        facts = facts.filter(type=type)
    if disputed is not None:
        facts = facts.filter(is_disputed=disputed)
    if after is not None:
        facts = facts.filter(Q(type__gt=after[0]) | Q(type=after[0], id__gt=after[1]))
    ring = get_key_ring()
    return [view_fact(row, ring) for row in facts.order_by("type", "id")[:limit]]


def list_fact_places(*, tenant_id: int, end_user_id: int) -> list[FactPlace]:
    """Where each version that is not erased was said or stated, newest first. One query."""
    rows = _facts(tenant_id, end_user_id).exclude(value_sealed=b"").order_by("-id")
    arrays = ("evidence", "evidence_span", "stated_in")
    columns = rows.values_list("pk", "type", "key_index", "is_active", "ended_reason", *arrays)
    return [
        FactPlace(pk, (type_, bytes(index)), is_active, ended_reason, *map(tuple, ids))
        for pk, type_, index, is_active, ended_reason, *ids in columns
    ]


def list_facts_said_by(*, tenant_id: int, end_user_id: int, time: dt.datetime) -> list[FactView]:
    """What is known of the user and was last said by a time, oldest first: what a message of that time may correct.

    One query. Raises FactKeysMissing, but not where nothing is known.
    """
    return _view_all(fetch_prepared(UserFact, _SAID_BY, (tenant_id, end_user_id, time, time)))


def find_active_fact(*, tenant_id: int, end_user_id: int, type: str, key: str) -> FactView | None:  # noqa: A002
    """The active version of a fact, by the hash of its canonical key. One query. Raises FactKeysMissing."""
    ring = get_key_ring()
    context = seal_context(tenant_id=tenant_id, end_user_id=end_user_id, type_=type, field="index")
    rows = _facts(tenant_id, end_user_id).filter(
        is_active=True, type=type, key_index=ring.blind_index(key, context=context)
    )
    row = rows.first()
    return None if row is None else view_fact(row, ring)


def list_facts_from(*, tenant_id: int, end_user_id: int, message_ids: Iterable[int]) -> list[FactView]:
    """All versions that rest on one of the messages and are not erased, oldest first. One query.

    Raises FactKeysMissing.
    """
    facts = _facts(tenant_id, end_user_id).filter(evidence__overlap=list(message_ids)).exclude(value_sealed=b"")
    return _view_all(facts.order_by("id"))


def map_superseded(*, tenant_id: int, end_user_id: int, fact_ids: Iterable[int]) -> dict[int, int]:
    """Of the facts that took the place of another: which one's. One query."""
    rows = _facts(tenant_id, end_user_id).filter(superseded_by_id__in=list(fact_ids)).order_by("id")
    return {superseding: pk for pk, superseding in rows.values_list("pk", "superseded_by_id") if superseding}


def get_fact(*, tenant_id: int, end_user_id: int, fact_id: int) -> FactView:
    """One version of a fact, active or not. Raises UnknownFact, FactKeysMissing."""
    row = _facts(tenant_id, end_user_id).filter(pk=fact_id).first()
    if row is None:
        raise UnknownFact(f"There is no fact {fact_id}.")
    return view_fact(row)


def list_fact_history(*, tenant_id: int, end_user_id: int, fact_id: int) -> list[FactView]:
    """All versions of the fact that `fact_id` is one of, newest first. Raises UnknownFact, FactKeysMissing."""
    facts = _facts(tenant_id, end_user_id)
    identity = facts.filter(pk=fact_id).values_list("type", "key_index").first()
    if identity is None:
        raise UnknownFact(f"There is no fact {fact_id}.")
    rows = facts.filter(type=identity[0], key_index=identity[1]).order_by("-id")[:MAX_VERSIONS]
    ring = get_key_ring()
    return [view_fact(row, ring) for row in rows]


def map_facts(*, tenant_id: int, fact_ids: Iterable[int]) -> dict[int, FactView]:
    """The tenant's facts of these ids, by id; those that are not there are left out. One query, none without ids."""
    ids = set(fact_ids)
    if not ids:
        return {}
    return {view.id: view for view in _view_all(UserFact.objects.filter(tenant_id=tenant_id, pk__in=ids))}


def list_erased(*, tenant_id: int, fact_ids: Iterable[int]) -> list[int]:
    """Those of the facts that lost key and value. One query."""
    rows = UserFact.objects.filter(tenant_id=tenant_id, pk__in=list(fact_ids), value_sealed=b"")
    return list(rows.values_list("pk", flat=True))


def list_corrections(*, tenant_id: int, end_user_id: int) -> QuerySet[MemoryCorrection]:
    """What the user corrected, newest first."""
    return MemoryCorrection.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id).order_by("-id")


def view_fact(row: UserFact, ring: KeyRing | None = None) -> FactView:
    """A row in plain text. Raises FactKeysMissing."""
    is_gone = not bytes(row.value_sealed)
    ring = ring or get_key_ring()

    def read(field: str) -> str | None:
        if is_gone:
            return None
        context = seal_context(tenant_id=row.tenant_id, end_user_id=row.end_user_id, type_=row.type, field=field)
        return unseal(ring, bytes(getattr(row, f"{field}_sealed")), context=context)

    return FactView(
        id=row.pk,
        tenant_id=row.tenant_id,
        end_user_id=row.end_user_id,
        type=row.type,
        key=read("key"),
        value=read("value"),
        confidence=row.confidence,
        source=row.source,
        language=row.language,
        evidence=tuple(row.evidence),
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        superseded_by=row.superseded_by_id,
        is_active=row.is_active,
        is_disputed=row.is_disputed,
        corrected_message_id=row.corrected_message_id,
        ended_reason=row.ended_reason,
        expires_at=row.expires_at,
        said_in=row.said_in,
        evidence_span=tuple(row.evidence_span),
        disputed_at=row.disputed_at,
    )


def _view_all(facts: Iterable[UserFact]) -> list[FactView]:
    rows = list(facts)
    ring = get_key_ring() if rows else None
    return [view_fact(row, ring) for row in rows]


def _facts(tenant_id: int, end_user_id: int) -> QuerySet[UserFact]:
    return UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)


def _not_expired(time: dt.datetime) -> Q:
    return Q(expires_at__isnull=True) | Q(expires_at__gt=time)
