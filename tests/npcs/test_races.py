"""Many writers on one NPC: no move is lost, and the balance is the sum."""

from __future__ import annotations

import pytest

from npcs.dispositions.actions.moves import apply_disposition_changes
from npcs.dispositions.core.moves import DispositionChange
from npcs.models import Disposition, DispositionEntry
from tests.database import run_apart
from tests.factories.npcs import NOW, make_npc, move_disposition
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS = 6
EACH = 5


def test_first_moves_at_once_make_one_disposition_and_lose_nothing(transactional_db):
    world = make_world()
    make_npc(world)

    def write():
        return [each.value for _ in range(EACH) for each in move_disposition(world, 0.1)]

    seen = run_apart(*[write] * WRITERS, at_once=True)
    assert Disposition.objects.count() == 1
    assert float(Disposition.objects.get().value) == pytest.approx(WRITERS * EACH * 0.1)
    assert len({value for values in seen for value in values}) == WRITERS * EACH
    places = DispositionEntry.objects.order_by("seq").values_list("seq", flat=True)
    assert list(places) == list(range(1, WRITERS * EACH + 1))


def test_opposite_orders_do_not_deadlock(transactional_db):
    world = make_world()
    make_npc(world, "a")
    make_npc(world, "b")

    def write(first, second):
        for _ in range(EACH):
            apply_disposition_changes(
                tenant_id=world.tenant_id,
                world_id=world.pk,
                changes=[DispositionChange(npc_id, "party", "p", 0.1, "r") for npc_id in (first, second)],
                summary_id="sum_1",
                campaign_id="camp_1",
                happened_at=NOW,
            )

    run_apart(*[lambda: write("a", "b"), lambda: write("b", "a")] * 2, at_once=True)
    assert [float(value) for value in Disposition.objects.values_list("value", flat=True)] == [2.0, 2.0]
