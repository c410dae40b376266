"""Dispositions move by the ledger and by nothing else."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from npcs.dispositions.actions.moves import compensate_disposition
from npcs.dispositions.actions.scales import ensure_scale, set_scale
from npcs.dispositions.core.moves import Scale
from npcs.errors import (
    AlreadyCompensated,
    DeltaOutOfBounds,
    InvalidDispositionChange,
    InvalidScale,
    UnknownDispositionEntry,
    UnknownNpc,
)
from npcs.models import Disposition, DispositionEntry
from tests.factories.npcs import make_npc, move_disposition
from tests.factories.tenants import make_world


def values():
    return [float(value) for value in Disposition.objects.order_by("pk").values_list("value", flat=True)]


def test_changes_add_up_in_order(world, npc):
    applied = move_disposition(world, 1, 2, -0.5)
    assert [(each.delta, each.applied, each.value) for each in applied] == [(1, 1, 1), (2, 2, 3), (-0.5, -0.5, 2.5)]
    assert values() == [2.5]
    assert list(DispositionEntry.objects.order_by("seq").values_list("seq", flat=True)) == [1, 2, 3]


def test_party_and_user_of_one_id_are_two(world, npc):
    move_disposition(world, 1, towards="same")
    move_disposition(world, -1, kind="user", towards="same")
    move_disposition(world, -1, kind="user", towards="same")
    assert values() == [1, -2]


def test_sum_beyond_the_scale_stops_at_its_end_and_says_what_was_applied(world, npc):
    move_disposition(world, 3)
    (applied,) = move_disposition(world, 3)
    assert (applied.delta, applied.applied, applied.value) == (3, 2, 5)


@pytest.mark.parametrize("delta", [3.01, -4, 0.001, float("nan"), float("inf"), 1e12])
def test_delta_that_the_scale_does_not_take_changes_nothing(world, npc, delta):
    with pytest.raises(DeltaOutOfBounds) as refusal:
        move_disposition(world, 1, delta)
    assert refusal.value.code == "disposition_delta_out_of_bounds"
    assert refusal.value.extra["position"] == 1
    assert values() == []


@pytest.mark.parametrize(
    ("field", "value"), [("reason", ""), ("reason", "x" * 501), ("towards", " "), ("towards", "\x00")]
)
def test_change_without_cause_or_aim_is_refused(world, npc, field, value):
    with pytest.raises(InvalidDispositionChange):
        move_disposition(world, 1, **{field: value})


@pytest.mark.parametrize("npc_id", ["nobody", "", "\x00"])
def test_unknown_npc_is_named(world, npc, npc_id):
    with pytest.raises(UnknownNpc) as refusal:
        move_disposition(world, 1, npc_id=npc_id)
    assert refusal.value.extra["npc_id"] == npc_id


def test_npcs_of_other_tenants_and_worlds_are_unknown(world, npc):
    for other in (make_world("ashfall", tenant="rival"), make_world("second", tenant="studio")):
        with pytest.raises(UnknownNpc):
            move_disposition(other, 1)


def test_compensation_takes_back_what_was_applied_once(world, npc):
    move_disposition(world, 3)
    (entry,) = move_disposition(world, 3)
    names = {"tenant_id": world.tenant_id, "world_id": world.pk, "npc_id": npc.npc_id, "reason": "a typing error"}
    back = compensate_disposition(**names, entry_id=entry.entry_id, author="owner")
    assert (float(back.applied), values()) == (-2, [3])
    for entry_id in (entry.entry_id, back.pk):
        with pytest.raises(AlreadyCompensated):
            compensate_disposition(**names, entry_id=entry_id, author="owner")
    with pytest.raises(UnknownDispositionEntry):
        compensate_disposition(**names, entry_id=back.pk + 999, author="owner")
    other = make_npc(world, "npc_other")
    with pytest.raises(UnknownDispositionEntry):
        compensate_disposition(**{**names, "npc_id": other.npc_id}, entry_id=entry.entry_id, author="owner")


INSERT = "INSERT INTO npcs_disposition (tenant_id, npc_id, party_id"
WRITES = {
    "UPDATE npcs_disposition SET value = 5": "disposition_moved_by_ledger_only",
    "UPDATE npcs_disposition SET entry_count = 9": "disposition_moved_by_ledger_only",
    "DELETE FROM npcs_disposition": "disposition_moved_by_ledger_only",
    "UPDATE npcs_dispositionentry SET delta = 2": "disposition_entry_append_only",
    "UPDATE npcs_dispositionentry SET reason = 'other'": "disposition_entry_append_only",
    "DELETE FROM npcs_dispositionentry": "disposition_entry_append_only",
    f"{INSERT}, value) SELECT tenant_id, npc_id, 'x', 4 FROM npcs_disposition": "disposition_starts_neutral",
    f"{INSERT}) SELECT tenant_id + 1, npc_id, 'x' FROM npcs_disposition": "disposition_same_tenant",
}  # fmt: skip
ENTRY = """
    INSERT INTO npcs_dispositionentry (tenant_id, disposition_id, delta, reason, rule, summary_id, campaign_id, author,
        happened_at, compensates_id)
    SELECT tenant_id, id, {delta}, {reason}, '', {summary}, '', {author}, now(), {compensates} FROM npcs_disposition
