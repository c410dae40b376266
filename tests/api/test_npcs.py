"""NPCs through REST."""

from __future__ import annotations

import json

import pytest

from npcs.dispositions.actions.moves import apply_disposition_changes
from npcs.dispositions.core.moves import DispositionChange
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.factories.npcs import NOW

SECRET = "he let the thief cross"
STATIC = {
    "name": "Ли-Шэнь",
    "archetype": "keeper",
    "secrets": [SECRET],
    "visual": {"must_have": ["Grey Plait"], "banned": ["smile"]},
}


@pytest.fixture
def npc(engine):
    assert engine.put("npcs/li-shen", {"static": STATIC}).status_code == 201


@pytest.fixture
def move(world, npc):
    def move(*deltas, kind="party", towards="pty_001", summary_id="sum_1"):
        return apply_disposition_changes(
            tenant_id=world.tenant_id,
            world_id=world.pk,
            changes=[DispositionChange("li-shen", kind, towards, delta, "kept promise") for delta in deltas],
            summary_id=summary_id,
            campaign_id="camp_123",
            happened_at=NOW,
        )

    return move


def test_npc_is_told_with_its_standing_and_the_reasons(engine, npc, move):
    move(1, 1)
    move(-0.5, summary_id="sum_2")
    told = engine.get("npcs/li-shen", {"party_id": "pty_001"}).json()
    assert told["static"]["name"] == "Ли-Шэнь"
    assert told["static"]["visual"] == {"must_have": ["grey-plait"], "banned": ["smile"]}
    assert told["dynamic"] == {"disposition": {"party_id:pty_001": 1.5}, "memory": []}
    assert [each["reason"] for each in told["last_changes"]] == ["kept promise"] * 3
    assert (told["persona_version"], told["scale"]["most"]) == (1, 5)


def test_standing_towards_another_is_neutral_and_towards_nobody_is_not_told(engine, npc, move):
    move(2)
    assert engine.get("npcs/li-shen", {"party_id": "x"}).json()["dynamic"]["disposition"] == {"party_id:x": 0}
    assert engine.get("npcs/li-shen", {"user_id": "pty_001"}).json()["last_changes"] == []
    assert engine.get("npcs/li-shen").json()["dynamic"] == {"disposition": {}, "memory": []}


def test_secrets_are_told_to_the_engine_only(engine, api, npc):
    told = engine.get("npcs/li-shen").json()
    assert (told["static"]["secrets"], told["retired_refs"]) == ([SECRET], [])
    hidden = api.get("npcs/li-shen").json()
    assert "secrets" not in hidden["static"]
    assert "retired_refs" not in hidden
    for path in ("npcs/li-shen", "npcs", "npcs/li-shen/dispositions/history"):
        text = api.get(path).content.decode()
        assert SECRET not in text
        assert "secret" not in text


def test_old_version_is_told_on_request(engine, npc):
    written = engine.put("npcs/li-shen", {"static": {"name": "Li"}}, If_Match='"1"').json()
    assert written["persona_version"] == 2
    assert engine.get("npcs/li-shen", {"persona_version": 1}).json()["static"]["name"] == "Ли-Шэнь"
    assert engine.get("npcs/li-shen").json()["static"]["name"] == "Li"


def test_write_is_harmless_to_repeat_and_checked_against_the_version_seen(engine, npc, problem):
    assert engine.put("npcs/li-shen", {"static": STATIC}).json()["outcome"] == "unchanged"
    other = {"static": {"name": "Li"}}
    changed = problem(engine.put("npcs/li-shen", other, If_Match='"7"'), 412, "persona_changed")
    assert changed["persona_version"] == 1
    problem(engine.put("npcs/li-shen", other, If_Match="latest"), 400, "parameter_invalid")
    first = engine.put("npcs/li-shen", other, If_Match='"1"', Idempotency_Key="k")
    again = engine.put("npcs/li-shen", other, If_Match='"1"', Idempotency_Key="k")
    assert (first.json(), again.headers["Idempotency-Replayed"]) == (again.json(), "true")
    problem(engine.put("npcs/li-shen", {"static": STATIC}, Idempotency_Key="k"), 409, "idempotency_key_reused")


def test_profile_that_is_there_is_replaced_by_nobody_who_has_not_seen_it(engine, npc, problem):
    told = problem(engine.put("npcs/li-shen", {"static": {"name": "Li"}}), 428, "persona_version_required")
    assert told["persona_version"] == 1


