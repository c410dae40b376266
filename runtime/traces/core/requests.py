"""The request of a pack, as a trace keeps it, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from runtime.context.core.budgets import LayerOverride
from runtime.context.request import ContextRequest

_OWN = frozenset({"tenant_id", "world_id", "message", "layers", "is_world_bound", "is_preview"})
_PLAIN = tuple(each.name for each in dataclasses.fields(ContextRequest) if each.name not in _OWN)


def describe_request(request: ContextRequest) -> dict[str, Any]:
    """The request as JSON; the words are its `query`. What was not given is left out."""
    layers = {name: _drop_none(dataclasses.asdict(limits)) for name, limits in request.layers.items()}
    plain = _drop_none({name: getattr(request, name) for name in _PLAIN})
    return {"query": request.message, **plain, **({"layers": layers} if layers else {})}


def read_request(described: Mapping[str, Any], *, tenant_id: int, world_id: int) -> ContextRequest:
    """The request that was described so; what a later version no longer knows is left out."""
    return ContextRequest(
        tenant_id=tenant_id,
        world_id=world_id,
        message=described.get("query", ""),
        layers={name: LayerOverride(**limits) for name, limits in described.get("layers", {}).items()},
        **{name: described[name] for name in _PLAIN if name in described},
    )


def _drop_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
