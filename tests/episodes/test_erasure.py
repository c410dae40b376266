"""Erasure against what is told at the same moment, and what the database refuses whoever asks."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from episodes.campaigns.core.summaries import MAX_NOTES_TOKENS, parse_summary
from episodes.conversations.actions.conversations import open_conversation
from episodes.facts.actions import write_fact
from episodes.forgetting.actions.erasure import erase_user
from episodes.forgetting.core.erased_names import erase_in_summary
from episodes.models import EpisodicSummary, ForgetReceipt, NpcTold, PartyMember, ReceiptState
from episodes.npc_memory.actions import record_hearsay
from knowledge.facts.core.drafts import FactDraft
from memoryproject.forgetting.erased_names import ErasedName
from npcs.models import Disposition
from tenancy.models import EndUser
from tests.database import assert_refused, run_apart
from tests.factories.campaigns import START, add_event, add_scene, make_body

PLACEHOLDER = "erased-0123456789abcdef"
TOWARDS = {"npc_id": "npc_LiShen", "towards": "p_A", "delta": 1, "reason": "kept promise"}


@pytest.fixture
def world(transactional_db, world):
    return world


def find_user(world, external_id="p_A"):
    return EndUser.objects.get(tenant_id=world.tenant_id, external_id=external_id)


def erase(world, external_id="p_A"):
    user = find_user(world, external_id)
    return erase_user(tenant_id=world.tenant_id, end_user_id=user.pk, reason="Case 1", requested_by="test")


@pytest.mark.parametrize(
    ("text", "erased"),
    [
        ("p_A", PLACEHOLDER),
        ("p_A won, said p_A.", f"{PLACEHOLDER} won, said {PLACEHOLDER}."),
        ("«p_A»的承诺 p_A_2", f"«{PLACEHOLDER}»的承诺 {PLACEHOLDER}_2"),
        ("p_Abel and xp_A stay, and P_A", "p_Abel and xp_A stay, and P_A"),
    ],
)
def test_an_id_gives_way_where_it_stands_by_itself(text, erased):
    assert ErasedName("p_A", PLACEHOLDER).in_line(text) == erased


@pytest.mark.parametrize("old", ["7", "1024", "li"])
def test_an_id_that_is_a_number_or_a_short_word_is_none_within_prose(old):
    name = ErasedName(old, PLACEHOLDER)
    assert name.in_line(f"They met {old} goblins.") == f"They met {old} goblins."
    assert (name.in_line(old), name.in_field(old)) == (PLACEHOLDER, PLACEHOLDER)


def test_a_player_called_party_is_not_the_party():
    body = make_body(
        who={"players": ["party", "p_B"], "npcs": []}, relations_delta=[{**TOWARDS, "towards": "party"}]
    )  # fmt: skip
    erased = erase_in_summary(body, ErasedName("party", PLACEHOLDER))
    assert erased["who"]["players"] == [PLACEHOLDER, "p_B"]
    assert erased["relations_delta"][0]["towards"] == "party"


def test_a_placeholder_counts_as_one_word_of_the_notes(world):
    notes = "Ann " + "very " * (MAX_NOTES_TOKENS - 3) + "well."
    erased = erase_in_summary(make_body(notes=notes), ErasedName("Ann", PLACEHOLDER))
    assert PLACEHOLDER in erased["notes"]
    assert parse_summary(erased, now=START).notes_tokens <= MAX_NOTES_TOKENS


def run_during_erasure(world, meanwhile):
    """What `meanwhile` came to: it begins while the erasure is made but not yet committed, and has to wait for it."""
    done, outcome = threading.Event(), []

    def run():
        try:
            outcome.append(meanwhile())
        finally:
            done.set()
            connections.close_all()

    thread = threading.Thread(target=run)
    with transaction.atomic():
        erase(world)
        thread.start()
        assert not done.wait(0.4)
    thread.join(20)
    return outcome[0]


def test_a_summary_told_while_its_player_is_erased_tells_of_a_new_user(world):
    add_scene(world)
    old = find_user(world).pk
    run_during_erasure(world, lambda: add_scene(world, summary_id="sum_2", relations_delta=[TOWARDS]).created)
    new = find_user(world)
    assert new.pk != old
    assert PartyMember.objects.filter(end_user_id=old).count() == 0
    assert [each.end_user_id for each in Disposition.objects.all()] == [new.pk]
    assert "p_A" not in EpisodicSummary.objects.get(summary_id="sum_1").body["who"]["players"]


@pytest.mark.parametrize("member", ["roll", "source", "flag"])
def test_a_summary_that_only_mentions_the_user_waits_too(world, member):
    add_scene(world)
    more = {
        "roll": {"what": {"event": "fight", "outcome": "success", "rolls": [{"who": "p_A", "d20": 3}]}},
        "flag": {"flags": {"heir": "p_A"}},
        "source": {"told": [{"npc_id": "npc_Oda", "summary_id": "sum_1", "source": "p_A"}]},
    }[member]
    others = {"who": {"players": ["p_B"], "npcs": []}}
    assert run_during_erasure(world, lambda: add_scene(world, summary_id="sum_2", **others, **more).created)


def test_an_event_that_names_the_user_waits_too(world):
    add_scene(world)
    assert run_during_erasure(world, lambda: add_event(world, flags={"heir": "p_A"}).created)


def test_who_tells_speaks_or_is_known_meanwhile_is_a_new_user(world):
    add_scene(world)
    old = find_user(world).pk
    told = {"npc_id": "npc_Oda", "source": "p_A", "told_at": START, "summary_id": "sum_1"}
    where = {"tenant_id": world.tenant_id, "world_id": world.pk}
    assert run_during_erasure(world, lambda: record_hearsay(**where, **told)).created
    add_scene(world, summary_id="sum_2", minute=3)
    assert find_user(world).pk != old
    talk = run_during_erasure(world, lambda: open_conversation(tenant_id=world.tenant_id, user_id="p_A")).conversation
    assert talk.end_user_id == find_user(world).pk
    draft = FactDraft(type="budget", value="9", source="onboarding")
    fact = run_during_erasure(world, lambda: write_fact(tenant_id=world.tenant_id, user_id="p_A", draft=draft)).fact
    assert fact.end_user_id == find_user(world).pk


def test_an_erasure_waits_for_a_summary_that_is_being_told_and_finds_it(world):
    add_scene(world)
    user = find_user(world)
    began, erased = threading.Event(), threading.Event()

    def erase_meanwhile():
        began.set()
        erase_user(tenant_id=world.tenant_id, end_user_id=user.pk, reason="Case 1", requested_by="test")
        erased.set()

    thread = threading.Thread(target=lambda: run_apart(erase_meanwhile))
    with transaction.atomic():
        add_scene(world, summary_id="sum_2", minute=3, relations_delta=[TOWARDS])
        thread.start()
        assert began.wait(20)
        assert not erased.wait(0.4)
    thread.join(20)
    bodies = EpisodicSummary.objects.values_list("body", flat=True)
    assert not [body for body in bodies if "p_A" in repr(body)]
    assert not Disposition.objects.exists()
    assert not EndUser.objects.filter(external_id="p_A").exists()


def test_erasing_and_telling_at_once_end_well(world):
    add_scene(world)
    user = find_user(world)
    owner_filter = {"tenant_id": world.tenant_id, "end_user_id": user.pk}
    run_apart(
        lambda: erase_user(**owner_filter, reason="Case 1", requested_by="test"),
        *[
            lambda n=n: add_scene(world, summary_id=f"s{n}", minute=n, relations_delta=[TOWARDS]).created
            for n in range(5)
        ],
    )
    assert EpisodicSummary.objects.count() == 6
    assert ForgetReceipt.objects.get().state == ReceiptState.DONE
    for summary in EpisodicSummary.objects.all():
        player = summary.body["who"]["players"][0]
        assert player in ("p_A", EndUser.objects.get(pk=user.pk).external_id)
        assert all(each["towards"] == player for each in summary.body.get("relations_delta", ()))


def test_an_erasure_takes_as_many_queries_for_many_summaries_as_for_few(world):
    counts = []
    for size in (2, 40):
        for number in range(size):
            add_scene(world, summary_id=f"{size}_{number}", minute=number, notes=f"p_A took step {number}.")
            add_event(world, event_id=f"{size}_{number}", minute=number, flags={"heir": "p_A"})
        with CaptureQueriesContext(connection) as queries:
            erase(world)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_id_of_a_user_changes_by_an_order_to_erase_alone(world):
    add_scene(world)
    for change in (
        "external_id = 'p_C'",
        f"external_id = '{PLACEHOLDER}'",
        f"external_id = '{PLACEHOLDER}', erased_in = pg_current_xact_id()::text::bigint",
        "erased_in = pg_current_xact_id()::text::bigint",
    ):
        assert_refused("end_user_id_fixed", f"UPDATE tenancy_enduser SET {change} WHERE external_id = 'p_A'")
    inserted = "INSERT INTO tenancy_enduser (tenant_id, external_id, erased_in) VALUES (%s, 'x', 7)"
    assert_refused("end_user_id_fixed", inserted, [world.tenant_id])
    with transaction.atomic():
        erase(world)
        assert_refused(
            "end_user_id_fixed", "UPDATE tenancy_enduser SET external_id = 'erased-0' WHERE erased_in IS NOT NULL"
        )


def test_an_erasure_puts_the_placeholder_where_the_id_stood_and_changes_nothing_else(world):
    add_scene(
        world,
        relations_delta=[TOWARDS, {**TOWARDS, "towards": "party", "reason": "p_A kept it"}],
        flags={"heir": "p_A"},
    )
    add_scene(world, summary_id="sum_2", minute=3, told=[{"npc_id": "npc_Oda", "summary_id": "sum_1", "source": "p_B"}])
    add_event(world, notes="p_B won.")
    changes = [
        ("summary_append_only", "UPDATE episodes_episodicsummary SET notes = 'Nothing happened.'"),
        ("summary_append_only", "UPDATE episodes_episodicsummary SET body = '{}'"),
        ("summary_append_only", "UPDATE episodes_episodicsummary SET body_hash = '\\x00', location_id = 'here'"),
        ("summary_append_only", "DELETE FROM episodes_episodicsummary"),
        ("event_append_only", "UPDATE episodes_eventfact SET notes = 'p_C won.'"),
        ("flag_change_append_only", "UPDATE episodes_flagchange SET new_value = '\"p_B\"'"),
        ("npc_told_append_only", "UPDATE episodes_npctold SET source = 'p_C'"),
        ("npc_told_append_only", "DELETE FROM episodes_npctold"),
        ("disposition_entry_append_only", "UPDATE npcs_dispositionentry SET reason = 'broke it'"),
        ("disposition_entry_append_only", "UPDATE npcs_dispositionentry SET delta = 2"),
        ("disposition_entry_append_only", "DELETE FROM npcs_dispositionentry"),
        ("disposition_moved_by_ledger_only", "DELETE FROM npcs_disposition"),
    ]
    for name, sql in changes:
        assert_refused(name, sql)
    with transaction.atomic():
        erase(world)
        placeholder = EndUser.objects.get(erased_in__isnull=False).external_id
        for name, sql in changes:
            assert_refused(name, sql)
        assert_refused("npc_told_append_only", "UPDATE episodes_npctold SET source = %s", [placeholder])
    for name, sql in changes:
        assert_refused(name, sql)
    assert NpcTold.objects.get().source == "p_B"


def test_settings_alone_let_nothing_change(world):
    add_scene(world)
    user = find_user(world)
    settings = "SELECT set_config('memory37.erased_user', %s, true), set_config('memory37.erased_name', %s, true)"
    rename = "UPDATE episodes_episodicsummary SET notes = replace(notes, 'The keeper', 'p_A')"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(settings, [str(user.pk), "The keeper"])
        assert_refused("summary_append_only", rename)