def test_change_waits_for_a_person_where_the_world_is_reviewed(engine, make_api, npc, world, problem):
    world.npc_review = "on"
    world.save()
    changed = {"static": {**STATIC, "secrets": ["another secret"]}}
    answer = engine.put("npcs/li-shen", changed, If_Match='"1"')
    told = answer.json()
    assert (answer.status_code, told["outcome"], told["persona_version"]) == (202, "in_review", 1)
    assert engine.get("npcs/li-shen").json()["static"]["secrets"] == [SECRET]
    again = engine.put("npcs/li-shen", changed, If_Match='"1"').json()
    assert again["change_request"] == told["change_request"]
    path = f"change-requests/{told['change_request']}"
    problem(engine.get(path), 403, "scope_missing")
    request = make_api("editor").get(path).json()
    assert (request["kind"], request["state"], request["item_count"]) == ("npc", "in_review", 1)
    assert "another secret" not in json.dumps(request)
    both = make_api("editor", "engine").get(path).json()
    assert both["npc_items"][0]["content"]["static"]["secrets"] == ["another secret"]
    new = engine.put("npcs/ferry-man", {"static": {"name": "Ferry"}})
    assert new.status_code == 202
    assert engine.get("npcs/ferry-man").status_code == 404


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"static": {"name": 7}}, "static.name"),
        ({"static": {"name": "x", "secrets": ["\t"]}}, "static.secrets[0]"),
        ({"static": {"name": "x", "lore_refs": ["atlantis"]}}, "static.lore_refs[0]"),
        ({"npc_id": "other", "static": {"name": "x"}}, "npc_id"),
        ({"static": {"name": "x"}, "dynamic": {"disposition": {}, "memory": []}}, "dynamic"),
        ([], ""),
        ("null", ""),
    ],
)
def test_violations_name_their_place(engine, problem, body, path):
    refused = problem(engine.put("npcs/li-shen", body), 400, "profile_invalid")
    assert [error["path"] for error in refused["errors"]] == [path]


def test_reader_and_editor_write_nothing(api, make_api, npc, problem, move):
    move(1)
    for client in (api, make_api("read", "editor")):
        problem(client.put("npcs/li-shen", {"static": STATIC}), 403, "scope_missing")
        problem(client.post("npcs/li-shen/dispositions/compensations", {}), 403, "scope_missing")


def test_history_is_paged_and_compensation_stays_in_it(engine, npc, move, problem):
    (first, *_) = move(1, 1, 1)
    move(-1, kind="user", towards="player-1")
    path = "npcs/li-shen/dispositions/history"
    page = engine.get(path, {"limit": 2, "party_id": "pty_001"}).json()
    rest = engine.get(path, {"limit": 2, "party_id": "pty_001", "before": page["next_before"]}).json()
    assert [each["balance_after"] for each in page["entries"] + rest["entries"]] == [3, 2, 1]
    assert rest["next_before"] is None
    assert [each["towards"] for each in engine.get(path).json()["entries"]] == ["user", "party", "party", "party"]
    body = {"entry_id": first.entry_id, "reason": "the wrong party"}
    back = engine.post("npcs/li-shen/dispositions/compensations", body, Idempotency_Key="k")
    assert (back.status_code, back.json()["applied"], back.json()["compensates"]) == (201, -1, first.entry_id)
    assert engine.post("npcs/li-shen/dispositions/compensations", body, Idempotency_Key="k").json() == back.json()
    problem(engine.post("npcs/li-shen/dispositions/compensations", body), 409, "disposition_already_compensated")
    problem(
        engine.post("npcs/li-shen/dispositions/compensations", {**body, "entry_id": 10**15}),
        404,
        "disposition_entry_not_found",
    )


def test_there_is_no_other_write_of_dispositions(engine, npc):
    for path in ("npcs/li-shen/dispositions", "npcs/li-shen/dispositions/history", "npcs/li-shen"):
        assert engine.post(path, {"value": 5}).status_code in (404, 405)


def test_list_is_paged_and_leaves_the_retired_out(engine, npc):
    engine.put("npcs/mira", {"static": {"name": "Mira"}})
    engine.put("npcs/old", {"static": {"name": "Old"}, "state": "retired"})
    page = engine.get("npcs", {"limit": 1}).json()
    rest = engine.get("npcs", {"limit": 1, "after": page["next_after"]}).json()
    assert [each["npc_id"] for each in page["npcs"] + rest["npcs"]] == ["li-shen", "mira"]
    assert [each["npc_id"] for each in engine.get("npcs", {"state": "retired"}).json()["npcs"]] == ["old"]


def test_list_takes_as_many_queries_whatever_the_size(engine, npc, django_assert_max_num_queries):
    engine.get("npcs")
    for count in (2, 12):
        for number in range(count):
            engine.put(f"npcs/npc-{number}", {"static": {"name": "x"}})
        with django_assert_max_num_queries(3):
            engine.get("npcs")


def test_another_tenant_and_another_world_see_nothing(make_api, tenant, npc, move, problem):
    rival = ensure_tenant(slug="rival")
    ensure_world(tenant_id=rival.pk, slug="ashfall")
    ensure_world(tenant_id=tenant.pk, slug="second")
    (moved,) = move(1)
    strangers = [
        make_api("engine", "read", of=rival),
        make_api("engine", "read", headers={"X-Site-ID": "second"}),
    ]
    for stranger in strangers:
        problem(stranger.get("npcs/li-shen"), 404, "npc_not_found")
        problem(stranger.get("npcs/li-shen/dispositions/history"), 404, "npc_not_found")
        assert stranger.get("npcs").json()["npcs"] == []
        body = {"entry_id": moved.entry_id, "reason": "mine"}
        problem(stranger.post("npcs/li-shen/dispositions/compensations", body), 404, "npc_not_found")


def test_party_and_user_at_once_are_refused(engine, npc, problem):
    problem(engine.get("npcs/li-shen", {"party_id": "a", "user_id": "b"}), 400, "party_id_and_user_id")


@pytest.mark.parametrize("npc_id", ["%00", "a%00b", "nobody", "x" * 500])
def test_strange_ids_are_unknown(engine, problem, npc_id):
    assert engine.get(f"npcs/{npc_id}").status_code == 404
    assert engine.get(f"npcs/{npc_id}/dispositions/history").status_code == 404
