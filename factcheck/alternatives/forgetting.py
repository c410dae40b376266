"""Facts once words are forgotten: as if only what is left had been said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from django.db.models import Q
from django.db.models.functions import Least

from episodes.forgetting.core.replays import FactChanges, Replay
from episodes.models import Message, MessageRole
from factcheck.alternatives.facts import reevaluate_facts
from factcheck.alternatives.replay_selections import find_forgotten_selection, list_touched_facts
from factcheck.instant.scorer import get_scorer, reuse_vectors
from factcheck.rebuild.actions.replay import ReplaySelection, read_ahead
from factcheck.rebuild.core import Key
from knowledge.facts.actions import forget_facts
from knowledge.facts.models import PROTECTED_TYPES, EndReason, MemoryCorrection, UserFact
from knowledge.facts.selectors.facts import view_fact
from tenancy.models import EndUser


class ForgettingReplay:
    """What forgotten words had replaced, denied or disputed comes back; see `FactReplay`."""

    @contextmanager
    def read_ahead(self, *, tenant_id: int, end_user_id: int, message_ids: Collection[int]) -> Iterator[None]:
        """Vectors of what the replay will read are kept while this is open; nothing where patterns hear alone."""
        if get_scorer() is None:
            yield
            return
        with reuse_vectors():
            selection = _find_selection({"tenant_id": tenant_id, "end_user_id": end_user_id}, message_ids)
            if selection is not None:
                read_ahead(EndUser.objects.get(tenant_id=tenant_id, pk=end_user_id), selection)
            yield

    def find(self, *, tenant_id: int, end_user_id: int, message_ids: Collection[int]) -> Replay | None:
        """One query where no fact rests on the messages, or was corrected by one of them."""
        selection = _find_selection({"tenant_id": tenant_id, "end_user_id": end_user_id}, message_ids)
        return None if selection is None else partial(_replay, tenant_id, end_user_id, selection)


def _replay(tenant_id: int, end_user_id: int, selection: ReplaySelection) -> FactChanges:
    """The facts put right; what only forgotten words gave a meaning loses key and value."""
    user = EndUser.objects.get(tenant_id=tenant_id, pk=end_user_id)
    changes = reevaluate_facts(user, selection, new=None)
    if selection.unproved and changes.ended:
        rows = UserFact.objects.filter(pk__in=changes.ended, ended_reason=EndReason.REBUILT)
        views = [view_fact(row) for row in rows]
        unproved = [view.id for view in views if (view.type, view.key or "") in selection.unproved]
        forget_facts(tenant_id=tenant_id, end_user_id=end_user_id, fact_ids=unproved, message_ids=())
    return changes


def _find_selection(owner_filter: dict[str, int], message_ids: Collection[int]) -> ReplaySelection | None:
    """The facts that the messages touched; read before they are forgotten, since then nothing tells their keys."""
    gone = frozenset(message_ids)
    touched = [row for row in list_touched_facts(owner_filter, gone) if bytes(row.value_sealed)]
    if not touched:
        return None
    answers = _map_answers(touched, gone)
    made = MemoryCorrection.objects.filter(
        corrected_message_id__in=gone, trigger_message_id__isnull=False, **owner_filter
    ).values_list("trigger_message_id", flat=True)
    changed = gone | {pk for pk in made if pk is not None} | frozenset(answers.values())
    return find_forgotten_selection(
        **owner_filter,
        touched=touched,
        first=_find_first_ground(owner_filter, touched, gone),
        changed_ids=changed,
        unproved=frozenset(_list_unproved(touched, gone, answers)),
    )


def _map_answers(touched: Iterable[UserFact], gone: Collection[int]) -> dict[int, int]:
    """Each forgotten question that proves a fact, with the player's first words after it. Two queries."""
    proofs = {pk for row in touched for pk in row.evidence}
    asked = Message.objects.filter(pk__in=proofs.intersection(gone), role=MessageRole.ASSISTANT)
    places = list(asked.values_list("pk", "conversation_id", "seq"))
    if not places:
        return {}
    own = Message.objects.filter(pk__in=proofs - set(gone), role=MessageRole.USER).order_by("seq")
    said = list(own.values_list("pk", "conversation_id", "seq", "reply_to_id"))
    answers = {}
    for pk, conversation_id, seq in places:
        found = [each[0] for each in said if each[3] == pk or (each[1] == conversation_id and each[2] > seq)]
        if found:
            answers[pk] = found[0]
    return answers


def _list_unproved(touched: Iterable[UserFact], gone: Collection[int], answers: dict[int, int]) -> Iterator[Key]:
    """Keys of what only a bare answer proves, once its question is forgotten; never what protects a person."""
    for row in touched:
        bare = {answers[pk] for pk in row.evidence if pk in answers}
        if row.is_active and bare and row.type not in PROTECTED_TYPES and not set(row.evidence) - set(gone) - bare:
            fact = view_fact(row)
            yield (fact.type, fact.key or "")


def _find_first_ground(
    owner_filter: dict[str, int], touched: Iterable[UserFact], gone: Collection[int]
) -> Message | None:
    """Of the forgotten messages that facts rest on or were corrected by, the one that was said first. Two queries."""
    named = {pk for row in touched for pk in (*row.evidence, row.said_in, row.corrected_message_id)}
    made = MemoryCorrection.objects.filter(
        Q(trigger_message_id__in=list(gone)) | Q(corrected_message_id__in=list(gone)), **owner_filter
    )
    named |= {pk for pair in made.values_list("trigger_message_id", "corrected_message_id") for pk in pair}
    rows = Message.objects.select_related("conversation").filter(
        pk__in=[pk for pk in named if pk is not None and pk in gone]
    )
    return rows.order_by(Least("sent_at", "created_at"), "pk").first()
