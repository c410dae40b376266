"""A chat model as a proposer: any OpenAI-compatible server, asked for a strict form, held to it here."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from factcheck.extraction.core.deltas import DELTA_SCHEMA, parse_deltas
from factcheck.extraction.core.given import Given
from factcheck.extraction.core.prompt_input import PromptLine, list_lines, render_facts, split_lines
from factcheck.extraction.proposers.base import (
    NO_PRICES,
    NOTHING_PAID,
    TOKENS_PRICED,
    FailureCode,
    Paid,
    Prices,
    Proposal,
    ProposerError,
    count_paid,
)
from factcheck.extraction.proposers.prompts import ExtractionPrompt, choose_prompt, name_prompt_version
from knowledge.text.tokens import count_tokens
from memoryproject.chat_model import ChatModel, ModelAnswerUnusable, ModelRefused, ModelUnavailable

CALL_OVERHEAD_TOKENS = 16
"""What servers put around two messages."""
MIN_MESSAGE_TOKENS = 500
"""A prompt that leaves less for messages is told of by the first call: its limit is too low."""
_BOUNDS = ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum")
_TYPES = {str: "string", int: "integer"}


@dataclass(frozen=True)
class ChatProposer:
    """Asks `chat_model`, of ranges that are longer than `max_tokens` in several calls. None: not configured."""

    chat_model: ChatModel | None
    prompts: Mapping[str, ExtractionPrompt]
    prices: Prices = NO_PRICES
    max_tokens: int = 6000
    answer_tokens: int = 4000
    name: str = "openai"

    @property
    def model(self) -> str:
        """As the server calls it."""
        return self.chat_model.name if self.chat_model else ""

    @property
    def prompt_version(self) -> str:
        """Of the prompts of all languages."""
        return name_prompt_version(self.prompts)

    def describe(self) -> str:
        """For `/status`."""
        if self.chat_model is None:
            return "No chat model is configured: nothing is proposed."
        return f"The chat model {self.model} proposes facts; a gate checks every word before any counts."

    def propose(self, given: Given, *, language: str, timeout_seconds: float) -> Proposal:
        """The deltas of all calls, in order; later ones that say the same again are left out. Raises ProposerError."""
        if self.chat_model is None:
            raise ProposerError("No chat model is configured.", code="model_unavailable")
        prompt = choose_prompt(self.prompts, language)
        facts = render_facts(given.facts)
        deadline = time.monotonic() + timeout_seconds
        paid, found = NOTHING_PAID, dict[str, dict[str, Any]]()
        for part in split_lines(list_lines(given), self._find_room(prompt, facts)):
            document, spent = self._ask(self.chat_model, prompt, facts, part, deadline=deadline, paid=paid)
            paid += spent
            for delta in document["deltas"]:
                found.setdefault(_identify(delta), delta)
        document = {"deltas": list(found.values())}
        answer = json.dumps(document, ensure_ascii=False)
        return Proposal(
            tuple(parse_deltas(document)), answer, paid.prompt_tokens, paid.completion_tokens, paid.cost, paid.calls
        )

    def estimate(self, given: Given, *, language: str) -> Paid:
        """What asking would take: the prompts as they would be sent, the answers as long as they may be."""
        prompt = choose_prompt(self.prompts, language)
        facts = render_facts(given.facts)
        parts = split_lines(list_lines(given), self._find_room(prompt, facts))
        told = sum(
            count_tokens(prompt.system) + count_tokens(prompt.render_question(facts, part)) + CALL_OVERHEAD_TOKENS
            for part in parts
        )
        answered = len(parts) * self.answer_tokens
        cost = (told * self.prices.prompt + answered * self.prices.completion) / TOKENS_PRICED
        return Paid(len(parts), told, answered, cost)

    def _find_room(self, prompt: ExtractionPrompt, facts: str) -> int:
        told = count_tokens(prompt.system) + count_tokens(prompt.render_question(facts, [])) + CALL_OVERHEAD_TOKENS
        return max(self.max_tokens - told, MIN_MESSAGE_TOKENS)

    def _ask(
        self,
        model: ChatModel,
        prompt: ExtractionPrompt,
        facts: str,
        part: list[PromptLine],
        *,
        deadline: float,
        paid: Paid,
    ) -> tuple[dict[str, Any], Paid]:
        """One answer, and what it took with its repair. `paid` before it counts when it fails."""
        try:
            answer = model.ask_for_schema(
                system=prompt.system,
                user=prompt.render_question(facts, part),
                schema=DELTA_SCHEMA,
                sent_schema=SENT_SCHEMA,
                timeout_seconds=max(deadline - time.monotonic(), 0.0),
                max_tokens=self.answer_tokens,
            )
        except ModelUnavailable as error:
            spent = paid + count_paid(error.calls, self.prices)
            raise ProposerError(error.detail, code=name_failure(error), paid=spent) from error
        return answer.document, count_paid(answer.calls, self.prices)


def simplify_schema(schema: Any) -> Any:
    """A JSON Schema with the keywords that servers know: types beside enums, no bounds. Ours are checked here."""
    if isinstance(schema, list):
        return [simplify_schema(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    simple = {name: simplify_schema(each) for name, each in schema.items() if name not in _BOUNDS}
    if "enum" in simple and "type" not in simple:
        simple = {"type": _TYPES[str if isinstance(simple["enum"][0], str) else int], **simple}
        simple["enum"] = [str(each) if isinstance(each, str) else each for each in simple["enum"]]
    return simple


SENT_SCHEMA: dict[str, Any] = simplify_schema(DELTA_SCHEMA)
"""What a server with strict schemas is sent."""


def _identify(delta: Mapping[str, Any]) -> str:
    """What makes two deltas the same: all but their quotes and their confidence."""
    said = [str(delta[name]).casefold() for name in ("operation", "fact", "type", "key", "value", "subject", "stance")]
    return json.dumps(said)


def name_failure(error: ModelUnavailable) -> FailureCode:
    """How a proposer that asks a model fails."""
    if isinstance(error, ModelRefused):
        return "model_refused"
    return "model_unusable" if isinstance(error, ModelAnswerUnusable) else "model_unavailable"
