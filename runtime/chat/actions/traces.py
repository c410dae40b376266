"""The trace of a turn of talk: the pack, what the model was asked and said, and what canon said to it."""

from __future__ import annotations

from dataclasses import asdict

from runtime.chat.actions.events import ChatTurnState
from runtime.chat.actions.reply_check import ReplyCheck
from runtime.traces.actions.packs import draft_pack_trace, queue_condensing
from runtime.traces.actions.traces import record_trace
from runtime.traces.core.traces import CanonCheck, ModelCall


def trace_talk(record: ChatTurnState, *, reply_message_id: int | None = None) -> str | None:
    """The id of the turn's trace; None without a pack, or where traces are off. Call it outside transactions."""
    if record.context is None:
        return None
    draft = draft_pack_trace(
        record.context,
        kind="chat",
        steps_ms={**record.context.steps_ms, **record.steps_ms},
        degraded=tuple(dict.fromkeys(record.degraded)),
        reply_message_id=reply_message_id,
        model_calls=tuple(
            ModelCall(each.model, each.finish_reason, each.prompt_tokens, each.completion_tokens)
            for each in (*record.replies, *(call for check in record.checks for call in check.calls))
        ),
        cost=record.count_usage().cost,
        checks=tuple(_describe(check) for check in record.checks),
    )
    trace_id = record_trace(draft)
    queue_condensing(record.context)
    return trace_id


def _describe(check: ReplyCheck) -> CanonCheck:
    return CanonCheck(
        follows_language=check.follows_language,
        language=check.language,
        claims=check.claims,
        contradictions=tuple(
            {
                "claim": each.claim,
                "explanation": each.explanation,
                "found_by": each.found_by,
                "sources": [asdict(source) for source in each.sources],
            }
            for each in check.contradictions
        ),
        suspects=tuple(asdict(each) for each in check.suspects),
        checked_by=check.checked_by,
        judge_version=check.judge_version,
    )
