"""Facts as they are once a message is read no more: what it had replaced comes back, what it alone proved ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils import timezone

from episodes.forgetting.core.replays import FactChanges
from episodes.models import Message
from factcheck.alternatives.denials import filter_heard, list_denied, list_made, log_made
from factcheck.alternatives.proofs import Proofs, find_proofs
from factcheck.alternatives.replay_selections import list_touched_facts
from factcheck.instant.core.money import is_beside
from factcheck.rebuild.actions.rebuild import Known, read_known, rebuild
from factcheck.rebuild.actions.replay import ReplaySelection, replay_on_shadow
from factcheck.rebuild.core import Key
from knowledge.facts.actions import (
    RebuiltFact,
    end_unsupported_facts,
    put_facts,
    put_proofs,
    settle_dispute,
)
from knowledge.facts.models import PROTECTED_TYPES, UserFact
from knowledge.facts.selectors.facts import FactView, view_fact
from tenancy.models import EndUser

BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be done to the facts of a scope, by key."""

    ended: tuple[Key, ...]
    put: tuple[Key, ...]
    settled: tuple[Key, ...]
    doubted: tuple[Key, ...]
    """They lose the question that the player answered, and are disputed."""
    kept: tuple[Key, ...]
    proved: tuple[Key, ...]
    """Known as they were, by other messages."""


def reevaluate_facts(user: EndUser, selection: ReplaySelection | None, *, new: Message | None) -> FactChanges:
    """The facts of the selection as words, statements and decisions that still count give them; they are put right.

    Call it in the transaction that deselected a message, under the user's lock, or that forgot some: then nothing is
    `new`, and what protects a person does not end. Raises FactKeysMissing.
    """
    owner_filter = {"tenant_id": user.tenant_id, "end_user_id": user.pk}
    if selection is None:
        return FactChanges()
    known = _of_types(read_known(user.tenant_id, user.pk), selection)
    proofs = find_proofs([row for row, _ in known.values()])
    with replay_on_shadow(user, selection=selection) as shadow:
        rebuilt = {
            key: rebuild(*each) for key, each in _of_types(read_known(user.tenant_id, shadow.pk), selection).items()
        }
        denied = list_denied(shadow)
        made = list_made(user, shadow)
        touched = _list_touched(user, selection) | _list_touched(shadow, selection) | selection.keys
    touched |= _list_budgets_beside(touched, {*known, *rebuilt})
    known = {key: each for key, each in known.items() if key in touched}
    rebuilt = {key: each for key, each in rebuilt.items() if key in touched}
    heard = filter_heard(owner_filter, known, denied, proofs, selection)
    plan = _plan(known, rebuilt, proofs, heard)
    if new is None:
        plan = _spare(plan, known, rebuilt, selection)
    before = _list_former(owner_filter, selection)
    unheard = denied.keys() - heard
    log_made(user, [each for each in made if each.key in touched and each.key not in unheard])
    ended = [known[key][0].pk for key in (*plan.ended, *plan.put) if key in known]
    end_unsupported_facts(**owner_filter, fact_ids=[known[key][0].pk for key in plan.ended])
    put_facts(**owner_filter, facts=[rebuilt[key] for key in plan.put])
    for key in plan.settled:
        settle_dispute(**owner_filter, fact_id=known[key][0].pk, rebuilt=rebuilt[key])
    if new is not None:
        for key in plan.doubted:
            settle_dispute(**owner_filter, fact_id=known[key][0].pk, rebuilt=_doubt(known[key], new))
    for key in plan.proved:
        _prove(known[key][0], rebuilt.get(key), proofs)
    now_known = _of_types(read_known(user.tenant_id, user.pk), selection)
    came = {key: now_known[key] for key in plan.put}
    restored = {key for key, (_, fact) in came.items() if (*key, (fact.value or "").casefold()) in before}
    return FactChanges(
        ended=tuple(sorted(ended)),
        restored=_list_ids(came, restored),
        added=_list_ids(came, came.keys() - restored),
        settled=_list_ids(known, (*plan.settled, *plan.doubted)),
        kept=_list_ids(known, plan.kept),
    )


def _of_types(known: Known, selection: ReplaySelection) -> Known:
    return {key: each for key, each in known.items() if key[0] in selection.types}


def _list_ids(known: Known, keys: Iterable[Key]) -> tuple[int, ...]:
    return tuple(sorted(known[key][0].pk for key in keys))


