"""What a model is shown of a range: known facts and messages by their places, texts as JSON strings, a line each.

A JSON string is the fence: no quote, line break or control token in a text can close it. No id, no time and no name of
ours is shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from factcheck.extraction.core.given import Given, GivenFact, GivenMessage
from factcheck.instant.core.author_spans import merge_spans
from factcheck.instant.core.narrative_modes import Span, detect_narrative_mode, list_asides
from knowledge.facts.core.types import RANKED_TYPES
from knowledge.text.tokens import count_tokens

MAX_FACT_TOKENS = 500
"""Of what is known. Source: seed 002, fix 1B."""
MAX_PIECE_TOKENS = 1_500
"""A longer message is shown in pieces under one number, so that none is cut off."""
MAX_PIECE_LENGTH = 6_000
"""Characters; pieces are counted by these first, since counting tokens of a megabyte takes a second."""
CONTEXT_LINES = 2
MAX_CONTEXT_TOKENS = 400
"""What a further call is shown again of the messages before its own."""
LEFT_OUT = "[…]"
_ROLES = ("user", "assistant")
_CONTROL_TOKEN = re.compile(r"[<\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]|\[(?=/?[A-Z_]{2,}\])")
_BREAK = re.compile(r"\s(?=\S*$)")


@dataclass(frozen=True, slots=True)
class PromptLine:
    """A message, or a piece of one, as it is shown; `message` is its place in what was given."""

    message: int
    role: str
    session: int
    is_new: bool
    text: str

    def render(self) -> str:
        """One line of JSON."""
        head = {"message": self.message, "role": self.role, "session": self.session, "new": self.is_new}
        return f"{json.dumps(head)[:-1]}, {json.dumps('text')}: {render_text(self.text)}}}"

    @property
    def tokens(self) -> int:
        """With the line break."""
        return count_tokens(self.render()) + 1


def render_text(text: str) -> str:
    """A text as a JSON string that neither a reader of lines nor a tokenizer with control tokens takes for its end."""
    return _CONTROL_TOKEN.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def render_facts(facts: Sequence[GivenFact], *, max_tokens: int = MAX_FACT_TOKENS) -> str:
    """What is known as a compact JSON list in the order of its numbers; what matters least is left out first."""
    ranked = sorted(enumerate(facts, 1), key=lambda each: _rank(each[1]))
    kept: list[tuple[int, str]] = []
    left = max_tokens - 2
    for place, fact in ranked:
        row = _render_fact(place, fact)
        left -= count_tokens(row) + 1
        if left < 0:
            break
        kept.append((place, row))
    return f"[{','.join(row for _, row in sorted(kept))}]"


def list_lines(given: Given) -> list[PromptLine]:
    """What is shown of each message: none of systems, of characters no words but asides, no echoes of a pack."""
    lines: list[PromptLine] = []
    sessions: dict[int, int] = {}
    for place, message in enumerate(given.messages, 1):
        text = _show(message)
        if message.role not in _ROLES or not text.strip():
            continue
        session = sessions.setdefault(message.session, len(sessions) + 1)
        line = PromptLine(place, message.role, session, message.is_new, text)
        lines += [replace(line, text=piece) for piece in _cut(text)]
    return lines


def split_lines(lines: Sequence[PromptLine], max_tokens: int) -> list[list[PromptLine]]:
    """The lines in order, in parts that each take at most so many tokens; parts without a new message are dropped.

    A further part begins with the last messages of the one before, as far as they are short.
    """
    parts: list[list[PromptLine]] = []
    part: list[PromptLine] = []
    used = 0
    for line in lines:
        tokens = line.tokens
        if part and used + tokens > max_tokens:
            parts.append(part)
            part = _list_context(part, min(MAX_CONTEXT_TOKENS, max_tokens - tokens))
            used = sum(each.tokens for each in part)
        part.append(line)
        used += tokens
    parts.append(part)
    return [part for part in parts if any(line.is_new and line.role == "user" for line in part)]


def _list_context(part: Sequence[PromptLine], max_tokens: int) -> list[PromptLine]:
    """The last lines as context. What was new in the call before is not new in the next."""
    kept: list[PromptLine] = []
    for line in reversed(part[-CONTEXT_LINES:]):
        max_tokens -= line.tokens
        if max_tokens < 0:
            break
        kept.insert(0, replace(line, is_new=False))
    return kept


def _rank(fact: GivenFact) -> tuple[bool, int, float]:
    """What protects a person first, then by type, the newest of a type first."""
    rank = RANKED_TYPES.index(fact.type) if fact.type in RANKED_TYPES else len(RANKED_TYPES)
    return (not fact.is_protected, rank, -fact.said_at.timestamp())


def _render_fact(place: int, fact: GivenFact) -> str:
    disputed = ',"disputed":true' if fact.is_disputed else ""
    texts = f'"key":{render_text(fact.key)},"value":{render_text(fact.value)}'
    return f'{{"fact":{place},"type":{render_text(fact.type)},{texts}{disputed}}}'


def _show(message: GivenMessage) -> str:
    """The text without what may prove nothing."""
    return hide_spans(message.content, [*message.echoes, *(_list_played(message) if message.role == "user" else ())])


def hide_spans(text: str, spans: Sequence[Span]) -> str:
    """The text with each of the spans left out."""
    shown, position = [], 0
    for start, end in merge_spans(list(spans)):
        shown.append(text[position:start])
        position = max(position, end)
    return LEFT_OUT.join([*shown, text[position:]]).replace(LEFT_OUT * 2, LEFT_OUT).removeprefix(LEFT_OUT)


def _list_played(message: GivenMessage) -> list[Span]:
    """The ranges of a message in character outside of its asides."""
    mode = detect_narrative_mode(message.content) if message.frame == "unknown" else message.frame
    if mode != "in_character":
        return []
    played, position = [], 0
    for start, end in merge_spans(list_asides(message.content)):
        played.append((position, start))
        position = end
    return [span for span in [*played, (position, len(message.content))] if span[0] < span[1]]


def _cut(text: str) -> Iterator[str]:
    """Pieces of at most `MAX_PIECE_TOKENS`, at blanks where there are any."""
    position = 0
    while position < len(text):
        piece = text[position : position + MAX_PIECE_LENGTH]
        while len(piece) > 1 and count_tokens(render_text(piece)) > MAX_PIECE_TOKENS:
            piece = piece[: len(piece) // 2]
        if position + len(piece) < len(text):
            blank = _BREAK.search(piece, len(piece) // 2)
            piece = piece[: blank.end()] if blank else piece
        yield piece
        position += len(piece)
