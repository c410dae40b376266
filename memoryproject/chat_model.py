"""The chat model, if one is configured: any OpenAI-compatible endpoint. It only ever proposes."""

from __future__ import annotations

import functools
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

from django.conf import settings
from jsonschema import Draft202012Validator

from memoryproject.database import release_connections
from memoryproject.errors import UnavailableError
from memoryproject.lazy_modules import LazyModule
from memoryproject.model_answers import UNUSABLE, make_client

if TYPE_CHECKING:
    import openai
    from openai.types.chat import ChatCompletionMessageParam
else:
    openai = LazyModule("openai")

MAX_SCHEMA_TRIES = 2
"""One answer and one repair."""
MAX_NAME_LENGTH = 200
MAX_COUNTED_TOKENS = 1_000_000_000
"""A server that counts more miscounts."""
MAX_CHARACTERS_PER_TOKEN = 64
_NO_FORM = "The chat model's answer is not in the form that was agreed."
_NOT_TEXT = re.compile(r"[\x00\ud800-\udfff]")


class ModelUnavailable(UnavailableError):
    """The chat model did not answer in time, or answered with an error or with something unusable."""

    code = "model_unavailable"
    example = "The chat model did not answer; the player's words are kept as `message_id`."
    calls: tuple[ChatReply, ...] = ()
    """What was answered, and is to be paid, before it failed."""


class ModelAnswerUnusable(ModelUnavailable):
    """The chat model answered, and nothing can be made of it: empty, endless, no text, or not in the form asked for."""


class ModelRefused(ModelUnavailable):
    """The chat model declined to answer; asking the same again will not help."""

    code = "model_refused"
    example = "The chat model declined to answer; the player's words are kept as `message_id`."


