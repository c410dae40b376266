"""The chat model, if one is configured: any OpenAI-compatible endpoint. It only ever proposes."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import Any

import openai
from django.conf import settings

from memoryproject.errors import UnavailableError


class ModelUnavailable(UnavailableError):
    """The chat model did not answer in time, or answered with an error or with something unusable."""

    code = "model_unavailable"


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A model by name behind a client."""

    name: str
    client: openai.OpenAI

    def ask_for_json(self, *, system: str, user: str, timeout_seconds: float, max_tokens: int = 400) -> dict[str, Any]:
        """The model's answer as a JSON object, at temperature 0. Raises ModelUnavailable."""
        try:
            answer = self.client.with_options(timeout=timeout_seconds, max_retries=0).chat.completions.create(
                model=self.name,
                messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
                temperature=0,
                max_tokens=max_tokens,
                response_format={"type": "json_object"},
            )
            parsed = json.loads(answer.choices[0].message.content or "")
        except openai.OpenAIError as error:
            raise ModelUnavailable(f"The chat model failed: {type(error).__name__}.") from error
        except (ValueError, IndexError, AttributeError, TypeError) as error:
            raise ModelUnavailable("The chat model's answer is not the JSON that was asked for.") from error
        if not isinstance(parsed, dict):
            raise ModelUnavailable("The chat model's answer is not a JSON object.")
        return parsed


def find_chat_model() -> ChatModel | None:
    """The configured chat model, or None: `CHAT_MODEL` and an endpoint must both be set."""
    if not settings.CHAT_MODEL or not (settings.OPENAI_BASE_URL or settings.OPENAI_API_KEY):
        return None
    return _make_chat_model(settings.CHAT_MODEL, settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY)


@functools.lru_cache(maxsize=8)
def _make_chat_model(name: str, base_url: str, api_key: str) -> ChatModel:
    return ChatModel(name, openai.OpenAI(base_url=base_url or None, api_key=api_key or "none", max_retries=0))
