"""The facts that stand otherwise because words were forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.facts.selectors.worlds import find_facts_of_world
from episodes.models import ForgetReceipt
from knowledge.facts.selectors import FactView
from knowledge.facts.selectors.facts import map_facts


def load_changed_facts(receipts: Sequence[ForgetReceipt], *, world_id: int | None = None) -> dict[int, FactView]:
    """The facts that receipts of one user name, by id, as they are now; with a world, those that it holds.

    No query where they name none, else one; four more for a world.
    """
    ids = {pk for receipt in receipts for listed in receipt.changes.values() for pk in listed}
    if not ids:
        return {}
    owner_filter = {"tenant_id": receipts[0].tenant_id, "end_user_id": receipts[0].end_user_id}
    if world_id is not None:
        ids &= find_facts_of_world(**owner_filter, world_id=world_id).fact_ids
    return map_facts(tenant_id=owner_filter["tenant_id"], fact_ids=ids)
