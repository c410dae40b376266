"""A run, a candidate, and a player's second stage as stories for people: words beside what became of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, Min, Q

from episodes.conversations.selectors.conversations import mask_gone
from episodes.facts.core import Segment, split_segments
from episodes.facts.selectors.evidence import list_evidence_messages
from episodes.models import Message, MessageRole
from factcheck.extraction.models import CandidateSupport, ExtractionDelta, ExtractionRun, FactCandidate, RunMessage
from factcheck.extraction.sealing import read_candidate
from factcheck.extraction.selectors.runs import read_words
from tenancy.models import EndUser

Span = tuple[int, int]
MAX_MESSAGES = 300
"""Of one page. A run holds 120 at most; what others said in between comes on top."""
MAX_PLAYER_DELTAS = 100
MAX_PLAYER_MESSAGES = 100
MAX_PLAYER_RUNS = 20


@dataclass(frozen=True, slots=True)
class StoryMessage:
    """A message, its text cut at the quotes, and what a run made of it.

    `outcome` is empty of a message that is there to be understood. Of a forgotten message there are no segments.
    """

    message: Message
    segments: tuple[Segment, ...]
    outcome: str = ""
    code: str = ""
    run_id: int | None = None

    @property
    def is_gone(self) -> bool:
        """Whether its words are forgotten."""
        return self.message.forgotten_at is not None


@dataclass(frozen=True, slots=True)
class StoryQuote:
    """Words that a delta rests on. `said` is their message with them marked; None where they were not found there."""

    text: str
    message_id: int | None
    said: StoryMessage | None


@dataclass(frozen=True, slots=True)
class StoryDelta:
    """A proposed change with its words; `is_forgotten`: they are gone, verdict and outcome stay."""

    row: ExtractionDelta
    key: str
    value: str
    quotes: tuple[StoryQuote, ...]
    is_forgotten: bool


@dataclass(frozen=True, slots=True)
class RunStory:
    """The messages of a run, each with what became of it, and each change that was proposed."""

    run: ExtractionRun
    messages: tuple[StoryMessage, ...]
    deltas: tuple[StoryDelta, ...]


@dataclass(frozen=True, slots=True)
class StorySupport:
    """One message that states a candidate, between the message before and the one after it."""

    row: CandidateSupport
    messages: tuple[StoryMessage, ...]


@dataclass(frozen=True, slots=True)
class CandidateStory:
    """A candidate with its evidence and how it came to where it stands. Of a blocked one the words are gone."""

    row: FactCandidate
    key: str
    value: str
    supports: tuple[StorySupport, ...]
    deltas: tuple[StoryDelta, ...]


@dataclass(frozen=True, slots=True)
class PlayerStory:
    """What the second stage did with a player's talk: runs, changes and messages, newest first."""

    runs: tuple[ExtractionRun, ...]
    deltas: tuple[StoryDelta, ...]
    messages: tuple[StoryMessage, ...]
    candidates: tuple[tuple[FactCandidate, str, str], ...]


def load_run_story(run: ExtractionRun) -> RunStory:
    """The run in full. Five queries, however long it is. Raises FactKeysMissing."""
    rows = list(run.delta_rows.select_related("fact", "replaced_fact", "candidate").order_by("position"))
    outcomes = {row.message_id: row for row in run.message_rows.all()}
    said = {each.pk: each for each in _load_between(run, {*outcomes, *_list_quoted(rows)})}
    marks = _mark(rows)
    messages = tuple(_build_message(each, marks[each.pk], outcomes.get(each.pk)) for each in said.values())
    return RunStory(run, messages, tuple(_build_delta(row, said) for row in rows))


def load_candidate_story(candidate: FactCandidate) -> CandidateStory:
    """The candidate in full. Four queries, however much was said. Raises FactKeysMissing."""
    key, value = read_candidate(candidate)
    supports = list(candidate.supports.all())
    rows = list(candidate.deltas.select_related("run").order_by("-pk")[:MAX_PLAYER_DELTAS])
    said = {
        each.pk: each for each in _load_around(candidate, {*(row.message_id for row in supports), *_list_quoted(rows)})
    }
    return CandidateStory(
        candidate,
        key,
        value,
        tuple(_build_support(row, said) for row in supports),
        tuple(_build_delta(row, said) for row in rows),
    )


