"""What bears on the facts that a place of a conversation touches: their types, and the messages to be read again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from django.db.models import F, Q

from episodes.alternatives.later_words import list_later_words
from episodes.conversations.selectors.neighbours import CLAIM_WITHIN
from episodes.models import Conversation, Message, MessageRole
from factcheck.instant.actions.adjacent_messages import read_at_place
from factcheck.instant.actions.extraction import read_kept
from factcheck.instant.core.answer_numbers import list_sizes
from factcheck.instant.core.assistant_claims import read_claims
from factcheck.instant.core.corrections import may_correct
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.mentions import list_lexemes
from factcheck.instant.core.messages import fold
from factcheck.instant.registry import get_compiled
from factcheck.rebuild.actions.replay import ReplaySelection
from factcheck.rebuild.core import Key
from knowledge.facts.core.types import NUMBER_TYPES
from knowledge.facts.models import MemoryCorrection, UserFact
from knowledge.facts.selectors.facts import view_fact

MAX_LATE_MESSAGES = 500
"""Of an imported history, so many that were told late may matter to facts that come back: the newest."""


def find_selection(
    *, tenant_id: int, end_user_id: int, old: Message, new: Message, is_known: bool
) -> ReplaySelection | None:
    """The types of facts that either alternative touched, and all messages that state or correct facts of these types.

    None where no fact is touched. `new` is read again where it `is_known`, having been current before; one that was
    not is understood afterwards. A few queries by index, however much was said.
    """
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    answering = _list_answering(old) if old.role == MessageRole.ASSISTANT else []
    changed = frozenset(each.pk for each in (old, new, *answering) if each.pk)
    touched = list_touched_facts(owner_filter, changed)
    types = frozenset(fact.type for fact in touched) | _read_types(owner_filter, answering, new)
    ids = {each.pk for each in answering}
    if is_known and new.role == MessageRole.USER:
        types |= _read_own_types(end_user_id, new)
        ids.add(new.pk)
    if not types:
        return None
    ids |= set(_list_bearing(owner_filter, types))
    ids |= set(_list_unmatched(owner_filter, old)) | set(_list_late(old))
    ids |= _list_correcting(owner_filter, old, touched)
    return ReplaySelection(types, frozenset(ids), changed)


def find_forgotten_selection(
    *,
    tenant_id: int,
    end_user_id: int,
    touched: Sequence[UserFact],
    first: Message | None,
    changed_ids: frozenset[int],
    unproved: frozenset[Key],
) -> ReplaySelection:
    """The types of what forgotten words touched, and all messages that bear on such facts.

    `first` is the oldest forgotten message that touched any: what the player said since may count now. A few queries,
    however many are forgotten.
    """
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    types = frozenset(row.type for row in touched)
    ids = set(_list_bearing(owner_filter, types)) | set(changed_ids)
    if first is not None:
        ids |= set(_list_unmatched(owner_filter, first)) | set(_list_late(first))
        ids |= _list_correcting(owner_filter, first, touched)
    keys = frozenset((fact.type, fact.key or "") for fact in map(view_fact, touched))
    return ReplaySelection(types, frozenset(ids), changed_ids, keys, unproved)


def list_touched_facts(owner_filter: dict[str, int], message_ids: Collection[int]) -> list[UserFact]:
    """All versions that rest on the messages, or were corrected by them or because of them. One query."""
    ids = list(message_ids)
    made = MemoryCorrection.objects.filter(
        Q(trigger_message_id__in=ids) | Q(corrected_message_id__in=ids), fact__isnull=False, **owner_filter
    )
    rests = Q(evidence__overlap=ids) | Q(said_in__in=ids) | Q(corrected_message_id__in=ids)
    return list(UserFact.objects.filter(rests | Q(pk__in=made.values("fact_id")), **owner_filter).order_by("pk"))


def _list_correcting(owner_filter: dict[str, int], old: Message, touched: Iterable[UserFact]) -> set[int]:
    """What the player said since the message that may correct the facts, in the log or not: a "no" about what nobody
    knew then leaves no trace there."""
    kinds = {(fact.type, bytes(fact.key_index)) for fact in touched}
    if not kinds:
        return set()
    rows = UserFact.objects.filter(
        type__in={each[0] for each in kinds}, key_index__in={each[1] for each in kinds}, **owner_filter
    )
    version = get_compiled()
    lexemes: set[str] = set()
    for fact in {
        (each.type, each.key, each.value): each for each in map(_know, rows.exclude(value_sealed=b""))
    }.values():
        lexemes |= list_lexemes(fact, version.concepts)
    place = {"conversation_id": old.conversation_id, "seq": old.seq}
    said = list_later_words(**owner_filter, **place, since=old.said_at, lexemes=lexemes)
    return {pk for pk, content in said if may_correct(content, compiled=version.patterns)}


def _list_answering(claim: Message) -> list[Message]:
    """What the player said in answer to an assistant's message: replies to it, and all up to the next one."""
    rows = Message.objects.living().filter(role=MessageRole.USER)
    place = {"conversation_id": claim.conversation_id}
    after = Message.objects.filter(**place, seq__gt=claim.seq, is_current=True, role=MessageRole.ASSISTANT)
    end = after.order_by("seq").values_list("seq", flat=True).first() or claim.seq + CLAIM_WITHIN + 1
    said = Q(seq__gt=claim.seq, seq__lt=end, seq__lte=claim.seq + CLAIM_WITHIN)
    asked = Message.objects.filter(**place, seq=claim.seq).values_list("pk", flat=True)
    own = rows.filter(said, **place)
    replies = rows.filter(reply_to__in=list(asked), **place)
    branched = rows.filter(
        conversation__ancestors__ancestor_id=claim.conversation_id,
        conversation__fork_seq__gte=claim.seq,
        conversation__fork_seq__lt=end,
        seq__lte=claim.seq + CLAIM_WITHIN,
    )
    found = (row for each in (own, replies, branched) for row in each.select_related("conversation"))
    return list({row.pk: row for row in found}.values())


