"""What a run gives to its proposer: the messages that wait, a few before them, and what is known."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from django.db.models import Exists, F, OuterRef, Subquery

from episodes.models import Conversation, Message, MessageChange, MessageRole
from factcheck.extraction.core.echoes import find_echoes
from factcheck.extraction.core.given import Given, GivenFact, GivenMessage
from factcheck.extraction.core.sessions import number_sessions
from factcheck.extraction.models import LIVING_STATES, CandidateSupport, RunMessage, RunState
from factcheck.extraction.selectors.earlier_talk import list_earlier, list_read, list_remarks, list_said_times
from factcheck.instant.core.narrative_modes import NarrativeMode
from knowledge.facts.models import UserFact
from knowledge.facts.sealing import get_key_ring
from knowledge.facts.selectors.facts import view_fact
from knowledge.text.language import detect_language

MAX_MESSAGES = 120
"""Of one run, of both sides; what is more waits for the next."""
MAX_CHARACTERS = 16_000
"""About 6,000 tokens of Latin script, the seed's bound."""
MAX_CHANGED = 20
"""Of one run, messages that were changed behind what is worked off; each brings those before it."""
MESSAGES_BEFORE = 4
"""Of a conversation, before the first that waits: "the second one!" is understood by them."""


@dataclass(frozen=True, slots=True)
class MessageRange:
    """Messages that wait, in the order of the input. `reaches` is the place up to which each conversation is in."""

    given: Given
    own_ids: tuple[int, ...]
    """The player's messages that wait, those of a character too, which no proposer sees."""
    reaches: Mapping[int, int]
    language: str
    change_ids: tuple[int, ...] = ()
    """What made messages current that were read before, perhaps in the same words."""

    @property
    def hash(self) -> bytes:
        """By which the same messages are known again."""
        ids = [*map(str, self.own_ids), *(f"change {pk}" for pk in self.change_ids)]
        return hashlib.sha256(",".join(ids).encode()).digest()


def load_range(
    *,
    tenant_id: int,
    end_user_id: int,
    up_to: Mapping[int, int] | None = None,
    before: dt.datetime | None = None,
    since: Mapping[int, int] | None = None,
    read_ids: Collection[int] | None = None,
) -> MessageRange:
    """The player's messages that wait, oldest conversation first, as many as one run takes; before them those that
    were edited or selected since they were worked off, as of `before`, when the range was claimed.

    `up_to` is where an earlier claim of this range ended: all up to there, however much it is by now. With `since`,
    messages after these places, worked off or not, within the same limits. What is forgotten is left out. `read_ids`
    are those that a proposer was given: of earlier talk these, else the last; with none, nobody is asked. About nine
    queries, and two more a conversation.
    """
    new: list[Message] = []
    reaches: dict[int, int] = {}
    changed: list[Message] = []
    if since is None:
        changed, reaches = _list_changed(tenant_id, end_user_id, up_to, before)
        new += changed
    for conversation, start in _list_waiting(tenant_id, end_user_id, up_to, since):
        end = conversation.last_seq if up_to is None else up_to[conversation.pk]
        waiting = conversation.messages.living().filter(seq__gt=start, seq__lte=end).order_by("seq")
        rows = list(waiting[: MAX_MESSAGES + 1])
        taken = rows if up_to is not None else _take(rows, beside=new)
        new += taken
        if len(taken) == len(rows):
            reaches[conversation.pk] = end
            continue
        if taken:
            reaches[conversation.pk] = taken[-1].seq
        break
    earlier = _list_around_changed(changed, new[len(changed) :])
    own_ids = tuple(each.pk for each in new if each.role == MessageRole.USER)
    given = _give(tenant_id, end_user_id, new, earlier, read_ids=read_ids)
    change_ids = tuple(each.change_id for each in changed)  # type: ignore[attr-defined]
    return MessageRange(given, own_ids, reaches, _find_language(given), change_ids)


def load_again(
    *, tenant_id: int, end_user_id: int, own_ids: Collection[int], read_ids: Collection[int] | None = None
) -> MessageRange:
    """Messages that a run worked off before, as far as they are not forgotten: `own_ids` are the player's, to be read
    again; `read_ids` all that it read. Without these, what stands between the player's messages and right before them.

    It reaches nowhere: what is worked off stays so.
    """
    living = Message.objects.living().filter(tenant_id=tenant_id, conversation__end_user_id=end_user_id)
    own = list(living.filter(pk__in=list(own_ids)).order_by("conversation__last_message_at", "conversation_id", "seq"))
    if read_ids is None:
        others = _list_before(own) + _list_between(own)
    else:
        others = list(living.filter(pk__in=set(read_ids).difference(own_ids)))
    given = _give(tenant_id, end_user_id, own, others, read_ids=read_ids)
    return MessageRange(given, tuple(each.pk for each in own), {}, _find_language(given))


