"""A context pack: what a model is given for one turn, in layers, each line with where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

LAYERS = (
    "system",
    "memory_rules",
    "rules",
    "lore",
    "summaries",
    "state",
    "npc",
    "facts",
    "episodes",
    "events",
    "notebook",
    "pending",
    "art",
    "preferences",
    "instructions",
    "talk",
    "user",
)
"""All layers in the order in which they are rendered. Source: seeds 000 §8.6, 002 data flow, 004; ADR 22."""

USER = "user"
MEMORY_RULES = "memory_rules"
MEMORY_LAYERS = frozenset({"facts", "episodes", "events"})
"""What the memory rules speak of: without any of it in the pack they are not told."""
TALKS = frozenset({"pending", "talk"})
"""Layers whose items follow upon each other: when one is left out, all older ones are."""

FUSED_PLACE, RERANK_PLACE, PLACE = "fused_place", "rerank_place", "place"
"""Names among an item's scores; places count from 1."""

CutReason = Literal["too_many_items", "layer_full", "budget_full", "older_than_cut", "repeated", "not_called_for"]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a line comes from. `ids` hold whatever finds it again, `evidence` the messages that it rests on."""

    source: str
    ids: Mapping[str, Any] = field(default_factory=dict)
    release: int | None = None
    evidence: tuple[int, ...] = ()
    scores: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """A further line of an item: a neighbour of a message, a summary of it."""

    name: str
    text: str
    terms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Item:
    """One whole thing to be told, or not at all.

    `text` is as it was found; rendering makes it harmless. `template` names the line of the layer's frame that tells
    it, `values` what else stands in that line, `terms` values that are words of the prompt's language, by their key.
    """

    id: str
    text: str
    provenance: Provenance
    template: str = "item"
    values: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    priority: int = 0
    """Within its layer; the higher stays the longer. Of equals the first stays."""
    repeats: tuple[str, ...] = ()
    """Items that say in full what this one sums up: where half of them are told, it is cut as repeated."""
    is_protected: bool = False
    """Never cut: the rules, the message to be answered, allergies and bans, the first standing instructions."""
    is_apart: bool = False
    """In a layer of talk no message between others: it has room of its own and leaves no gap."""
    is_relevant: bool = True
    """Whether the turn needs it; what was found and is not needed is never told."""


@dataclass(frozen=True, slots=True)
class Layer:
    """What there is to be told in one layer, in the order of telling."""

    name: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class PackedItem:
    """An item that is told, as the model reads it."""

    item: Item
    rendered: str
    tokens: int


@dataclass(frozen=True, slots=True)
class PackedLayer:
    """What is told of one layer; `tokens` count its block with the frame."""

    name: str
    items: tuple[PackedItem, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Cut:
    """An item that is left out."""

    layer: str
    item: Item
    tokens: int
    reason: CutReason


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message for a chat model."""

    role: Literal["system", "user"]
    content: str


@dataclass(frozen=True, slots=True)
class Pack:
    """A context pack. `tokens` are those of `messages` with what a chat model adds to each."""

    language: str
    prompt_version: int
    prompt_source: str
    limit: int
    tokens: int
    layers: tuple[PackedLayer, ...]
    cut: tuple[Cut, ...]
    messages: tuple[ChatMessage, ...]

    @property
    def tokens_by_layer(self) -> dict[str, int]:
        """The tokens of every layer that tells something."""
        return {layer.name: layer.tokens for layer in self.layers}
