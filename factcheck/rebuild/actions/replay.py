"""All that a player said, was told to have said, and had corrected, once more in its order, on a user of its own."""

from __future__ import annotations

import datetime as dt
import heapq
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Least

from episodes.conversations.models import PLACE_ID
from episodes.models import Message, MessageRole
from factcheck.alternatives.proofs import STATED, find_proofs
from factcheck.corrections.actions.logged import apply_recorded, list_ended_keys, list_kept_answers, list_replacements
from factcheck.instant.actions.adjacent_messages import load_adjacent_messages, read_at_place
from factcheck.instant.actions.extraction_writes import extract_message, keep_facts
from factcheck.instant.scorer import get_scorer
from knowledge.facts.actions import apply_fact, end_unsupported_facts
from knowledge.facts.models import CorrectionType, FactSource, FactTombstone, MemoryCorrection, UserFact
from knowledge.facts.sealing import get_key_ring, seal_context
from knowledge.facts.selectors.facts import FactView, view_fact
from tenancy.models import EndUser

MESSAGE_BATCH_SIZE = 200

Step = tuple[dt.datetime, int, int, Callable[[], object]]
"""When, which kind goes first at one time, a number that tells steps of a kind apart, and what is done."""


@dataclass(frozen=True, slots=True)
class ReplaySelection:
    """A part of what is known: facts of some types, and the messages that bear on them."""

    types: frozenset[str]
    message_ids: frozenset[int]
    changed_ids: frozenset[int] = frozenset()
    """Of an edit: the two alternatives, and what answers them; of forgetting, what is forgotten and what answers it.
    What no fact of them bears on stays as it was."""
    keys: frozenset[tuple[str, str]] = frozenset()
    """Type and key of what rested on forgotten words: nothing is left to read that from."""
    unproved: frozenset[tuple[str, str]] = frozenset()
    """Those of them that only a bare answer to a forgotten question proves now."""


@dataclass(frozen=True, slots=True)
class _Rereading:
    """What messages are read by once more."""

    user: EndUser
    shadow: EndUser
    recorded: Mapping[int, list[MemoryCorrection]]
    """Corrections in the log by the message that made them."""
    forgotten: Collection[FactTombstone]


@contextmanager
def replay_on_shadow(
    user: EndUser, *, words_alone: bool = False, selection: ReplaySelection | None = None
) -> Iterator[EndUser]:
    """A user who knows what the user's words, statements, corrections and deletions give today; gone afterwards.

    With `words_alone` nothing but the messages counts, as in an empty database. With a selection the shadow user knows
    facts of its types alone, and nothing else of what it knows is to be trusted.

    Must be called in a transaction, under the user's lock. Forgotten messages, and what they corrected, are left out.
    Memory is bounded by what is known and corrected, not by what was said. Raises FactKeysMissing.
    """
    savepoint = transaction.savepoint()
    try:
        shadow = EndUser.objects.create(tenant_id=user.tenant_id, external_id=f"rebuild-{uuid.uuid4()}")
        recorded = {} if words_alone else _list_recorded(user)
        forgotten = [] if words_alone else list(_list_tombstones(user))
        again = _Rereading(user, shadow, recorded, forgotten)
        steps: list[Iterable[Step]] = [_list_messages(again, selection)]
        if not words_alone:
            types = None if selection is None else selection.types
            steps += [
                _list_statements(user, shadow, types, recorded),
                _list_decisions(user, shadow, types),
                _list_deletions(user, shadow),
            ]
        for *_, act in heapq.merge(*steps, key=lambda step: step[:3]):
            act()
        yield shadow
    finally:
        transaction.savepoint_rollback(savepoint)


def read_ahead(user: EndUser, selection: ReplaySelection | None = None) -> None:
    """Embeds what a replay will read, so that no model runs in its transaction: call it before, in `reuse_vectors`."""
    if get_scorer() is not None:
        for message in _list_own_messages(user, Q(), selection).iterator(chunk_size=MESSAGE_BATCH_SIZE):
            read_at_place(message, end_user_id=user.pk)