def _plan(known: Known, rebuilt: Mapping[Key, RebuiltFact], proofs: Proofs, denied: Collection[Key]) -> _Plan:
    """What ends was denied, or nothing proves it any more. What protects a person, or was stated, ends for no less."""
    both = known.keys() & rebuilt.keys()
    changed = {key for key in both if (known[key][1].value or "").casefold() != rebuilt[key].draft.value.casefold()}
    settled = {key for key in both - changed if known[key][1].is_disputed != rebuilt[key].is_disputed}
    lost = known.keys() - rebuilt.keys()
    moved = _list_moved_budgets(lost, known, rebuilt)
    doubtful = {key for key in lost - set(denied) if proofs.is_doubtful(known[key][0])}
    ended = moved | {key for key in lost - doubtful if key in denied or not proofs.may_stand(known[key][0])}
    standing = lost - ended - doubtful  # what is doubtful keeps its question: if that comes back, the doubt goes
    touched = {key for key in (both - changed) | standing if proofs.is_touched(known[key][0])}
    gained = {key for key in both - changed if not set(rebuilt[key].draft.evidence) <= set(known[key][0].evidence)}
    return _Plan(
        ended=tuple(sorted(ended)),
        put=tuple(sorted(changed | (rebuilt.keys() - known.keys()))),
        settled=tuple(sorted(settled)),
        doubted=tuple(sorted(key for key in doubtful if not known[key][1].is_disputed)),
        kept=tuple(sorted(key for key in touched if not proofs.withdrawn_ids.isdisjoint(known[key][0].evidence))),
        proved=tuple(sorted(touched | gained)),
    )


def _spare(plan: _Plan, known: Known, rebuilt: Collection[Key], selection: ReplaySelection) -> _Plan:
    """The plan after forgetting: nothing that protects a person ends, and what was known by forgotten words does."""
    ended = {key for key in plan.ended if key[0] not in PROTECTED_TYPES}
    ended |= selection.unproved.intersection(known) - set(rebuilt)
    return replace(plan, ended=tuple(sorted(ended)), doubted=())


def _list_budgets_beside(touched: Collection[Key], keys: Collection[Key]) -> set[Key]:
    """Budgets in other currencies for the same: which of them has the plain key, the order of the words decides."""
    ours = [key for type_, key in touched if type_ == BUDGET]
    return {each for each in keys if each[0] == BUDGET and any(is_beside(each[1], key) for key in ours)}


def _list_moved_budgets(lost: Collection[Key], known: Known, rebuilt: Mapping[Key, RebuiltFact]) -> set[Key]:
    """Budgets that are not lost: the same sum stands under a key beside."""
    return {
        key
        for key in lost
        if key[0] == BUDGET
        and any(
            other[0] == BUDGET
            and is_beside(key[1], other[1])
            and fact.draft.value.casefold() == (known[key][1].value or "").casefold()
            for other, fact in rebuilt.items()
        )
    }


def _doubt(known: tuple[UserFact, FactView], new: Message) -> RebuiltFact:
    """The fact as it is, disputed because of what stands where its question stood."""
    fact = rebuild(*known)
    return replace(fact, is_disputed=True, disputed_at=timezone.now(), corrected_message_id=new.pk)


def _list_touched(user: EndUser, selection: ReplaySelection) -> set[Key]:
    """Keys of all that ever rested on, or was corrected by, what the edit changed."""
    owner_filter = {"tenant_id": user.tenant_id, "end_user_id": user.pk}
    rows = [row for row in list_touched_facts(owner_filter, selection.changed_ids) if bytes(row.value_sealed)]
    return {(view.type, view.key or "") for view in map(view_fact, rows)}


def _list_former(owner_filter: dict[str, int], selection: ReplaySelection) -> set[tuple[str, str, str]]:
    """Type, key and value of all that was known once."""
    rows = UserFact.objects.filter(**owner_filter, type__in=selection.types).exclude(value_sealed=b"")
    views = [view_fact(row) for row in rows]
    return {(view.type, view.key or "", (view.value or "").casefold()) for view in views}


def _prove(row: UserFact, rebuilt: RebuiltFact | None, proofs: Proofs) -> None:
    """The fact rests on what still counts."""
    again = ((), ()) if rebuilt is None else (rebuilt.draft.evidence, rebuilt.draft.evidence_span)
    evidence = ({*row.evidence} - proofs.withdrawn_ids - proofs.get_bare_answers(row)) | {*again[0]}
    span = {*row.evidence_span, *again[1]} - proofs.withdrawn_ids
    if not evidence and not row.stated_in:
        return  # a person's word alone bears it: the old message stays as what it was about
    said = (
        rebuilt if rebuilt is not None and (proofs.is_withdrawn(row.said_in) or rebuilt.said_at > row.said_at) else None
    )
    put_proofs(
        row,
        evidence=sorted(evidence),
        evidence_span=sorted(span - evidence),
        said_at=None if said is None else said.said_at,
        said_in=row.said_in if said is None else said.draft.said_in,
    )
