"""Facts as RAW gives them today, put in the place of those that differ; what people decided stays."""

from __future__ import annotations

from dataclasses import dataclass

import structlog
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from factcheck.alternatives.proofs import STATED
from factcheck.instant.registry import get_compiled
from factcheck.instant.scorer import reuse_vectors
from factcheck.rebuild.actions.replay import read_ahead, replay_on_shadow
from factcheck.rebuild.core import Differences, FactState, Key, compare_facts
from knowledge.facts.actions import RebuiltFact, end_unsupported_facts, put_facts, settle_dispute
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.core.types import PROTECTED_TYPES
from knowledge.facts.models import UserFact
from knowledge.facts.sealing import get_key_ring
from knowledge.facts.selectors.facts import FactView, view_fact
from tenancy.models import EndUser

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What a rebuild of one user's facts changed, or would."""

    end_user_id: int
    differences: Differences
    is_applied: bool


def rebuild_facts(*, tenant_id: int, end_user_id: int, dry_run: bool = False) -> RebuildReport:
    """What differs between what is known and what the user's words give by the patterns of today; then it is put right.

    Statements of the engine, corrections in the log and deletions stay as they were decided. New facts keep when they
    were said and what they rest on; what nothing bears out ends as `rebuilt`, but an allergy or a ban stays and is
    listed as `unheard`. A second run changes nothing. One transaction, under the user's lock.
    Raises UnknownEndUser, FactKeysMissing.
    """
    get_compiled()
    with reuse_vectors():
        if (user := EndUser.objects.filter(tenant_id=tenant_id, pk=end_user_id).first()) is not None:
            read_ahead(user)
        differences, is_applied = _rebuild_under_lock(tenant_id, end_user_id, dry_run=dry_run)
    log.info(
        "facts_rebuilt",
        end_user_id=end_user_id,
        is_applied=is_applied,
        added=len(differences.added),
        changed=len(differences.changed),
        ended=len(differences.ended),
        disputes=len(differences.disputes),
        unheard=len(differences.unheard),
        unchanged=differences.unchanged,
    )
    return RebuildReport(end_user_id, differences, is_applied)


def _rebuild_under_lock(tenant_id: int, end_user_id: int, *, dry_run: bool) -> tuple[Differences, bool]:
    """What differs, and whether it was put right."""
    with transaction.atomic():
        user = lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        known = read_known(tenant_id, end_user_id)
        with replay_on_shadow(user) as shadow:
            rebuilt = {key: rebuild(row, fact) for key, (row, fact) in read_known(tenant_id, shadow.pk).items()}
        differences = compare_facts(
            {
                key: FactState(fact.value or "", fact.is_disputed, row.source in STATED, key[0] in PROTECTED_TYPES)
                for key, (row, fact) in known.items()
            },
            {key: FactState(each.draft.value, each.is_disputed) for key, each in rebuilt.items()},
        )
        is_applied = not dry_run and not differences.is_none
        if is_applied:
            _apply(tenant_id, end_user_id, differences, known, rebuilt)
    return differences, is_applied


Known = dict[Key, tuple[UserFact, FactView]]
"""Each active fact by type and key."""


def read_known(tenant_id: int, end_user_id: int) -> Known:
    """The active facts that are not over, each with its words."""
    ring = get_key_ring()
    rows = UserFact.objects.filter(
        Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now()),
        tenant_id=tenant_id,
        end_user_id=end_user_id,
        is_active=True,
    )
    views = [(row, view_fact(row, ring)) for row in rows.order_by("pk")]
    return {(view.type, view.key or ""): (row, view) for row, view in views}


def rebuild(row: UserFact, fact: FactView) -> RebuiltFact:
    """A fact of a shadow user as it is to be put in the place of what is known."""
    draft = fact.to_draft(valid_from=fact.valid_from, said_in=row.said_in)
    return RebuiltFact(draft, row.said_at, fact.is_disputed, row.disputed_at, fact.corrected_message_id)


def _apply(
    tenant_id: int, end_user_id: int, differences: Differences, known: Known, rebuilt: dict[Key, RebuiltFact]
) -> None:
    end_unsupported_facts(
        tenant_id=tenant_id, end_user_id=end_user_id, fact_ids=[known[key][0].pk for key in differences.ended]
    )
    put_facts(
        tenant_id=tenant_id,
        end_user_id=end_user_id,
        facts=[rebuilt[key] for key in (*differences.added, *differences.changed)],
    )
    for key in differences.disputes:
        settle_dispute(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=known[key][0].pk, rebuilt=rebuilt[key])
