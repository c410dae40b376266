"""A chat model extracts events: one call a chunk, with one repair, in the form of seed 001."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from episodes.events.core.plot import PLOT_SCHEMA
from factcheck.extraction.core.prompt_input import render_text
from factcheck.extraction.proposers.base import NO_PRICES, Prices, ProposerError, count_paid
from factcheck.extraction.proposers.chat import CALL_OVERHEAD_TOKENS, name_failure, simplify_schema
from factcheck.extraction.proposers.prompts import choose_prompt, name_prompt_version
from factcheck.plots.core.chunk import Chunk, shorten_lines
from factcheck.plots.proposers.base import PlotProposal
from factcheck.plots.proposers.prompts import PlotPrompt
from knowledge.text.tokens import count_tokens
from memoryproject.chat_model import ChatModel, ModelUnavailable

LINE_TOKENS = 24
"""What the form of one line takes beside its text."""
MIN_ROOM_TOKENS = 500


@dataclass(frozen=True)
class ChatPlotProposer:
    """Asks `chat_model`. None: not configured."""

    chat_model: ChatModel | None
    prompts: Mapping[str, PlotPrompt]
    prices: Prices = NO_PRICES
    max_tokens: int = 6000
    answer_tokens: int = 2000
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
            return "No chat model is configured: no events are extracted."
        return f"The chat model {self.model} extracts events, one call a chunk; a gate checks every name against it."

    def propose(self, chunk: Chunk, *, timeout_seconds: float) -> PlotProposal:
        """What the model makes of the chunk. Raises ProposerError."""
        if self.chat_model is None:
            raise ProposerError("No chat model is configured.", code="model_unavailable")
        prompt = choose_prompt(self.prompts, chunk.language)
        try:
            answer = self.chat_model.ask_for_schema(
                system=prompt.system,
                user=self.render_question(prompt, chunk),
                schema=PLOT_SCHEMA,
                sent_schema=SENT_SCHEMA,
                timeout_seconds=timeout_seconds,
                max_tokens=self.answer_tokens,
            )
        except ModelUnavailable as error:
            paid = count_paid(error.calls, self.prices)
            raise ProposerError(error.detail, code=name_failure(error), paid=paid) from error
        return PlotProposal(answer.document, count_paid(answer.calls, self.prices))

    def render_question(self, prompt: PlotPrompt, chunk: Chunk) -> str:
        """The user's turn: each message a line of JSON, so that no text can close its fence."""
        told = count_tokens(prompt.system) + count_tokens(prompt.render("")) + CALL_OVERHEAD_TOKENS
        room = max(self.max_tokens - told - LINE_TOKENS * len(chunk.lines), MIN_ROOM_TOKENS)
        texts = shorten_lines((line.shown for line in chunk.lines), room)
        lines = [
            f"{json.dumps({'message': place, 'role': line.role})[:-1]}, {json.dumps('speaker')}: "
            f"{render_text(line.speaker)}, {json.dumps('text')}: {render_text(text)}}}"
            for place, (line, text) in enumerate(zip(chunk.lines, texts, strict=True), 1)
            if text.strip()
        ]
        return prompt.render("\n".join(lines))


def require_all(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with all members required: strict servers refuse optional ones. An empty text says the same."""
    return {**schema, "required": list(schema["properties"])}


SENT_SCHEMA: dict[str, Any] = simplify_schema(require_all(PLOT_SCHEMA))
"""What a server with strict schemas is sent."""