def _list_statements(
    user: EndUser, shadow: EndUser, types: Collection[str] | None, recorded: Mapping[int, list[MemoryCorrection]]
) -> list[Step]:
    """What the engine stated, each when it was first and when it was last stated; not what rests on deselected words.
    So is what a message added to what was known: layers that read it are not asked again.

    What was stated after a deletion, of a time before it, is stated once more behind the deletion.
    """
    sources = (*STATED, FactSource.CORRECTION)
    rows = UserFact.objects.filter(tenant_id=user.tenant_id, end_user_id=user.pk, source__in=sources)
    deleted = {(each.type, bytes(each.key_index)): each.deleted_to for each in _list_tombstones(user)}
    steps: list[Step] = []
    if types is not None:
        rows = rows.filter(type__in=types)
    stated = list(rows.exclude(value_sealed=b""))
    proofs = find_proofs(stated)
    gone = _list_gone([row for row in stated if row.source == FactSource.CORRECTION], recorded)
    for row in stated:
        if row.pk in gone or not proofs.may_stand(row):
            continue
        fact = proofs.trim(view_fact(row))
        times = {row.valid_from} if row.said_in is not None else {row.valid_from, row.said_at}
        steps += [(time, 0, row.pk, partial(_state, shadow, fact, time)) for time in times]
        deleted_to = deleted.get((row.type, bytes(row.key_index)))
        if deleted_to is not None and row.valid_from <= deleted_to < row.created_at:
            steps.append((deleted_to, 4, row.pk, partial(_state, shadow, fact, deleted_to)))
    return sorted(steps, key=lambda step: step[:3])


def _list_gone(facts: Sequence[UserFact], recorded: Mapping[int, list[MemoryCorrection]]) -> set[int]:
    """Of facts that a correction stated, those that the log states, or of which a proof is forgotten, by row. One query
    where there are any.
    """
    ids = {pk for row in facts for pk in row.evidence}
    gone = set(Message.objects.gone().filter(pk__in=ids).values_list("pk", flat=True)) if ids else set()
    return {row.pk for row in facts if not (recorded.keys() | gone).isdisjoint(row.evidence)}


def _state(shadow: EndUser, fact: FactView, time: dt.datetime) -> None:
    apply_fact(tenant_id=shadow.tenant_id, end_user_id=shadow.pk, draft=fact.to_draft(valid_from=time))


def _list_recorded(user: EndUser) -> dict[int, list[MemoryCorrection]]:
    """The corrections in the log by the message that made them; not those by forgotten words, or of a forgotten claim.

    What a person decided stays decided, and so does a doubt of words that the player asked to forget. Two queries.
    """
    rows = list(_list_matched(user).exclude(trigger_message_id=None))
    ids = {pk for row in rows for pk in (row.trigger_message_id, row.corrected_message_id) if pk is not None}
    gone = dict(Message.objects.gone().filter(pk__in=ids).values_list("pk", "role")) if ids else {}
    made: defaultdict[int, list[MemoryCorrection]] = defaultdict(list)
    for row in rows:
        is_claim_gone = gone.get(row.corrected_message_id or 0) == MessageRole.ASSISTANT
        is_gone = row.trigger_message_id in gone or is_claim_gone
        if not is_gone or row.correction_type == CorrectionType.SUPPORT:
            made[row.trigger_message_id or 0].append(row)
    return made


def _list_messages(again: _Rereading, selection: ReplaySelection | None) -> Iterator[Step]:
    """The user's messages, and the forgotten ones by which a person corrected something."""
    messages = _list_own_messages(again.user, Q(pk__in=again.recorded), selection)
    in_order = messages.order_by(Least("sent_at", "created_at"), PLACE_ID)
    for message in in_order.iterator(chunk_size=MESSAGE_BATCH_SIZE):
        yield (message.said_at, 1, message.place_id, partial(_replay_message, again, message))


def _list_own_messages(user: EndUser, also: Q, selection: ReplaySelection | None = None) -> QuerySet[Message]:
    """What the user said and is not forgotten, and what else is asked for; never what is not current."""
    messages = Message.objects.filter(
        Q(forgotten_at__isnull=True, seq__gt=F("conversation__gone_to")) | also,
        is_current=True,
        tenant_id=user.tenant_id,
        conversation__end_user_id=user.pk,
        role=MessageRole.USER,
    )
    if selection is not None:
        messages = messages.filter(pk__in=selection.message_ids)
    return messages.select_related("conversation")


def _replay_message(again: _Rereading, message: Message) -> None:
    """What was corrected stays as it was decided; everything else is read by the patterns of today.

    So is a correction whose fact has gone, or says something else by now: what it is about is to be seen again.
    """
    recorded = again.recorded.get(message.pk, [])
    is_decided = bool(recorded) and apply_recorded(again.shadow, recorded, said_at=message.said_at)
    if message.is_gone:
        return
    with _keep_forgotten(again.user, again.shadow, message, again.forgotten):
        _extract_again(again, message, recorded, is_decided=is_decided)