class ChatMessage(TypedDict):
    """One message of a talk, as chat models take it."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What the model said, and what it cost in tokens; None where the server does not count."""

    text: str
    model: str
    finish_reason: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class SchemaAnswer:
    """A document in the form that was asked for, and the calls that it took."""

    document: dict[str, Any]
    calls: tuple[ChatReply, ...]


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A model by name behind a client. Who waits for it holds no connection to the database meanwhile."""

    name: str
    client: openai.OpenAI

    def ask_for_json(self, *, system: str, user: str, timeout_seconds: float, max_tokens: int = 400) -> dict[str, Any]:
        """The model's answer as a JSON object, at temperature 0. Raises ModelUnavailable."""
        release_connections()
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
        except UNUSABLE as error:
            raise ModelAnswerUnusable("The chat model's answer is not the JSON that was asked for.") from error
        if not isinstance(parsed, dict):
            raise ModelAnswerUnusable("The chat model's answer is not a JSON object.")
        return parsed

    def ask_for_schema(
        self,
        *,
        system: str,
        user: str,
        schema: Mapping[str, Any],
        timeout_seconds: float,
        max_tokens: int,
        sent_schema: Mapping[str, Any] | None = None,
    ) -> SchemaAnswer:
        """The model's answer in the form of a JSON Schema, at temperature 0, checked here whatever the server says.

        A server that knows no `json_schema` is asked for a plain JSON object; `sent_schema` is what it is sent where
        servers know fewer keywords than `schema` uses. An answer in another form is asked for once more, within the
        same time. Raises ModelUnavailable, ModelRefused, with the calls that are to be paid as `calls`.
        """
        release_connections()
        deadline = time.monotonic() + timeout_seconds
        messages: list[ChatMessage] = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        calls: list[ChatReply] = []
        try:
            for _ in range(MAX_SCHEMA_TRIES):
                reply = self._ask_once(messages, sent_schema or schema, deadline=deadline, max_tokens=max_tokens)
                calls.append(reply)
                document, flaw = _read_document(reply.text, schema)
                if document is not None:
                    return SchemaAnswer(document, tuple(calls))
                messages = [
                    *messages,
                    {"role": "assistant", "content": reply.text},
                    {"role": "user", "content": f"That is not in the form that was asked for: {flaw}. JSON only."},
                ]
        except ModelUnavailable as error:
            error.calls = (*calls, *error.calls)
            raise
        failure = ModelAnswerUnusable("The chat model's answer is not in the form that was asked for.")
        failure.calls = tuple(calls)
        raise failure

    def _ask_once(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any], *, deadline: float, max_tokens: int
    ) -> ChatReply:
        """One answer; asked again without the schema where the server refuses it."""
        strict = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": dict(schema)}}
        for form in (strict, {"type": "json_object"}):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            with _refusals():
                try:
                    answer = self.client.with_options(timeout=left, max_retries=0).chat.completions.create(
                        model=self.name,
                        messages=_as_parameters(messages),
                        temperature=0,
                        max_tokens=max_tokens,
                        response_format=cast("Any", form),
                    )
                except (openai.BadRequestError, openai.UnprocessableEntityError):
                    if form is strict:
                        continue
                    raise
                try:
                    return self._read_completion(answer, max_tokens=max_tokens)
                except ModelUnavailable as error:
                    error.calls = (self._count(answer),)
                    raise
        raise ModelUnavailable("The chat model did not answer in time.")

    def _read_completion(self, answer: Any, *, max_tokens: int) -> ChatReply:
        """The reply in an answer. Raises ModelRefused, ModelAnswerUnusable, and what `UNUSABLE` holds."""
        choice = answer.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise ModelRefused("The chat model declined to answer.")
        text = _check_text(choice.message.content or "", max_tokens=max_tokens)
        return self._conclude(text, answer.model, choice.finish_reason, answer.usage)

    def _count(self, answer: Any) -> ChatReply:
        """What an answer that cannot be used took."""
        usage = getattr(answer, "usage", None)
        return ChatReply(
            "", self.name, "", _read_count(usage, "prompt_tokens"), _read_count(usage, "completion_tokens")
        )

    def chat(self, messages: Sequence[ChatMessage], *, timeout_seconds: float, max_tokens: int) -> ChatReply:
        """The model's reply. Raises ModelUnavailable, ModelRefused."""
        release_connections()
        with _refusals():
            answer = self.client.with_options(timeout=timeout_seconds, max_retries=0).chat.completions.create(
                model=self.name, messages=_as_parameters(messages), max_tokens=max_tokens
            )
            return self._read_completion(answer, max_tokens=max_tokens)

    def stream_chat(
        self, messages: Sequence[ChatMessage], *, timeout_seconds: float, max_tokens: int
    ) -> Iterator[str | ChatReply]:
        """The reply piece by piece, and last the whole ChatReply. Raises ModelUnavailable, ModelRefused, also midway.

        `timeout_seconds` bounds the wait for each piece. Closing the iterator ends the request.
        """
        release_connections()
        pieces: list[str] = []
        said = 0
        model: Any = self.name
        finish_reason: Any = ""
        usage: Any = None
        with _refusals():
            stream = self.client.with_options(timeout=timeout_seconds, max_retries=0).chat.completions.create(
                model=self.name,
                messages=_as_parameters(messages),
                max_tokens=max_tokens,
                stream=True,
                stream_options={"include_usage": True},
            )
            with stream:
                for event in stream:
                    model, usage = event.model or model, event.usage or usage
                    for choice in event.choices[:1]:
                        finish_reason = choice.finish_reason or finish_reason
                        if choice.delta.refusal or finish_reason == "content_filter":
                            raise ModelRefused("The chat model declined to answer.")
                        if choice.delta.content:
                            said += len(choice.delta.content)
                            pieces.append(_check_text(choice.delta.content, max_tokens=max_tokens, length=said))
                            yield pieces[-1]
            if not finish_reason:
                raise ModelUnavailable("The chat model's answer broke off.")
            yield self._conclude("".join(pieces), model, finish_reason, usage)

    def _conclude(self, text: str, model: Any, finish_reason: Any, usage: Any) -> ChatReply:
        if not text.strip():
            raise ModelAnswerUnusable("The chat model's answer is empty.")
        return ChatReply(
            text=text,
            model=_read_name(model) or self.name,
            finish_reason=_read_name(finish_reason),
            prompt_tokens=_read_count(usage, "prompt_tokens"),
            completion_tokens=_read_count(usage, "completion_tokens"),
        )


