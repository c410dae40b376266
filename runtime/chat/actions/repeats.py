"""A turn of talk that comes again: its first reply, with all that was said of it then."""

from __future__ import annotations

from typing import Any

from episodes.models import Message
from factcheck.core.verdicts import Source
from runtime.chat.actions.events import ReplyCompleted, Turn
from runtime.chat.actions.reply_check import Contradiction, ReplyCheck, check_reply
from runtime.models import Trace
from runtime.traces.models import TraceKind
from runtime.traces.selectors.traces import OpenedTrace, open_trace

TRACE_GONE = "trace_gone"
"""The first answer's warnings are not known any more: the reply was held against canon as it is now."""


def recall_answer(turn: Turn, conversation_id: int, message: Message, reply: Message) -> ReplyCompleted:
    """The reply to a message with the warnings, the degradations and the trace of the turn that gave it.

    Where its trace is gone or its words were not kept, the reply is held against canon once more, and `degraded` says
    so. Nothing is written but what canon denies. Call it outside transactions.
    """
    trace = _find_trace(turn, reply)
    opened = None if trace is None else open_trace(trace)
    is_kept = opened is not None and opened.has_words and bool(opened.trace.outline["checks"])
    check = _read_check(opened) if opened is not None and is_kept else _check_again(turn, message, reply)
    degraded = [] if trace is None else list(trace.degraded)
    if not is_kept:
        degraded += _name_flaws(check)
        degraded.append(TRACE_GONE)
    return ReplyCompleted(
        conversation_id=conversation_id,
        message_id=message.pk,
        reply=reply.content,
        reply_message_id=reply.pk,
        language=reply.language,
        check=check,
        was_asked_again=trace is not None and len(trace.outline["model_calls"]) > 1,
        degraded=tuple(dict.fromkeys(degraded)),
        trace_id=None if trace is None else str(trace.pk),
    )


def _find_trace(turn: Turn, reply: Message) -> Trace | None:
    """One query, by the player's traces."""
    rows = Trace.objects.filter(
        tenant_id=turn.world.tenant_id,
        world_id=turn.world.world_id,
        user_id=turn.user_id,
        kind=TraceKind.CHAT,
        reply_message_id=reply.pk,
    )
    return rows.order_by("-pk").first()


def _read_check(opened: OpenedTrace) -> ReplyCheck:
    last: dict[str, Any] = opened.trace.outline["checks"][-1]
    denied = opened.contradictions[-1] if opened.contradictions else ()
    return ReplyCheck(
        contradictions=tuple(
            Contradiction(
                claim=each["claim"],
                sources=tuple(Source(**source) for source in each["sources"]),
                expected=None,
                explanation=each["explanation"],
                found_by=each.get("found_by", ""),
            )
            for each in denied
        ),
        language=last["language"],
        follows_language=last["follows_language"],
        claims=last["claims"],
        checked_by=last.get("checked_by", ""),
        judge_version=last.get("judge_version", ""),
    )


def _check_again(turn: Turn, message: Message, reply: Message) -> ReplyCheck:
    return check_reply(
        reply.content,
        tenant_id=turn.world.tenant_id,
        world_id=turn.world.world_id,
        npc_id=turn.npc_id,
        release=None,
        language=turn.language or message.language or "und",
        question=turn.query,
        request_id=turn.request_id,
        message_id=message.pk,
    )


def _name_flaws(check: ReplyCheck) -> list[str]:
    return [
        code
        for code, is_so in (
            ("contradicts_canon", bool(check.contradictions)),
            ("wrong_language", not check.follows_language),
        )
        if is_so
    ]