def load_player_story(user: EndUser) -> PlayerStory:
    """The newest of it. Eight queries, however much there is. Raises FactKeysMissing."""
    owner_filter = {"tenant_id": user.tenant_id, "end_user_id": user.pk}
    runs = tuple(ExtractionRun.objects.filter(**owner_filter).order_by("-pk")[:MAX_PLAYER_RUNS])
    rows = list(
        ExtractionDelta.objects.filter(**owner_filter).select_related("run", "fact").order_by("-pk")[:MAX_PLAYER_DELTAS]
    )
    own = Message.objects.filter(tenant_id=user.tenant_id, conversation__end_user=user, role=MessageRole.USER)
    newest = list(own.order_by("-pk").values_list("pk", flat=True)[:MAX_PLAYER_MESSAGES])
    said = {
        each.pk: each
        for each in list_evidence_messages(
            tenant_id=user.tenant_id, end_user_id=user.pk, message_ids={*newest, *_list_quoted(rows)}
        )
    }
    outcomes = {row.message_id: row for row in RunMessage.objects.filter(message_id__in=newest).order_by("pk")}
    marks = _mark(rows)
    candidates = FactCandidate.objects.filter(**owner_filter, state="open").order_by("-pk")[:MAX_PLAYER_DELTAS]
    return PlayerStory(
        runs,
        tuple(_build_delta(row, said) for row in rows),
        tuple(_build_message(said[pk], marks[pk], outcomes.get(pk)) for pk in newest if pk in said),
        tuple((row, *read_candidate(row)) for row in candidates),
    )


def _load_between(run: ExtractionRun, wanted: Collection[int]) -> list[Message]:
    """The messages and what was said between them, in order of their conversations."""
    own = Message.objects.filter(tenant_id=run.tenant_id, conversation__end_user=run.end_user_id)
    places = own.filter(pk__in=wanted).order_by().values("conversation_id").annotate(Min("seq"), Max("seq"))
    span = Q(pk__in=[])
    for place in places:
        span |= Q(conversation_id=place["conversation_id"], seq__range=(place["seq__min"], place["seq__max"]))
    return _read(own.filter(span))


def _load_around(candidate: FactCandidate, wanted: Collection[int]) -> list[Message]:
    """The messages, and those just before and after each."""
    own = Message.objects.filter(tenant_id=candidate.tenant_id, conversation__end_user=candidate.end_user_id)
    span = Q(pk__in=[])
    for conversation_id, seq in own.filter(pk__in=wanted).values_list("conversation_id", "seq"):
        span |= Q(conversation_id=conversation_id, seq__range=(seq - 1, seq + 1))
    return _read(own.filter(span))


def _read(rows: Any) -> list[Message]:
    in_order = rows.select_related("conversation").order_by("conversation_id", "seq")[:MAX_MESSAGES]
    return [each for row in in_order for each in mask_gone(row.conversation, [row])]


def _list_quoted(rows: Iterable[ExtractionDelta]) -> set[int]:
    return {pk for row in rows for pk in row.evidence}


def _mark(rows: Sequence[ExtractionDelta]) -> Mapping[int, list[Span]]:
    """Message to the places of all quotes in it."""
    marks: dict[int, list[Span]] = defaultdict(list)
    for row in rows:
        for message_id, start, end in row.spans:
            marks[message_id].append((start, end))
    return marks


def _build_message(message: Message, spans: Iterable[Span], row: RunMessage | None = None) -> StoryMessage:
    segments = () if message.forgotten_at is not None else tuple(split_segments(message.content, spans))
    if row is None:
        return StoryMessage(message, segments)
    return StoryMessage(message, segments, row.outcome, row.code, row.run_id)


def _build_delta(row: ExtractionDelta, said: Mapping[int, Message]) -> StoryDelta:
    if any(pk in said and said[pk].forgotten_at is not None for pk in row.evidence):
        return StoryDelta(row, "", "", (), is_forgotten=True)
    words = read_words(row)
    spans = _mark([row])
    quotes = tuple(_build_quote(quote, spans, said) for quote in words["quotes"])
    return StoryDelta(row, words["key"] or "", words["value"] or "", quotes, is_forgotten=words["value"] is None)


def _build_quote(quote: Mapping[str, Any], spans: Mapping[int, list[Span]], said: Mapping[int, Message]) -> StoryQuote:
    """The quote in its message: by the gate's places, else where the words stand word for word."""
    message_id = quote["message_id"]
    message = said.get(message_id)
    if message is None:
        return StoryQuote(quote["text"], message_id, None)
    places = spans.get(message_id) or _find(message.content, quote["text"])
    told = _build_message(message, places) if places else None
    return StoryQuote(quote["text"], message_id, told)


def _find(content: str, words: str) -> list[Span]:
    start = content.find(words) if words else -1
    return [] if start < 0 else [(start, start + len(words))]


def _build_support(row: CandidateSupport, said: Mapping[int, Message]) -> StorySupport:
    own = said.get(row.message_id)
    if own is None:
        return StorySupport(row, ())
    around = [
        each for each in said.values() if each.conversation_id == own.conversation_id and abs(each.seq - own.seq) <= 1
    ]
    return StorySupport(
        row, tuple(_build_message(each, [(row.start, row.end)] if each.pk == row.message_id else []) for each in around)
    )