def find_chat_model() -> ChatModel | None:
    """The configured chat model, or None: `CHAT_MODEL` and an endpoint must both be set."""
    if not settings.CHAT_MODEL or not (settings.OPENAI_BASE_URL or settings.OPENAI_API_KEY):
        return None
    return _make_chat_model(settings.CHAT_MODEL, settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY)


def find_check_model() -> ChatModel | None:
    """The model that checks replies: `CHECK_MODEL`, else the chat model; None where no endpoint is set."""
    return _find_model(settings.CHECK_MODEL)


def find_extraction_model() -> ChatModel | None:
    """The model that proposes facts: `EXTRACTION_MODEL`, else the chat model; None where no endpoint is set."""
    return _find_model(settings.EXTRACTION_MODEL)


def find_event_model() -> ChatModel | None:
    """The model that extracts events: `EVENTS_MODEL`, else the chat model; None where no endpoint is set."""
    return _find_model(settings.EVENTS_MODEL)


def find_expansion_model() -> ChatModel | None:
    """The model that says what a vague question means: `EVENTS_EXPANSION_MODEL`; None without one, or an endpoint."""
    return _find_model(settings.EVENTS_EXPANSION_MODEL) if settings.EVENTS_EXPANSION_MODEL else None


def _find_model(name: str) -> ChatModel | None:
    if not name:
        return find_chat_model()
    if not (settings.OPENAI_BASE_URL or settings.OPENAI_API_KEY):
        return None
    return _make_chat_model(name, settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY)


def _read_document(text: str, schema: Mapping[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """The JSON object of an answer, or what is wrong with it."""
    try:
        document = json.loads(text)
    except UNUSABLE:
        return None, "no JSON"
    try:
        error = next(iter(Draft202012Validator(dict(schema)).iter_errors(document)), None)
    except UNUSABLE:
        return None, "no JSON that can be read"
    if error is not None:
        return None, f"at {error.json_path}"
    return document, ""


def _as_parameters(messages: Sequence[ChatMessage]) -> list[ChatCompletionMessageParam]:
    return [cast("ChatCompletionMessageParam", dict(message)) for message in messages]


def _check_text(text: str, *, max_tokens: int, length: int | None = None) -> str:
    """The text, if it is some and about as long as was asked for; `length` is that of the reply so far."""
    if _NOT_TEXT.search(text):
        raise ModelAnswerUnusable("The chat model's answer holds NUL or half of a surrogate pair, which is not text.")
    if (len(text) if length is None else length) > max_tokens * MAX_CHARACTERS_PER_TOKEN:
        raise ModelAnswerUnusable(f"The chat model's answer is far longer than the {max_tokens} tokens asked for.")
    return text


def _read_name(value: Any) -> str:
    """What a server calls something, or an empty text where that is no name."""
    is_name = isinstance(value, str) and len(value) <= MAX_NAME_LENGTH and not _NOT_TEXT.search(value)
    return value if is_name else ""


def _read_count(usage: Any, name: str) -> int | None:
    """What a server counted, or None where that is no count."""
    count = getattr(usage, name, None)
    is_count = isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= MAX_COUNTED_TOKENS
    return count if is_count else None


@contextmanager
def _refusals() -> Iterator[None]:
    """Turns what the client and an unusable answer raise into ModelUnavailable."""
    try:
        yield
    except openai.OpenAIError as error:
        raise ModelUnavailable(f"The chat model failed: {type(error).__name__}.") from error
    except UNUSABLE as error:
        raise ModelAnswerUnusable(_NO_FORM) from error


@functools.lru_cache(maxsize=8)
def _make_chat_model(name: str, base_url: str, api_key: str) -> ChatModel:
    return ChatModel(name, make_client(base_url=base_url or None, api_key=api_key or "none"))