def _extract_again(again: _Rereading, message: Message, recorded: list[MemoryCorrection], *, is_decided: bool) -> None:
    user, shadow = again.user, again.shadow
    reading = read_at_place(message, end_user_id=user.pk)
    if not reading.says_something and not recorded:
        return
    reading = replace(reading, reads_changes=False)  # what layers said is in the log, and in the facts
    around = load_adjacent_messages(message, with_claim=reading.needs_claim)
    replacements = list_replacements(user, message) if recorded else []
    if not is_decided and not replacements:
        extract_message(end_user_id=shadow.pk, message=message, reading=reading, around=around)
        if reading.may_answer and around.claim_id is None:
            for fact in list_kept_answers(user, message):
                _state(shadow, fact, message.said_at)
        return
    for fact in replacements:
        _state(shadow, fact, message.said_at)
    replaced = {(fact.type, fact.key) for fact in replacements} | list_ended_keys(recorded)
    said = [each for each in reading.facts if (each.type, each.key) not in replaced]
    keep_facts(shadow.pk, message, said, around)


def _list_decisions(user: EndUser, shadow: EndUser, types: Collection[str] | None) -> Iterable[Step]:
    """What people corrected by hand."""
    rows = _list_matched(user).filter(correction_type=CorrectionType.SUPPORT, trigger_message_id=None)
    for row in rows if types is None else rows.filter(fact__type__in=types):
        yield (row.created_at, 2, row.pk, partial(apply_recorded, shadow, [row], said_at=row.created_at))


def _list_deletions(user: EndUser, shadow: EndUser) -> Iterable[Step]:
    for row in _list_tombstones(user).filter(deleted_to__isnull=False).order_by("deleted_to", "pk"):
        yield (cast("dt.datetime", row.deleted_to), 3, row.pk, partial(_bury, user, shadow, row))


def _bury(user: EndUser, shadow: EndUser, tombstone: FactTombstone) -> None:
    """Ends what is known of the key."""
    ring = get_key_ring()
    active = UserFact.objects.filter(
        tenant_id=shadow.tenant_id, end_user_id=shadow.pk, is_active=True, type=tombstone.type
    )
    buried = [
        row.pk
        for row in active
        if _hash_key(user, row.type, view_fact(row, ring).key or "") == bytes(tombstone.key_index)
    ]
    end_unsupported_facts(tenant_id=shadow.tenant_id, end_user_id=shadow.pk, fact_ids=buried)


@contextmanager
def _keep_forgotten(
    user: EndUser, shadow: EndUser, message: Message, tombstones: Collection[FactTombstone]
) -> Iterator[None]:
    """What was forgotten between when the message was said and when it was told is over for its words, as it was then.

    An edit or a swipe is news, though its place is old. No query unless a message was told so late.
    """
    rows = [row for row in tombstones if message.said_at <= row.holds_to < message.created_at]
    if not rows or message.alternative:
        yield
        return
    reading = read_at_place(message, end_user_id=user.pk)
    forgotten = {(row.type, bytes(row.key_index)): row.holds_to for row in rows}
    kept = FactTombstone.objects.bulk_create(
        FactTombstone(
            tenant_id=shadow.tenant_id,
            end_user_id=shadow.pk,
            type=type_,
            key_index=_hash_key(shadow, type_, key),
            holds_to=holds_to,
        )
        for type_, key in sorted({(fact.type, fact.key) for fact in reading.facts})
        if (holds_to := forgotten.get((type_, _hash_key(user, type_, key)))) is not None
    )
    yield
    FactTombstone.objects.filter(pk__in=[each.pk for each in kept]).delete()


def _hash_key(user: EndUser, type_: str, key: str) -> bytes:
    context = seal_context(tenant_id=user.tenant_id, end_user_id=user.pk, type_=type_, field="index")
    return get_key_ring().blind_index(key, context=context)


def _list_tombstones(user: EndUser) -> QuerySet[FactTombstone]:
    rows = FactTombstone.objects.filter(tenant_id=user.tenant_id, end_user_id=user.pk)
    return rows.order_by("holds_to", "pk")


def _list_matched(user: EndUser) -> QuerySet[MemoryCorrection]:
    """Corrections of facts that are not erased, oldest first; not those by, or of, deselected words."""
    rows = MemoryCorrection.objects.filter(tenant_id=user.tenant_id, end_user_id=user.pk, fact__isnull=False)
    for column in ("trigger_message_id", "corrected_message_id"):
        rows = rows.exclude(Exists(Message.objects.filter(pk=OuterRef(column), is_current=False)))
    return rows.exclude(fact__value_sealed=b"").select_related("fact").order_by("created_at", "id")