def _give(
    tenant_id: int,
    end_user_id: int,
    new: Sequence[Message],
    before: Sequence[Message],
    *,
    read_ids: Collection[int] | None,
) -> Given:
    """The input of new messages: beside them those before, and what the player said in earlier sessions."""
    shown = {each.pk for each in (*new, *before)}
    is_shown = read_ids is None or len(read_ids) > 0
    remarks = list_remarks(tenant_id, end_user_id) if new and is_shown else ()
    if read_ids is None:
        earlier = list_earlier(tenant_id, end_user_id, new, shown, remarks=remarks)
    else:
        earlier = list_read(tenant_id, end_user_id, set(read_ids).difference(shown))
    times = list_said_times(tenant_id, end_user_id, earlier)
    messages = _give_messages(new, [*earlier, *before], times)
    ids = {each.id for each in messages}
    known = _list_known(tenant_id, end_user_id)
    return Given(messages, known, tuple(each for each in remarks if each.message_id in ids))


def _list_between(own: Sequence[Message]) -> list[Message]:
    """What others said between the player's messages, and right after them."""
    places: dict[int, list[int]] = {}
    for message in own:
        places.setdefault(message.conversation_id, []).append(message.seq)
    between: list[Message] = []
    for conversation_id, seqs in places.items():
        rows = Message.objects.living().filter(
            conversation_id=conversation_id, seq__gte=min(seqs), seq__lte=max(seqs) + 1, role=MessageRole.ASSISTANT
        )
        between += rows.exclude(seq__in=seqs).order_by("seq")
    return between


def _take(rows: Sequence[Message], *, beside: Sequence[Message]) -> list[Message]:
    """The first of the messages that fit into a run beside others; a run's first message always fits."""
    room = MAX_CHARACTERS - sum(len(each.content) for each in beside)
    taken: list[Message] = []
    for row in rows[: MAX_MESSAGES - len(beside)]:
        room -= len(row.content)
        if room < 0 and (taken or beside):
            break
        taken.append(row)
    return taken


def _list_waiting(
    tenant_id: int, end_user_id: int, up_to: Mapping[int, int] | None, since: Mapping[int, int] | None
) -> list[tuple[Conversation, int]]:
    """The conversations in which messages wait, and the place after which they do."""
    conversations = Conversation.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
    if since is not None:
        conversations = conversations.filter(pk__in=list(since))
    elif up_to is not None:
        conversations = conversations.filter(pk__in=list(up_to))
    else:
        conversations = conversations.filter(last_seq__gt=F("extracted_to"))
    places = since or {}
    return [(each, places.get(each.pk, each.extracted_to)) for each in conversations.order_by("last_message_at", "pk")]


def find_last_places(*, tenant_id: int, end_user_id: int, count: int) -> dict[int, int]:
    """Conversation to the place before the first of the player's last messages, of both sides. One query."""
    rows = Message.objects.living().filter(tenant_id=tenant_id, conversation__end_user_id=end_user_id)
    last = rows.order_by("-pk").values_list("conversation_id", "seq")[:count]
    places: dict[int, int] = {}
    for conversation_id, seq in last:
        places[conversation_id] = min(seq - 1, places.get(conversation_id, seq - 1))
    return places


def _list_before(new: Sequence[Message]) -> list[Message]:
    """The last messages before those of each conversation."""
    first: dict[int, int] = {}
    for message in new:
        first.setdefault(message.conversation_id, message.seq)
    before: list[Message] = []
    for conversation_id, seq in first.items():
        before += _list_right_before(conversation_id, seq)
    return before


def _list_right_before(conversation_id: int, seq: int) -> list[Message]:
    if seq == 1:
        return []
    rows = Message.objects.living().filter(conversation_id=conversation_id, seq__lt=seq, seq__gte=seq - MESSAGES_BEFORE)
    return list(rows.order_by("seq"))


def _list_around_changed(changed: Sequence[Message], waiting: Sequence[Message]) -> list[Message]:
    """What stands before changed messages, and before those that wait; none twice."""
    around = {row.pk: row for row in _list_before(waiting)}
    for message in changed:
        around |= {row.pk: row for row in _list_right_before(message.conversation_id, message.seq)}
    new = {message.pk for message in (*changed, *waiting)}
    return [row for pk, row in around.items() if pk not in new]


def count_changed(conversation: Conversation) -> int:
    """How many of the player's messages behind the watermark wait again, for they were changed since. One query."""
    owner_filter = {"tenant_id": conversation.tenant_id, "end_user_id": conversation.end_user_id}
    return len(_list_changed(**owner_filter, up_to={conversation.pk: conversation.extracted_to}, before=None)[0])