"""
ENTRIES = {
    "disposition_entry_within_step": {"delta": 4},
    "disposition_entry_has_reason": {"reason": "''"},
    "disposition_entry_has_cause": {"summary": "''"},
    "disposition_entry_takes_back": {
        "compensates": "(SELECT max(id) FROM npcs_dispositionentry)", "author": "'x'", "summary": "''",
    },
}  # fmt: skip


@pytest.mark.parametrize("statement", WRITES)
def test_database_refuses_to_move_a_disposition_past_the_ledger(world, npc, statement):
    move_disposition(world, 1)
    with pytest.raises(IntegrityError, match=WRITES[statement]), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert values() == [1]


@pytest.mark.parametrize("constraint", ENTRIES)
def test_database_refuses_an_entry_that_breaks_the_rules(world, npc, constraint):
    move_disposition(world, 1)
    given = {
        "delta": 1,
        "reason": "'r'",
        "summary": "'s'",
        "author": "''",
        "compensates": "NULL",
        **ENTRIES[constraint],
    }
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(ENTRY.format(**given))
    assert values() == [1]


def test_a_raw_entry_moves_by_what_the_trigger_computes_whatever_it_claims(world, npc):
    move_disposition(world, 1)
    with connection.cursor() as cursor:
        cursor.execute(ENTRY.format(delta=1, reason="'r'", summary="'s'", author="''", compensates="NULL"))
    entry = DispositionEntry.objects.latest("seq")
    assert (entry.seq, float(entry.balance_after), values()) == (2, 2, [2])


SMUGGLER = """
    CREATE TEMP TABLE smuggler (x int);
    CREATE FUNCTION pg_temp.smuggle() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN UPDATE npcs_disposition SET value = 5; RETURN NEW; END $$;
    CREATE TRIGGER s BEFORE INSERT ON smuggler FOR EACH ROW EXECUTE FUNCTION pg_temp.smuggle();
    INSERT INTO smuggler VALUES (1);
    SET CONSTRAINTS ALL IMMEDIATE;
"""


def test_what_another_trigger_smuggles_in_is_found_at_commit(world, npc):
    move_disposition(world, 1)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        with pytest.raises(IntegrityError, match="disposition_is_last_balance"), transaction.atomic():
            cursor.execute(SMUGGLER)
    assert values() == [1]


def test_scale_is_the_worlds_own_and_holds_the_values_that_stand(world, npc):
    set_scale(tenant_id=world.tenant_id, world_id=world.pk, scale=Scale(0, 100, 50, 20))
    (applied,) = move_disposition(world, 20)
    assert applied.value == 70
    with pytest.raises(InvalidScale) as refusal:
        set_scale(tenant_id=world.tenant_id, world_id=world.pk, scale=Scale(0, 60, 50, 20))
    assert refusal.value.code == "disposition_scale_taken"
    for scale in (Scale(5, 5, 5, 1), Scale(0, 100, 101, 1), Scale(0, 100, 50, 0), Scale(0, 100, 0.001, 1)):
        with pytest.raises(InvalidScale):
            set_scale(tenant_id=world.tenant_id, world_id=world.pk, scale=scale)
    assert float(ensure_scale(tenant_id=world.tenant_id, world_id=world.pk).most) == 100


def test_queries_do_not_grow_with_the_number_of_changes(world, npc, django_assert_num_queries):
    move_disposition(world, 1)
    with django_assert_num_queries(8):
        move_disposition(world, 1)
    with django_assert_num_queries(8):
        move_disposition(world, *[0.01] * 50)
