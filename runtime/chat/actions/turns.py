"""A player speaks to an NPC: kept, understood, put in context, answered, and the answer held against canon."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from django.conf import settings
from django.utils import timezone

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.replies import store_reply
from episodes.conversations.core.drafts import MessageDraft, validate_message
from episodes.conversations.models import CLOCK_SKEW, EARLIEST_SENT_AT
from episodes.conversations.selectors.replies import find_reply
from episodes.models import MessageRole
from factcheck.claims.core.replies.witness import ToldPassage
from factcheck.posting.actions.messages import PostedMessage, post_messages
from factcheck.posting.selectors import hide_other_worlds
from knowledge.notebook.actions.commands import CommandRun
from knowledge.notebook.core.tokenizer import CommandStream, Tokenized
from knowledge.notebook.selectors.memberships import Seat
from memoryproject.chat_model import ChatMessage, ChatReply, ModelUnavailable, find_chat_model
from npcs.profiles.selectors.profiles import get_profile
from runtime.chat.actions.events import (
    ChatTurnState,
    MessageAccepted,
    ReplyCompleted,
    ReplyRetracted,
    TalkEvent,
    TextDelta,
    Turn,
)
from runtime.chat.actions.repeats import recall_answer
from runtime.chat.actions.reply_check import ReplyCheck, check_reply
from runtime.chat.actions.traces import trace_talk
from runtime.chat.core import write_correction
from runtime.config import load_prompts, load_reply_templates
from runtime.context.language_names import name_language
from runtime.context.pipeline import assemble_context
from runtime.context.request import ContextRequest
from runtime.context.resolve import check_place
from runtime.errors import ModelNotConfigured
from runtime.notebook.chat import build_follow_up, get_templates, open_chat_notebook, run_reply_commands

LORE = "lore"


class TalkModel(Protocol):
    """What speaks for an NPC: the configured `ChatModel`, or lines that were recorded."""

    def chat(self, messages: Sequence[ChatMessage], *, timeout_seconds: float, max_tokens: int) -> ChatReply:
        """The reply. Raises ModelUnavailable."""
        ...

    def stream_chat(
        self, messages: Sequence[ChatMessage], *, timeout_seconds: float, max_tokens: int
    ) -> Iterator[str | ChatReply]:
        """The reply piece by piece, and last the whole. Raises ModelUnavailable."""
        ...


def talk(turn: Turn, *, streamed: bool, model: TalkModel | None = None) -> Iterator[TalkEvent]:
    """The turn, event by event, from MessageAccepted to ReplyCompleted; `streamed` as the model says it, in pieces.

    `model` None is the configured one.

    The player's words are kept whatever happens after. A turn that comes again under its client id gets the first
    reply, or one now if it had none; of the same turn twice at a time, what is stored first is the reply to both. A
    reply that canon denies, or in the wrong language, is asked for once more; then it stands, and `check` says what is
    wrong with it. Call it outside transactions. Raises UnknownNpc, UnknownParty and UnknownScene before anything is
    kept, and what posting, assembling and the model raise; a missing or failing model names the `message_id` kept.
    """
    get_profile(tenant_id=turn.world.tenant_id, world_id=turn.world.world_id, npc_id=turn.npc_id)
    check_place(_build_request(turn))
    conversation, posted = _accept_message(turn)
    message = posted.message
    yield MessageAccepted(conversation, message.pk)
    answer = None if posted.created else find_reply(message)
    if answer is not None:
        yield replace(recall_answer(turn, conversation, message, answer), extraction=posted.understood)
        return
    record = ChatTurnState(turn, conversation, message, posted.understood)
    try:
        yield from _answer(record, model or _get_model(), streamed=streamed)
    except ModelUnavailable as error:
        record.degraded.append(error.code)
        error.extra["message_id"] = message.pk
        error.extra["trace_id"] = trace_talk(record)
        raise
    except ModelNotConfigured as error:
        error.extra["message_id"] = message.pk
        raise


def name_conversation(turn: Turn) -> str:
    """The external id of the conversation of one player with one NPC in one session of a world."""
    parts = [str(turn.world.world_id), turn.session_id, turn.npc_id, turn.user_id]
    digest = hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:40]
    return f"npc-chat:{digest}"


def _accept_message(turn: Turn) -> tuple[int, PostedMessage]:
    """The conversation, and the player's words in it with what the key may know of what they say."""
    conversation = open_conversation(
        tenant_id=turn.world.tenant_id,
        user_id=turn.user_id,
        external_id=name_conversation(turn),
        world_id=turn.world.world_id,
        npc_id=turn.npc_id,
        session_id=turn.session_id,
    ).conversation
    draft = MessageDraft(
        role=MessageRole.USER,
        content=turn.query,
        client_message_id=turn.client_message_id,
        mood=turn.mood,
        memory_type=turn.memory_type,
    )
    [posted] = post_messages(tenant_id=turn.world.tenant_id, conversation_id=conversation.pk, drafts=[draft])
    [posted] = hide_other_worlds([posted], turn.world.bound_id)
    return conversation.pk, posted


