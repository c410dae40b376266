"""The sample's store: what an agent at the table keeps by namespace and key. Doing it again changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

from knowledge.store.actions.batches import run_batch
from knowledge.store.core.ops import Get, Op, Put
from tenancy.models import World


def load_store_items(world: World, source: Path) -> None:
    """The items as their file says; those that stand so are left as they are."""
    told = json.loads(source.read_text(encoding="utf-8"))
    wanted = [Put(tuple(each["namespace"]), each["key"], each["value"]) for each in told["items"]]
    owner_filter = {"tenant_id": world.tenant_id, "world_id": world.pk}
    reads: list[Op] = [Get(put.namespace, put.key, refresh_ttl=False) for put in wanted]
    standing = run_batch(**owner_filter, ops=reads)
    missing: list[Op] = [
        put for put, found in zip(wanted, standing, strict=True) if found.item is None or found.item.value != put.value
    ]
    if missing:
        run_batch(**owner_filter, ops=missing)