def _list_changed(
    tenant_id: int, end_user_id: int, up_to: Mapping[int, int] | None, before: dt.datetime | None
) -> tuple[list[Message], dict[int, int]]:
    """The player's messages that became current at a place after it was worked off, oldest first, and their
    conversations with the places that these have come to. One query.
    """
    changes = MessageChange.objects.filter(tenant_id=tenant_id, conversation__end_user_id=end_user_id)
    if before is not None:
        changes = changes.filter(created_at__lte=before)
    if up_to is not None:
        changes = changes.filter(conversation__in=list(up_to))
    newest = changes.filter(selected=OuterRef("pk")).order_by("-pk")
    read = RunMessage.objects.filter(
        message_id=OuterRef("pk"), run__state=RunState.APPLIED, run__created_at__gte=OuterRef("changed_at")
    )
    rows = Message.objects.living().filter(
        pk__in=changes.values("selected"), role=MessageRole.USER, seq__lte=F("conversation__extracted_to")
    )
    waiting = (
        rows.annotate(changed_at=Subquery(newest.values("created_at")[:1]), change_id=Subquery(newest.values("pk")[:1]))
        .filter(~Exists(read))
        .select_related("conversation")
    )
    found: list[Message] = [*waiting.order_by("pk")[:MAX_CHANGED]]
    return found, {each.conversation_id: each.conversation.extracted_to for each in found}


def _give_messages(
    new: Sequence[Message], before: Sequence[Message], times: Sequence[dt.datetime]
) -> tuple[GivenMessage, ...]:
    """What is said by player and assistant out of character, conversation by conversation, in order: what is new last.

    `times` are those of what the player said beside these, by which sessions are counted.
    """
    order = list(dict.fromkeys(message.conversation_id for message in new))
    earlier = sorted(before, key=lambda each: each.said_at)
    order = [*dict.fromkeys(each.conversation_id for each in earlier if each.conversation_id not in order), *order]
    fresh_ids = {message.pk for message in new}
    rows = [row for row in (*before, *new) if row.role != MessageRole.SYSTEM and row.frame != "in_character"]
    rows.sort(key=lambda row: (order.index(row.conversation_id), row.seq))
    supporting = _list_supporting([row.pk for row in rows if row.pk not in fresh_ids])
    sessions = number_sessions([*(row.said_at for row in rows), *times])
    return tuple(
        GivenMessage(
            id=row.pk,
            conversation_id=row.conversation_id,
            seq=row.seq,
            role=row.role,
            content=row.content,
            frame=cast("NarrativeMode", row.frame),
            language=row.language,
            said_at=row.said_at,
            session=sessions[row.said_at],
            is_new=row.pk in fresh_ids,
            is_supporting=row.pk in supporting,
            echoes=_find_echoes(row, rows),
        )
        for row in rows
    )


def _list_supporting(message_ids: Sequence[int]) -> set[int]:
    """Of messages that were worked off, those that a candidate rests on: they may prove it again, beside a new one."""
    if not message_ids:
        return set()
    supports = CandidateSupport.objects.filter(message_id__in=message_ids, candidate__state__in=LIVING_STATES)
    return set(supports.values_list("message_id", flat=True))


def _find_echoes(message: Message, rows: Iterable[Message]) -> tuple[tuple[int, int], ...]:
    """What a player repeats of the assistant's messages before it."""
    if message.role != MessageRole.USER:
        return ()
    told = [
        row.content
        for row in rows
        if row.role == MessageRole.ASSISTANT
        and row.conversation_id == message.conversation_id
        and row.seq < message.seq
    ]
    return find_echoes(message.content, told)


def _list_known(tenant_id: int, end_user_id: int) -> tuple[GivenFact, ...]:
    """What is known now, what protects a person first."""
    rows = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, is_active=True).order_by("pk")
    if not rows:
        return ()
    ring = get_key_ring()
    facts = [
        GivenFact(
            id=row.pk,
            type=row.type,
            key=view.key or "",
            value=view.value or "",
            source=row.source,
            confidence=row.confidence,
            said_at=row.said_at,
            is_disputed=row.is_disputed,
            is_protected=row.is_protected,
        )
        for row, view in ((row, view_fact(row, ring)) for row in rows)
    ]
    return tuple(sorted(facts, key=lambda fact: (not fact.is_protected, fact.id)))


def _find_language(given: Given) -> str:
    """The language that most of the player's new messages are in."""
    own = [each for each in given.messages if each.role == MessageRole.USER]
    new = [each for each in own if each.is_new]
    spoken = Counter(each.language or detect_language(each.content) for each in new or own)
    return spoken.most_common(1)[0][0] if spoken else ""


_EMPTY_MESSAGE = GivenMessage(0, 0, 0, "", "", "unknown", "", dt.datetime.min.replace(tzinfo=dt.UTC), is_new=False)
_EMPTY_FACT = GivenFact(0, "", "", "", "", 0.0, dt.datetime.min.replace(tzinfo=dt.UTC))


def restore_given(current: Given, *, message_ids: Sequence[int], fact_ids: Sequence[int]) -> Given:
    """The input in the places of an earlier call: what was forgotten or has ended meanwhile leaves an empty place."""
    messages = {each.id: each for each in current.messages}
    facts = {each.id: each for each in current.facts}
    return Given(
        tuple(messages.get(pk) or replace(_EMPTY_MESSAGE, id=pk) for pk in message_ids),
        tuple(facts.get(pk) or _EMPTY_FACT for pk in fact_ids),
        current.remarks,
    )


def is_empty_place(message: GivenMessage) -> bool:
    """Whether it only keeps the place of a message that was forgotten since the call."""
    return not message.role
