"""The record of one pack or one answer: what was asked, found, told, cut and said, and what it cost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from runtime.context.core.pack import ChatMessage, Item, Pack, Part, Provenance

TraceKind = Literal["pack", "chat"]
MAX_ITEMS = 500
"""Of one trace; of more, those that were cut last are left out."""
TEXT_FIELDS = frozenset({"query", "message", "mood"})
"""What of a request is somebody's words."""
Lack = Literal["", "too_large", "cut_items", "keys_missing"]
"""What of a trace's texts could not be kept: nothing is missing, all of them, those of cut items, all of them."""


@dataclass(frozen=True, slots=True)
class TracedItem:
    """One thing that was found: told, or cut for a reason."""

    layer: str
    item: Item
    tokens: int
    rendered: str = ""
    reason: str | None = None
    """Why it was cut; None where it was told."""

    @property
    def was_told(self) -> bool:
        """Whether the model read it."""
        return self.reason is None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One step that fetched something."""

    name: str
    status: str
    npc_id: str | None = None
    latency_ms: float | None = None


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a chat model; None where the server does not count."""

    model: str
    finish_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None


@dataclass(frozen=True, slots=True)
class CanonCheck:
    """What was wrong with one reply. `contradictions`: claim, explanation and the sources that deny it."""

    follows_language: bool
    language: str
    claims: int
    contradictions: tuple[Mapping[str, Any], ...] = ()
    suspects: tuple[Mapping[str, Any], ...] = ()
    """Claim, slug, excerpt and reason of what is near a statement of canon; nothing follows from it."""
    checked_by: str = ""
    """`off`, `rules` or `model`."""
    judge_version: str = ""
    """Of the judge's weights; empty where none read it."""


@dataclass(frozen=True, slots=True)
class TraceDraft:
    """All that is recorded of one turn. What is None was not given."""

    kind: TraceKind
    tenant_id: int
    world_id: int
    request: Mapping[str, Any]
    """What was asked, as it was asked, with `query`, `prompt_version`, `prompt_source` and `persona_version`."""
    releases: Mapping[str, int]
    embedder: str
    items: tuple[TracedItem, ...]
    tokens_by_layer: Mapping[str, int]
    tokens: int
    limit: int
    messages_digest: str
    steps_ms: Mapping[str, float]
    language: str = ""
    user_id: str | None = None
    session_id: str | None = None
    npc_id: str | None = None
    party_id: str | None = None
    scene_id: str | None = None
    message_id: int | None = None
    reply_message_id: int | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    model_calls: tuple[ModelCall, ...] = ()
    cost: float | None = None
    checks: tuple[CanonCheck, ...] = ()
    degraded: tuple[str, ...] = ()

    @property
    def message_ids(self) -> tuple[int, ...]:
        """Every message whose words, or words derived from it, stand in the trace."""
        named = [self.message_id, self.reply_message_id]
        evidence = (each for traced in self.items for each in traced.item.provenance.evidence)
        return tuple(sorted({*evidence, *(each for each in named if each is not None)}))

    @property
    def fact_ids(self) -> tuple[int, ...]:
        """Every fact whose value stands in the trace."""
        named = (traced.item.id.removeprefix("fact:") for traced in self.items if traced.item.id.startswith("fact:"))
        return tuple(int(each) for each in named if each.isdecimal())


@dataclass(frozen=True, slots=True)
class Recorded:
    """A trace in two parts: `outline` holds no word that anybody said, `texts` all of them."""

    outline: dict[str, Any]
    texts: dict[str, Any]


def list_items(pack: Pack) -> tuple[TracedItem, ...]:
    """Everything of a pack: first what is told, in the order of telling, then what was cut."""
    told = [
        TracedItem(layer.name, packed.item, packed.tokens, packed.rendered)
        for layer in pack.layers
        for packed in layer.items
    ]
    cut = [TracedItem(each.layer, each.item, each.tokens, reason=each.reason) for each in pack.cut]
    return (*told, *cut)


