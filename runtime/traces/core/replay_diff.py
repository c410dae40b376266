"""Two looks at one turn, and what differs between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from runtime.context.core.pack import CutReason, Item, Layer
from runtime.traces.core.traces import TracedItem

SCORE_DIFFERS_BY = 1e-6
CANON_LAYERS = {"lore": "lore", "rules": "srd"}
"""Layers that are searched for again in the release that was read, with its domain."""
NOT_CALLED_FOR: CutReason = "not_called_for"


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One thing that was told then and now, but otherwise."""

    then: TracedItem
    now: TracedItem
    changed: tuple[str, ...]
    """Of `text`, `scores`, `tokens`."""


@dataclass(frozen=True, slots=True)
class ItemGone:
    """One thing that was told then and is not now, and why: a reason of a cut, or `not_found`."""

    then: TracedItem
    reason: str


@dataclass(frozen=True, slots=True)
class Differences:
    """What is told otherwise now than then."""

    added: tuple[TracedItem, ...] = ()
    gone: tuple[ItemGone, ...] = ()
    changed: tuple[ItemChange, ...] = ()
    releases: Mapping[str, tuple[int | None, int | None]] = field(default_factory=dict)
    """Domain to release then and now, where they differ."""
    values: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    """Tokens, prompt_source, persona_version and embedder, then and now, where they differ."""

    @property
    def is_none(self) -> bool:
        """Whether now is as then."""
        return not (self.added or self.gone or self.changed or self.releases or self.values)


def compare_items(then: Iterable[TracedItem], now: Iterable[TracedItem]) -> Differences:
    """What differs in items. A passage of canon is known by its article and place in it, whatever its release."""
    before = _by_key(each for each in then if each.was_told)
    all_now = tuple(now)
    after = _by_key(each for each in all_now if each.was_told)
    cut = {key: each.reason for key, each in _by_key(each for each in all_now if not each.was_told).items()}
    pairs = [(each, after[key]) for key, each in before.items() if key in after]
    return Differences(
        added=tuple(each for key, each in after.items() if key not in before),
        gone=tuple(
            ItemGone(each, cut.get(key) or "not_found") for key, each in before.items() if key not in after
        ),
        changed=tuple(
            ItemChange(old, new, changed) for old, new in pairs if (changed := _list_changes(old, new))
        ),
    )  # fmt: skip


def compare_values(then: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Name to both values, where they differ."""
    names = dict.fromkeys([*then, *now])
    return {name: (then.get(name), now.get(name)) for name in names if then.get(name) != now.get(name)}


def list_told_layers(items: Iterable[TracedItem], *, without: Iterable[str] = ()) -> list[Layer]:
    """What was told, as layers, save for those that are found again."""
    layers: dict[str, list[Item]] = {}
    for each in items:
        if each.was_told and each.layer not in without:
            layers.setdefault(each.layer, []).append(each.item)
    return [Layer(name, tuple(found)) for name, found in layers.items()]


def keep_back_as_then(layers: Iterable[Layer], items: Iterable[TracedItem]) -> list[Layer]:
    """Layers that were searched for again, with those items kept back that were kept back then.

    What the trace does not know is left as it is.
    """
    then = {each.item.id: each.reason != NOT_CALLED_FOR for each in items}
    return [
        Layer(
            layer.name,
            tuple(replace(item, is_relevant=then.get(item.id, item.is_relevant)) for item in layer.items),
        )
        for layer in layers
    ]


def list_speakers(items: Iterable[TracedItem]) -> tuple[str, ...]:
    """The names of those who took part, as they were told."""
    named = (each.item.values.get("name", "") for each in items if each.layer in ("system", "npc"))
    return tuple(dict.fromkeys(name for name in named if name))


def _by_key(items: Iterable[TracedItem]) -> dict[tuple[Any, ...], TracedItem]:
    found: dict[tuple[Any, ...], TracedItem] = {}
    for each in items:
        ids = each.item.provenance.ids
        name = (ids["slug"], ids.get("anchor")) if each.layer in CANON_LAYERS and "slug" in ids else (each.item.id,)
        place = 0
        while (each.layer, *name, place) in found:
            place += 1
        found[each.layer, *name, place] = each
    return found


def _list_changes(then: TracedItem, now: TracedItem) -> tuple[str, ...]:
    changed = []
    if (then.item.text, then.rendered) != (now.item.text, now.rendered):
        changed.append("text")
    old, new = then.item.provenance.scores, now.item.provenance.scores
    if any(_differs(old[name], new[name]) for name in old if name in new):
        changed.append("scores")
    if then.tokens != now.tokens:
        changed.append("tokens")
    return tuple(changed)


def _differs(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is not other
    return abs(one - other) > SCORE_DIFFERS_BY
