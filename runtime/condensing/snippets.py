"""Snippets of long messages that a pack told: asked of the chat model in the background, held against the message."""

from __future__ import annotations

import datetime as dt
import json

from django.conf import settings

from episodes.condensing.actions.snippets import (
    SnippetClaim,
    claim_snippet,
    fail_snippet,
    keep_snippet,
    release_snippet,
)
from episodes.models import Message
from knowledge.text.languages import PROMPT_LANGUAGES
from memoryproject.celery import find_task
from memoryproject.chat_model import ChatModel, ModelUnavailable, find_chat_model
from runtime.condensing.answers import ask_for_text
from runtime.condensing.core.dictation import dictates
from runtime.condensing.core.gate import check_snippet
from runtime.condensing.queue import queue_work
from runtime.config import load_condense_prompts
from runtime.context.pipeline import AssembledContext
from runtime.metrics import SNIPPET_HITS, SNIPPET_LOOKUPS, SNIPPETS

PROMPT = "snippet"
MAX_TOKENS = 200
"""Of an answer: 120 characters of any script within their JSON."""
MAX_ASKED_CHARACTERS = 8_000
"""Of a longer message the model reads head and tail: a snippet is an index, not an account."""
LEASE = dt.timedelta(minutes=5)
"""Longer than all tries may take, so that no message is asked about twice."""


def find_snippet_model() -> ChatModel | None:
    """The model that makes snippets; None where there is none, or `SNIPPETS_ENABLED` is off."""
    return find_chat_model() if settings.SNIPPETS_ENABLED else None


def queue_snippets(tenant_id: int, context: AssembledContext) -> None:
    """Counts which long messages of a pack had a snippet, and queues the others. Call it once the pack is answered."""
    told = [
        packed.item.provenance.ids["message_id"]
        for layer in context.pack.layers
        if layer.name == "episodes"
        for packed in layer.items
    ]
    wanted = [context.snippets[id_] for id_ in told if id_ in context.snippets]
    if not wanted or find_snippet_model() is None:
        return
    SNIPPET_LOOKUPS.inc(len(wanted))
    SNIPPET_HITS.inc(sum(each.is_ready for each in wanted))
    version = get_prompt_version()
    missing = [
        each.message_id
        for each in wanted
        if not each.is_ready and (each.prompt_version is None or each.prompt_version < version)
    ]
    queue_work(find_task("runtime.make_snippets"), tenant_id, map(str, missing))


def make_snippet(tenant_id: int, message_id: int, *, model: ChatModel | None = None) -> str:
    """What came of it: `ready`, a code of failure, or `skipped` where there is nothing to do. One or two asks.

    No transaction is open while the model is asked; a message that is forgotten meanwhile gets none. Raises
    ModelUnavailable, with the message free for another try.
    """
    model = model or find_snippet_model()
    if model is None or not Message.objects.filter(pk=message_id, tenant_id=tenant_id).exists():
        return "skipped"
    claim = claim_snippet(tenant_id=tenant_id, message_id=message_id, prompt_version=get_prompt_version(), lease=LEASE)
    if claim is None:
        return "skipped"
    outcome = _make(claim, model)
    SNIPPETS.labels(outcome=outcome).inc()
    return outcome


def get_prompt_version() -> int:
    """Of the prompt in use."""
    return load_condense_prompts(PROMPT)[PROMPT_LANGUAGES[0]].version


def _make(claim: SnippetClaim, model: ChatModel) -> str:
    if dictates(claim.content):
        return _fail(claim, "dictated", model)
    try:
        text, code = _ask(claim, model)
    except ModelUnavailable:
        release_snippet(claim)
        raise
    if code:
        return _fail(claim, code, model)
    return "ready" if keep_snippet(claim, text, model=model.name) else "forgotten"


def _ask(claim: SnippetClaim, model: ChatModel) -> tuple[str, str]:
    """The last text that the model gave, and the code of what is wrong with it."""
    prompts = load_condense_prompts(PROMPT)
    return ask_for_text(
        model,
        prompt=prompts.get(claim.language.split("-")[0].casefold(), prompts["en"]),
        asked=json.dumps({"speaker": claim.role, "message": _cut(claim.content)}, ensure_ascii=False),
        member="snippet",
        max_tokens=MAX_TOKENS,
        find_failure_code=lambda text: check_snippet(text, claim.content),
    )


def _fail(claim: SnippetClaim, code: str, model: ChatModel) -> str:
    return code if fail_snippet(claim, code, model=model.name) else "forgotten"


def _cut(content: str) -> str:
    if len(content) <= MAX_ASKED_CHARACTERS:
        return content
    half = MAX_ASKED_CHARACTERS // 2
    return f"{content[:half]} [...] {content[-half:]}"
