"""A batch of an agent: on its store, and on what Memory37 knows by itself."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.store.actions.batches import Result, check_batch, run_batch
from knowledge.store.core.ops import Get, Op, Search
from runtime.store.facts import is_about_own, read_own
from tenancy.core.caller import Caller


def run_agent_batch(caller: Caller, world_id: int | None, ops: Sequence[Op]) -> list[Result]:
    """The results in the order of the operations. What Memory37 knows by itself is read only, so its place in the order
    does not matter. Raises what `run_batch` and `read_own` raise, and then nothing was done."""
    check_batch(ops)
    own = {
        index: read_own(caller, op) for index, op in enumerate(ops) if is_about_own(op) and isinstance(op, Get | Search)
    }
    others = [index for index in range(len(ops)) if index not in own]
    results = run_batch(tenant_id=caller.tenant_id, world_id=world_id, ops=[ops[index] for index in others])
    found = {**own, **dict(zip(others, results, strict=True))}
    return [found[index] for index in range(len(ops))]