def _get_model() -> TalkModel:
    model = find_chat_model()
    if model is None:
        raise ModelNotConfigured("No chat model is configured: set CHAT_MODEL, and OPENAI_BASE_URL or OPENAI_API_KEY.")
    return model


def _answer(record: ChatTurnState, model: TalkModel, *, streamed: bool) -> Iterator[TalkEvent]:
    start = time.perf_counter()
    record.seat = _open_notebook(record)
    request = replace(
        _build_request(record.turn),
        message_id=record.message.pk,
        conversation_id=record.conversation_id,
        notebook_id=None if record.seat is None else record.seat.notebook.pk,
    )
    context = record.context = assemble_context(request)
    record.time("context", start)
    record.degraded += context.degraded
    messages: list[ChatMessage] = [
        {"role": message.role, "content": message.content} for message in context.pack.messages
    ]
    reply = yield from _say_with_notebook(record, model, messages, streamed=streamed)
    check = _check(record, reply)
    if not check.passed:
        yield ReplyRetracted("contradiction" if check.contradictions else "language")
        again: list[ChatMessage] = [
            *messages,
            {"role": "assistant", "content": reply.text},
            {"role": "system", "content": _correct(record, check)},
        ]
        try:
            reply = yield from _say_again(record, model, again, streamed=streamed)
        except ModelUnavailable as error:
            record.degraded.append(f"second_reply_{error.code}")
            yield TextDelta(reply.text)
        else:
            check = _check(record, reply)
    yield from _conclude(record, reply, check)


def _say_again(
    record: ChatTurnState, model: TalkModel, messages: list[ChatMessage], *, streamed: bool
) -> Generator[TalkEvent, None, ChatReply]:
    """A second reply: its commands are left out and not run, since the first one's were."""
    if record.seat is None:
        reply = yield from _say(record, model, messages, streamed=streamed)
        return reply
    stream = CommandStream()
    reply = yield from _say(record, model, messages, streamed=streamed, stream=stream)
    shown = replace(reply, text=stream.shown)
    _refuse_unkeepable(shown)
    return shown


def _open_notebook(record: ChatTurnState) -> Seat | None:
    turn = record.turn
    return open_chat_notebook(
        tenant_id=turn.world.tenant_id,
        world_id=turn.world.world_id,
        npc_id=turn.npc_id,
        user_id=turn.user_id,
    )


def _say_with_notebook(
    record: ChatTurnState, model: TalkModel, messages: list[ChatMessage], *, streamed: bool
) -> Generator[TalkEvent, None, ChatReply]:
    """The reply without commands; what it asked its notebook for is told to the model, which goes on once."""
    seat = record.seat
    if seat is None:
        reply = yield from _say(record, model, messages, streamed=streamed)
        return reply
    templates = get_templates(record.context.pack.language if record.context else "en")
    record.shown = [message["content"] for message in messages]
    messages.insert(1, {"role": "system", "content": templates.prompt})
    raw = yield from _say_raw(record, model, messages, streamed=streamed)
    if not raw.run.needs_follow_up and raw.reply.text:
        return raw.reply
    told = build_follow_up(raw.run, templates, agent=seat.agent)
    record.shown.append(told)
    again: list[ChatMessage] = [
        *messages,
        {"role": "assistant", "content": raw.text},
        {"role": "system", "content": told},
    ]
    if raw.reply.text:
        yield TextDelta("\n\n")
    more = yield from _say_raw(record, model, again, streamed=streamed)
    text = "\n\n".join(part for part in (raw.reply.text, more.reply.text) if part)
    reply = replace(more.reply, text=text)
    _refuse_unkeepable(reply)
    return reply


@dataclass(frozen=True, slots=True)
class _Said:
    """A reply without its commands, as the model wrote it, and what became of the commands."""

    reply: ChatReply
    text: str
    run: CommandRun


def _say_raw(
    record: ChatTurnState, model: TalkModel, messages: list[ChatMessage], *, streamed: bool
) -> Generator[TalkEvent, None, _Said]:
    assert record.seat is not None  # noqa: S101 - the caller's condition
    stream = CommandStream()
    reply = yield from _say(record, model, messages, streamed=streamed, stream=stream)
    found = Tokenized(stream.shown, tuple(stream.commands))
    start = time.perf_counter()
    run = run_reply_commands(
        record.seat,
        reply.text,
        found,
        given=record.shown,
        message_id=record.message.pk,
        request_id=record.turn.request_id,
    )
    record.time("notebook", start)
    return _Said(replace(reply, text=found.clean), reply.text, run)


def _build_request(turn: Turn) -> ContextRequest:
    return ContextRequest(
        tenant_id=turn.world.tenant_id,
        world_id=turn.world.world_id,
        message=turn.query,
        user_id=turn.user_id,
        session_id=turn.session_id,
        npc_id=turn.npc_id,
        party_id=turn.party_id,
        scene_id=turn.scene_id,
        location_id=turn.location_id,
        mood=turn.mood,
        language=turn.language,
        model=settings.CHAT_MODEL,
        with_secrets=True,
        is_world_bound=turn.world.is_bound,
    )