def _read_types(owner_filter: dict[str, int], answering: Iterable[Message], new: Message) -> frozenset[str]:
    """Types of what the answers may say, or correct, now that they answer something else."""
    types: set[str] = set()
    may_correct_it = False
    for message in answering:
        reading = read_kept(message, end_user_id=owner_filter["end_user_id"], previous=new.content)
        may_correct_it = may_correct_it or reading.may_correct
        types |= {fact.type for fact in reading.facts if fact.answers_previous}
    return frozenset(types | (_list_named_types(owner_filter, new.content) if may_correct_it else set()))


def _list_named_types(owner_filter: dict[str, int], text: str) -> set[str]:
    """Types of what is, or was, known and an assistant's message names. One query; one row a key.

    A size that the player had once is known by any size that the message names.
    """
    rows = UserFact.objects.filter(**owner_filter).exclude(value_sealed=b"")
    facts = [_know(row) for row in rows.order_by("type", "key_index", "-pk").distinct("type", "key_index")]
    sizes = {*list_sizes(fold(text)), *re.findall(r"\d+(?:[.,]\d+)?", text)}
    facts += [replace(fact, value=size) for fact in facts if fact.type in NUMBER_TYPES for size in sorted(sizes)]
    return {fact.type for fact in read_claims(text, facts, get_compiled().concepts).list_named()}


def _know(row: UserFact) -> KnownFact:
    fact = view_fact(row)
    return KnownFact(fact.id, fact.type, fact.key or "", fact.value or "", fact.is_disputed, fact.source)


def _read_own_types(end_user_id: int, message: Message) -> frozenset[str]:
    """Types of what a message says that is current again."""
    return frozenset(fact.type for fact in read_at_place(message, end_user_id=end_user_id).facts)


def _list_bearing(owner_filter: dict[str, int], types: Collection[str]) -> list[int]:
    """The messages that state or correct facts of the types."""
    facts = UserFact.objects.filter(type__in=types, **owner_filter).exclude(value_sealed=b"")
    stated = {pk for evidence in facts.values_list("evidence", flat=True) for pk in evidence}
    made = MemoryCorrection.objects.filter(fact__type__in=types, trigger_message_id__isnull=False, **owner_filter)
    return [*stated, *(pk for pk in made.values_list("trigger_message_id", flat=True) if pk is not None)]


def _list_unmatched(owner_filter: dict[str, int], since: Message) -> list[int]:
    """Messages that corrected nothing that was known then, since the message was said."""
    rows = MemoryCorrection.objects.filter(fact__isnull=True, trigger_message_id__isnull=False, **owner_filter)
    said = rows.filter(created_at__gte=since.sent_at).values_list("trigger_message_id", flat=True)
    return [pk for pk in said if pk is not None]


def _list_late(old: Message) -> list[int]:
    """What was told after the message and had been said before it: then it was outdated, and nothing noted it.

    By the index of what was told late: of talk that was told as it was said, nothing is looked at.
    """
    rows = Message.objects.living().filter(
        conversation__in=Conversation.objects.filter(tenant=old.tenant_id, end_user=old.conversation.end_user_id),
        role=MessageRole.USER,
        sent_at__lt=F("created_at"),
        created_at__gt=old.created_at,
    )
    rows = rows.filter(sent_at__lt=old.sent_at)
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:MAX_LATE_MESSAGES])
