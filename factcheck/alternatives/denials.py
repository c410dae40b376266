"""Denials and doubts that a replay hears: which of them count, and the log's entries of those that are new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from episodes.models import Message, MessageRole
from factcheck.alternatives.proofs import Proofs
from factcheck.rebuild.actions.rebuild import Known, rebuild
from factcheck.rebuild.actions.replay import ReplaySelection
from factcheck.rebuild.core import Key
from knowledge.facts.actions import RebuiltFact, end_unsupported_facts, put_facts
from knowledge.facts.models import PROTECTED_TYPES, CorrectionOutcome, EndReason, MemoryCorrection, UserFact
from knowledge.facts.selectors.facts import view_fact
from tenancy.models import EndUser

_LOGGED = (
    CorrectionOutcome.DEACTIVATED,
    CorrectionOutcome.SUPERSEDED,
    CorrectionOutcome.DISPUTED,
    CorrectionOutcome.RESTORED,
)


@dataclass(frozen=True, slots=True)
class MadeCorrection:
    """What a message does to a fact now that something else was said before it."""

    row: MemoryCorrection
    """Of a shadow user, and gone with them."""
    key: Key
    value: str
    fact: RebuiltFact
    """What it is about, as the shadow user knew it."""


def list_denied(shadow: EndUser) -> dict[Key, int]:
    """Keys whose last version ended by a denial, each with the message that denied it; 0: a person did."""
    last: dict[Key, UserFact] = {}
    for row in UserFact.objects.filter(tenant_id=shadow.tenant_id, end_user_id=shadow.pk).order_by("pk"):
        view = view_fact(row)
        last[view.type, view.key or ""] = row
    denied = {row.pk: key for key, row in last.items() if row.ended_reason == EndReason.DENIED}
    if not denied:
        return {}
    made = MemoryCorrection.objects.filter(tenant_id=shadow.tenant_id, end_user_id=shadow.pk, fact__in=denied)
    by = dict(made.order_by("pk").values_list("fact_id", "trigger_message_id"))
    return {key: by.get(pk) or 0 for pk, key in denied.items()}


def filter_heard(
    owner_filter: Mapping[str, int], known: Known, denied: Mapping[Key, int], proofs: Proofs, selection: ReplaySelection
) -> set[Key]:
    """Keys whose denial counts.

    A denial that nobody took for one when it was said, and that patterns of today read as one, ends nothing that
    protects a person, where words of theirs that the edit did not touch had stated it by then.
    """
    unheard = {
        key: pk
        for key, pk in denied.items()
        if key in known and key[0] in PROTECTED_TYPES and pk and pk not in selection.changed_ids
    }
    if not unheard:
        return set(denied)
    logged = MemoryCorrection.objects.filter(
        **owner_filter, trigger_message_id__in=unheard.values(), fact__isnull=False
    )
    heard = set(logged.values_list("trigger_message_id", "fact__type", "fact__key_index"))
    heard = {(pk, type_, bytes(index)) for pk, type_, index in heard}
    ids = {*unheard.values(), *(pk for key in unheard for pk in known[key][0].evidence)}
    own = {row.pk: row.said_at for row in Message.objects.filter(pk__in=ids, role=MessageRole.USER)}
    standing = set()
    for key, pk in unheard.items():
        fact = known[key][0]
        left = set(fact.evidence) - proofs.withdrawn_ids - selection.changed_ids
        stated_before = any(own[each] < own[pk] for each in left & own.keys()) if pk in own else False
        if stated_before and (pk, fact.type, bytes(fact.key_index)) not in heard:
            standing.add(key)
    return set(denied) - standing


def list_made(user: EndUser, shadow: EndUser) -> list[MadeCorrection]:
    """What messages corrected on the shadow user and the user's own log does not say. Two queries at most."""
    made = [each for each in _list_corrections(shadow) if each.row.trigger_message_id is not None]
    if not made:
        return []
    logged = {_identify(each) for each in _list_corrections(user, {each.row.trigger_message_id for each in made})}
    return [each for each in made if _identify(each) not in logged]


def log_made(user: EndUser, made: Sequence[MadeCorrection]) -> None:
    """The user's log says it from now on, so that an edit of the message that corrects finds what it corrected.

    A fact that was denied before it was ever known is kept as one that ended. Call it before others are put right.
    """
    if not made:
        return
    owner_filter = {"tenant_id": user.tenant_id, "end_user_id": user.pk}
    facts, active = _map_versions(user, made)
    missing = [each for each in made if (*each.key, each.value) not in facts and each.key not in active]
    if missing:
        put_facts(**owner_filter, facts=list({each.key: each.fact for each in missing}.values()))
        facts, active = _map_versions(user, made)
        end_unsupported_facts(**owner_filter, fact_ids=[active[each.key] for each in missing])
    MemoryCorrection.objects.bulk_create(
        MemoryCorrection(
            **owner_filter,
            trigger_message_id=each.row.trigger_message_id,
            corrected_message_id=each.row.corrected_message_id,
            fact_id=facts[*each.key, each.value],
            correction_type=each.row.correction_type,
            outcome=each.row.outcome,
            basis=each.row.basis,
            quote_start=each.row.quote_start,
            quote_end=each.row.quote_end,
            language=each.row.language,
        )
        for each in made
        if (*each.key, each.value) in facts
    )


def _map_versions(
    user: EndUser, made: Sequence[MadeCorrection]
) -> tuple[dict[tuple[str, str, str], int], dict[Key, int]]:
    """The newest version of each fact by type, key and value, and the active one by type and key."""
    rows = UserFact.objects.filter(
        tenant_id=user.tenant_id, end_user_id=user.pk, type__in={each.key[0] for each in made}
    )
    views = [(row, view_fact(row)) for row in rows.exclude(value_sealed=b"").order_by("pk")]
    facts = {(view.type, view.key or "", (view.value or "").casefold()): row.pk for row, view in views}
    return facts, {(view.type, view.key or ""): row.pk for row, view in views if row.is_active}


def _list_corrections(user: EndUser, message_ids: set[int | None] | None = None) -> list[MadeCorrection]:
    rows = MemoryCorrection.objects.filter(
        tenant_id=user.tenant_id, end_user_id=user.pk, fact__isnull=False, outcome__in=_LOGGED
    ).exclude(fact__value_sealed=b"")
    if message_ids is not None:
        rows = rows.filter(trigger_message_id__in=message_ids)
    found = []
    for row in rows.select_related("fact").order_by("pk"):
        fact = cast("UserFact", row.fact)
        view = view_fact(fact)
        found.append(
            MadeCorrection(row, (view.type, view.key or ""), (view.value or "").casefold(), rebuild(fact, view))
        )
    return found


def _identify(made: MadeCorrection) -> tuple[object, ...]:
    row = made.row
    return (row.trigger_message_id, row.corrected_message_id, row.outcome, made.key, made.value)