def _say(
    record: ChatTurnState,
    model: TalkModel,
    messages: list[ChatMessage],
    *,
    streamed: bool,
    stream: CommandStream | None = None,
) -> Generator[TalkEvent, None, ChatReply]:
    """What the model says; with a stream without its commands, which the stream keeps, and not checked yet."""
    start = time.perf_counter()
    seconds, tokens = settings.CHAT_TIMEOUT_SECONDS, settings.CHAT_MAX_TOKENS
    try:
        pieces: Iterable[str | ChatReply]
        if streamed:
            pieces = model.stream_chat(messages, timeout_seconds=seconds, max_tokens=tokens)
        else:
            pieces = [model.chat(messages, timeout_seconds=seconds, max_tokens=tokens)]
        for piece in pieces:
            if isinstance(piece, ChatReply):
                record.replies.append(piece)
                if stream is None:
                    _refuse_unkeepable(piece)
                elif rest := (stream.finish() if streamed else stream.feed(piece.text) + stream.finish()):
                    yield TextDelta(rest)
                return piece
            if shown := piece if stream is None else stream.feed(piece):
                yield TextDelta(shown)
    finally:
        record.time("model", start)
    raise AssertionError("a stream ends with its reply or raises")


def _refuse_unkeepable(reply: ChatReply) -> None:
    """Raises ModelUnavailable for a reply that RAW does not take: the player's words have no part in that."""
    draft = MessageDraft(role=MessageRole.ASSISTANT, content=reply.text)
    flaw = validate_message(draft, now=timezone.now(), earliest=EARLIEST_SENT_AT, skew=CLOCK_SKEW)
    if flaw is not None:
        raise ModelUnavailable(f"The chat model's answer can't be kept. {flaw.detail}")


def _check(record: ChatTurnState, reply: ChatReply) -> ReplyCheck:
    start = time.perf_counter()
    turn = record.turn
    releases = record.context.releases if record.context else {}
    check = check_reply(
        reply.text,
        tenant_id=turn.world.tenant_id,
        world_id=turn.world.world_id,
        npc_id=turn.npc_id,
        release=releases.get(LORE),
        language=_wanted_language(record) or "und",
        question=turn.query,
        passages=_list_told(record),
        prompt_language=record.context.pack.language if record.context else "en",
        request_id=turn.request_id,
        message_id=record.message.pk,
    )
    record.checks.append(check)
    record.degraded += check.degraded
    record.time("canon_check", start)
    return check


def _list_told(record: ChatTurnState) -> list[ToldPassage]:
    """The passages of lore that the model read."""
    layers = record.context.pack.layers if record.context else ()
    told = [packed.item for layer in layers if layer.name == LORE for packed in layer.items]
    return [
        ToldPassage(
            slug=str(item.provenance.ids["slug"]),
            title=item.values.get("title", ""),
            text=item.text,
            passage_id=item.provenance.ids.get("passage_id"),
        )
        for item in told
        if item.provenance.ids.get("slug")
    ]


def _wanted_language(record: ChatTurnState) -> str | None:
    """The language that the pack asked for: the message's, else the session's or the turn's."""
    return record.context.reply_language if record.context else None


def _correct(record: ChatTurnState, check: ReplyCheck) -> str:
    language = record.context.pack.language if record.context else "en"
    wanted = None if check.follows_language else _wanted_language(record)
    return write_correction(
        load_reply_templates()[language],
        sources=[(source.title, source.excerpt) for each in check.contradictions for source in each.sources],
        language_name=name_language(wanted, load_prompts()[language].words) if wanted else None,
    )


def _conclude(record: ChatTurnState, reply: ChatReply, check: ReplyCheck) -> Iterator[TalkEvent]:
    """The reply into RAW, from where session memory hears of it, and the turn into its trace."""
    if check.contradictions:
        record.degraded.append("contradicts_canon")
    if not check.follows_language:
        record.degraded.append("wrong_language")
    stored = store_reply(message=record.message, content=reply.text.strip())
    said = stored.message
    if not stored.created:
        yield ReplyRetracted("answered")
        yield TextDelta(said.content)
        record.degraded.append("answered_meanwhile")
    answered = ReplyCompleted(
        conversation_id=record.conversation_id,
        message_id=record.message.pk,
        reply=said.content,
        reply_message_id=said.pk,
        language=said.language,
        check=check if stored.created else None,
        was_asked_again=len(record.checks) > 1 or len(record.replies) > 1,
        degraded=tuple(dict.fromkeys(record.degraded)),
        usage=record.count_usage(),
        extraction=record.extraction,
    )
    yield replace(answered, trace_id=trace_talk(record, reply_message_id=said.pk if stored.created else None))
