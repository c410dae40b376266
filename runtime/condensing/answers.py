"""One short text asked of the chat model: an answer and one retry, and a code for what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings

from memoryproject.chat_model import ChatModel, ModelAnswerUnusable, ModelRefused
from runtime.condensing.core.gate import tidy
from runtime.config import CondenseFile

MAX_TRIES = 2
"""One answer and one retry. Source: seed 002, fix 4B."""


def ask_for_text(
    model: ChatModel,
    *,
    prompt: CondenseFile,
    asked: str,
    member: str,
    max_tokens: int,
    find_failure_code: Callable[[str], str],
) -> tuple[str, str]:
    """The last text that the model gave as `member`, and the code of what is wrong with it; empty where nothing is.

    `find_failure_code` tells what is wrong with a text. Raises ModelUnavailable.
    """
    text, code = "", ""
    for attempt in range(MAX_TRIES):
        try:
            answer = model.ask_for_schema(
                system=prompt.system,
                user=asked if attempt == 0 else f"{asked}\n\n{prompt.again}",
                schema=_build_schema(member),
                timeout_seconds=settings.CHAT_TIMEOUT_SECONDS,
                max_tokens=max_tokens,
            )
        except ModelRefused:
            return "", "model_refused"
        except ModelAnswerUnusable:
            return "", "model_unusable"
        text = tidy(answer.document[member])
        code = find_failure_code(text)
        if not code:
            break
    return text, code


def _build_schema(member: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {member: {"type": "string"}},
        "required": [member],
        "additionalProperties": False,
    }