def digest_messages(messages: Sequence[ChatMessage]) -> str:
    """SHA-256 of the messages as a chat model reads them."""
    pairs = [[message.role, message.content] for message in messages]
    return hashlib.sha256(json.dumps(pairs, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def split_draft(draft: TraceDraft) -> Recorded:
    """The draft as it is stored."""
    items = draft.items[:MAX_ITEMS]
    request = {name: value for name, value in draft.request.items() if value is not None}
    outline = {
        "request": {name: value for name, value in request.items() if name not in TEXT_FIELDS},
        "language": draft.language,
        "items": [_outline_item(each) for each in items],
        "items_left_out": len(draft.items) - len(items),
        "tool_calls": [_drop_none(name=each.name, status=each.status, npc_id=each.npc_id, latency_ms=each.latency_ms)
                       for each in draft.tool_calls],
        "model_calls": [
            {
                "model": each.model,
                "finish_reason": each.finish_reason,
                "prompt_tokens": each.prompt_tokens,
                "completion_tokens": each.completion_tokens,
            }
            for each in draft.model_calls
        ],
        "checks": [
            {
                "follows_language": each.follows_language,
                "language": each.language,
                "claims": each.claims,
                "contradictions": len(each.contradictions),
                "suspects": len(each.suspects),
                "checked_by": each.checked_by,
                "judge_version": each.judge_version,
                "found_by": [str(found.get("found_by", "")) for found in each.contradictions],
            }
            for each in draft.checks
        ],
        "messages_digest": draft.messages_digest,
    }  # fmt: skip
    texts = {
        "request": {name: value for name, value in request.items() if name in TEXT_FIELDS},
        "items": [_render_item(each) for each in items],
        "contradictions": [list(map(dict, each.contradictions)) for each in draft.checks],
        "suspects": [list(map(dict, each.suspects)) for each in draft.checks],
    }
    return Recorded(outline, texts)


def drop_cut_texts(recorded: Recorded) -> Recorded:
    """The same without the words of what was cut."""
    kept = [
        text if outline["reason"] is None else None
        for outline, text in zip(recorded.outline["items"], recorded.texts["items"], strict=True)
    ]
    return Recorded(recorded.outline, {**recorded.texts, "items": kept})


def join_items(outline: Mapping[str, Any], texts: Mapping[str, Any] | None) -> tuple[TracedItem, ...]:
    """The items as they were found; those whose words are gone have none."""
    told = (texts or {}).get("items") or [None] * len(outline["items"])
    return tuple(_join_item(each, text) for each, text in zip(outline["items"], told, strict=True))


def count_told(items: Iterable[TracedItem]) -> dict[str, int]:
    """Layer to how many items the model read."""
    counts: dict[str, int] = {}
    for each in items:
        if each.was_told:
            counts[each.layer] = counts.get(each.layer, 0) + 1
    return counts


def _outline_item(traced: TracedItem) -> dict[str, Any]:
    source = traced.item.provenance
    return {
        "layer": traced.layer,
        "id": traced.item.id,
        "source": source.source,
        "release": source.release,
        "evidence": list(source.evidence),
        "scores": dict(source.scores),
        "tokens": traced.tokens,
        "reason": traced.reason,
        "protected": traced.item.is_protected,
        "priority": traced.item.priority,
    }


def _render_item(traced: TracedItem) -> dict[str, Any]:
    item = traced.item
    return {
        "text": item.text,
        "rendered": traced.rendered,
        "ids": dict(item.provenance.ids),
        "template": item.template,
        "values": dict(item.values),
        "terms": dict(item.terms),
        "parts": [{"name": part.name, "text": part.text, "terms": dict(part.terms)} for part in item.parts],
    }


def _join_item(outline: Mapping[str, Any], text: Mapping[str, Any] | None) -> TracedItem:
    told = text or {"text": "", "rendered": "", "ids": {}, "template": "item", "values": {}, "terms": {}, "parts": []}
    item = Item(
        id=outline["id"],
        text=told["text"],
        provenance=Provenance(
            outline["source"], told["ids"], outline["release"], tuple(outline["evidence"]), outline["scores"]
        ),
        template=told["template"],
        values=told["values"],
        terms=told["terms"],
        parts=tuple(Part(each["name"], each["text"], each["terms"]) for each in told["parts"]),
        priority=outline["priority"],
        is_protected=outline["protected"],
    )
    return TracedItem(outline["layer"], item, outline["tokens"], told["rendered"], outline["reason"])


def _drop_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
