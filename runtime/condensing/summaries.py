"""Summaries of talk that left the window of packs: asked of the chat model in the background, held against the talk."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from django.conf import settings

from episodes.condensing.actions.talk_summaries import (
    SummaryBounds,
    SummaryClaim,
    Talk,
    claim_summary,
    fail_summary,
    keep_summary,
    release_summary,
)
from episodes.conversations.core.excerpts import make_excerpt
from episodes.conversations.selectors.sessions import find_worlds
from episodes.models import Message, MessageRole
from knowledge.text.languages import PROMPT_LANGUAGES
from memoryproject.celery import find_task
from memoryproject.chat_model import ChatModel, ModelUnavailable, find_chat_model
from memoryproject.redis import get_redis
from runtime.condensing.answers import ask_for_text
from runtime.condensing.core.dictation import dictates
from runtime.condensing.core.gate import check_summary
from runtime.condensing.queue import queue_work
from runtime.config import CondenseFile, load_condense_prompts
from runtime.context.pipeline import AssembledContext
from runtime.metrics import TALK_SUMMARIES
from runtime.session_memory.core.keys import SessionRef
from runtime.session_memory.store import read_memory

PROMPT = "summary"
MIN_NEW_MESSAGES = 6
"""So many more must have left the window: three exchanges are worth a call."""
MAX_NEW_MESSAGES = 40
"""Of one call; what goes beyond is found by search."""
MAX_EVIDENCE = 200
"""A summary that rests on more begins anew: what forgetting must look through stays small."""
MAX_TOKENS = 400
"""Of an answer: 120 tokens of text within their JSON, with room for a long one to be told that it is."""
LEASE = dt.timedelta(minutes=5)
SPEAKERS = {True: "player", False: "other"}


def find_summary_model() -> ChatModel | None:
    """The model that makes summaries; None where there is none, or `TALK_SUMMARIES_ENABLED` is off."""
    return find_chat_model() if settings.TALK_SUMMARIES_ENABLED else None


def queue_summary(tenant_id: int, context: AssembledContext) -> None:
    """Queues a summary where enough talk left the window. Call it once the pack is answered."""
    talk = context.talk
    if talk is None or talk.last_seq - talk.tried_seq < context.talk_length + MIN_NEW_MESSAGES:
        return
    if find_summary_model() is None:
        return
    named = Talk(talk.conversation_id, talk.npc_id, talk.session_id)
    queue_work(find_task("runtime.make_talk_summaries"), tenant_id, [json.dumps(asdict(named), sort_keys=True)])


def make_summary(tenant_id: int, talk: Talk, *, model: ChatModel | None = None) -> str:
    """What came of it: `ready`, a code of failure, or `skipped` where there is nothing to do. One or two asks.

    No transaction is open while the model is asked. Raises ModelUnavailable, with the talk free for another try.
    """
    model = model or find_summary_model()
    if model is None:
        return "skipped"
    bounds = SummaryBounds(
        window=settings.MEMORY_MAX_MESSAGES,
        window_chars=settings.MEMORY_MAX_CHARS,
        fewest=MIN_NEW_MESSAGES,
        most=MAX_NEW_MESSAGES,
        max_evidence=MAX_EVIDENCE,
    )
    version = load_condense_prompts(PROMPT)[PROMPT_LANGUAGES[0]].version
    claim = claim_summary(
        tenant_id=tenant_id,
        talk=talk,
        bounds=bounds,
        prompt_version=version,
        lease=LEASE,
        after_id=_find_cleared(tenant_id, talk),
    )
    if claim is None:
        return "skipped"
    outcome = _make(claim, model, version)
    TALK_SUMMARIES.labels(outcome=outcome).inc()
    return outcome


def _find_cleared(tenant_id: int, talk: Talk) -> int:
    """Up to which message the session's talk was cleared; 0 for never."""
    worlds = find_worlds(conversation_ids=[talk.conversation_id]) if talk.session_id else {}
    if talk.conversation_id not in worlds:
        return 0
    session = SessionRef(tenant_id, worlds[talk.conversation_id], talk.session_id)
    return read_memory(get_redis(), session, [talk.npc_id])[talk.npc_id].cleared_up_to


def _make(claim: SummaryClaim, model: ChatModel, version: int) -> str:
    readable = [message for message in claim.messages if not dictates(message.content)]
    if not readable:
        return _fail(claim, "dictated", model)
    try:
        text, code = _ask(claim, readable, model)
    except ModelUnavailable:
        release_summary(claim)
        raise
    if code:
        return _fail(claim, code, model)
    return "ready" if keep_summary(claim, text, model=model.name, prompt_version=version) else "forgotten"


def _ask(claim: SummaryClaim, readable: Sequence[Message], model: ChatModel) -> tuple[str, str]:
    """The last text that the model gave, and the code of what is wrong with it."""
    asked = json.dumps(
        {
            "earlier_summary": claim.earlier,
            "messages": [
                {"speaker": SPEAKERS[message.role == MessageRole.USER], "text": make_excerpt(message.content)}
                for message in readable
            ],
        },
        ensure_ascii=False,
    )
    earlier = Message.objects.living().filter(pk__in=claim.earlier_evidence).values_list("content", flat=True)
    sources = [*earlier, *(message.content for message in readable), *claim.names]
    return ask_for_text(
        model,
        prompt=_choose_prompt(readable),
        asked=asked,
        member="summary",
        max_tokens=MAX_TOKENS,
        find_failure_code=lambda text: check_summary(text, sources),
    )


def _choose_prompt(messages: Sequence[Message]) -> CondenseFile:
    """In the language of the talk: the one that most of the player's messages are in."""
    prompts = load_condense_prompts(PROMPT)
    own = [message for message in messages if message.role == MessageRole.USER] or messages
    counts = Counter(message.language.split("-")[0].casefold() for message in own)
    return prompts.get(counts.most_common(1)[0][0], prompts["en"])


def _fail(claim: SummaryClaim, code: str, model: ChatModel) -> str:
    return code if fail_summary(claim, code, model=model.name) else "forgotten"
