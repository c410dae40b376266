"""Campaigns, summaries, flags and sessions through REST."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from episodes.campaigns.selectors.campaigns import get_party_state
from episodes.models import EpisodicSummary, Flag, Party
from episodes.npc_memory.actions import record_hearsay
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.factories.campaigns import add_event, add_scene, make_body, make_event, start
from tests.factories.npcs import make_npc


@pytest.fixture
def engine(make_api, world):
    make_npc(world)
    client = make_api("engine", "read")
    assert client.post("campaigns", {"campaign_id": "camp_1", "title": "The Moon Key"}).status_code == 201
    return client


def test_a_summary_answers_what_it_changed(engine):
    change = {"npc_id": "npc_LiShen", "towards": "party", "delta": 1, "reason": "kept promise"}
    body = make_body(flags={"gate": "open"}, relations_delta=[change])
    answer = engine.post("episodes/summaries", body)
    assert answer.status_code == 201
    told = answer.json()
    assert told["flags"] == [{"name": "gate", "old": None, "new": "open", "late": False}]
    assert told["dispositions"] == [
        {"npc_id": "npc_LiShen", "towards": "party", "delta": 1, "applied": 1, "from": 0, "to": 1}
    ]
    assert (told["seq"], told["embedding"], told["created"]) == (1, "queued", True)
    again = engine.post("episodes/summaries", body)
    assert (again.status_code, again.json()["created"], again.json()["flags"]) == (200, False, [])


def test_a_session_is_told_for_readers_and_for_models(engine):
    engine.post("episodes/summaries", make_body(flags={"gate": "open"}))
    engine.post("episodes/summaries", make_body("sum_2", minute=5, notes="The gate fell shut behind them."))
    engine.post("episodes/events", make_event(party_id="pty_1", minute=9, flags={"oath": True}))
    session = engine.get("parties/pty_1/session", {"k": 2}).json()
    assert [each["summary_id"] for each in session["summaries"]] == ["sum_2", "sum_1"]
    assert session["flags"] == {"gate": "open", "oath": True}
    assert session["text"] == (
        "The keeper lent the moon key against a promise. (partial success)\n"
        "The gate fell shut behind them. (partial success)\ngate: open; oath: yes"
    )
    for hidden in ("sum_1", "pty_1", "scn_1", "npc_", "2026"):
        assert hidden not in session["text"]
    assert len(engine.get("parties/pty_1/session", {"k": 1}).json()["summaries"]) == 1


def test_a_session_for_an_npc_holds_what_it_saw_and_was_told(engine, problem):
    asked = {"npc_id": "npc_Oda"}
    engine.post("episodes/summaries", make_body(flags={"gate": "open", "lamp": "lit"}))
    engine.post("episodes/events", make_event(party_id="pty_1", minute=2, flags={"oath": True}))
    problem(engine.get("parties/pty_1/session", asked), 404, "npc_not_found")
    second = make_body("sum_2", minute=5, npcs=["npc_Oda"], notes="Oda shut the gate.", flags={"gate": "shut"})
    second["where"] = {"location_id": "loc_tower"}
    engine.post("episodes/summaries", second)
    engine.post("episodes/summaries", make_body("sum_3", minute=9, flags={"gate": "burnt"}))
    session = engine.get("parties/pty_1/session", asked).json()
    assert ([each["summary_id"] for each in session["summaries"]], session["flags"]) == (["sum_2"], {"gate": "shut"})
    assert (session["location_id"], session["text"]) == (
        "loc_tower",
        "Oda shut the gate. (partial success)\ngate: shut",
    )
    engine.post("episodes/told", {**asked, "summary_id": "sum_1", "source": "p_A"})
    engine.post("episodes/told", {**asked, "event_id": "evt_1", "source": "p_A"})
    session = engine.get("parties/pty_1/session", asked).json()
    assert [each["summary_id"] for each in session["summaries"]] == ["sum_2", "sum_1"]
    assert session["flags"] == {"gate": "shut", "lamp": "lit", "oath": True}
    everything = engine.get("parties/pty_1/session").json()
    assert everything["flags"] == {"gate": "burnt", "lamp": "lit", "oath": True}
    unseen = engine.get("parties/pty_1/session", {"npc_id": "npc_LiShen"}).json()
    assert [each["summary_id"] for each in unseen["summaries"]] == ["sum_3", "sum_1"]


def test_a_session_tells_what_happened_between_scenes_after_the_scenes(engine):
    engine.post("episodes/summaries", make_body(flags={"gate": "open"}))
    told = {"party_id": "pty_1", "minute": 2, "notes": "The key is back with its owner."}
    engine.post("episodes/events", make_event("evt_old", party_id="pty_1", notes="The fair was over."))
    engine.post("episodes/events", make_event("evt_party", **told))
    engine.post("episodes/events", make_event("evt_campaign", kind="war", minute=4, notes="War came to the coast."))
    engine.post("episodes/events", make_event("evt_silent", party_id="pty_1", minute=6, flags={"oath": True}))
    session = engine.get("parties/pty_1/session").json()
    assert session["events"] == [
        {"event_id": "evt_campaign", "party_id": None, "kind": "war", "when": "2026-03-01T19:04:00Z",
         "notes": "War came to the coast."},
        {"event_id": "evt_party", "party_id": "pty_1", "kind": "quest_completed", "when": "2026-03-01T19:02:00Z",
         "notes": "The key is back with its owner."},
    ]  # fmt: skip
    assert session["text"] == (
        "The keeper lent the moon key against a promise. (partial success)\n"
        "The key is back with its owner.\nWar came to the coast.\ngate: open; oath: yes"
    )
    all_of_it = engine.get("parties/pty_1/session", {"k": 20}).json()["events"]
    assert [each["event_id"] for each in all_of_it] == ["evt_campaign", "evt_party", "evt_old"]


def test_an_npc_is_told_of_those_events_only_that_it_was_told_of(engine, world):
    make_npc(world, "npc_Oda")
    engine.post("episodes/summaries", make_body(npcs=["npc_LiShen", "npc_Oda"]))
    engine.post("episodes/events", make_event("evt_1", party_id="pty_1", notes="The key is back."))
    engine.post("episodes/events", make_event("evt_2", notes="War came."))
    engine.post("episodes/told", {"npc_id": "npc_Oda", "event_id": "evt_1", "source": "p_A"})
    of_oda = engine.get("parties/pty_1/session", {"npc_id": "npc_Oda"}).json()
    assert [each["event_id"] for each in of_oda["events"]] == ["evt_1"]
    assert "War came." not in of_oda["text"]
    of_keeper = engine.get("parties/pty_1/session", {"npc_id": "npc_LiShen"}).json()
    assert (of_keeper["events"], "The key is back." in of_keeper["text"]) == ([], False)


def test_events_of_another_party_and_of_an_archived_campaign_are_not_told(engine):
    engine.post("episodes/summaries", make_body())
    engine.post("episodes/summaries", make_body("sum_2", party_id="pty_2", scene_id="scn_2"))
    engine.post("episodes/events", make_event("evt_1", party_id="pty_2", notes="They lost the lantern."))
    engine.post("episodes/events", make_event("evt_2", notes="War came."))
    told = {party: engine.get(f"parties/{party}/session").json()["events"] for party in ("pty_1", "pty_2")}
    assert [each["event_id"] for each in told["pty_1"]] == ["evt_2"]
    assert [each["event_id"] for each in told["pty_2"]] == ["evt_2", "evt_1"]
    for step in ("finish", "archive"):
        engine.post(f"campaigns/camp_1/{step}", {})
    assert engine.get("parties/pty_1/session").json()["events"] == []


def test_a_session_of_an_npc_that_knows_nothing_is_empty(engine, world):
    engine.post("episodes/summaries", make_body(flags={"gate": "open"}))
    engine.post("episodes/events", make_event(party_id="pty_1", notes="The key is back."))
    make_npc(world, "npc_Mute")
    session = engine.get("parties/pty_1/session", {"npc_id": "npc_Mute"}).json()
    assert (session["summaries"], session["flags"], session["scene_id"], session["text"]) == ([], {}, None, "")
    assert session["events"] == []


def test_a_late_setting_of_a_flag_and_a_partys_own_hold_for_an_npc_too(engine):
    engine.post("episodes/events", make_event(minute=1, flags={"gate": "of all"}))
    engine.post("episodes/told", {"npc_id": "npc_Oda", "event_id": "evt_1", "source": "p_A"})
    engine.post("episodes/summaries", make_body("sum_1", minute=9, npcs=["npc_Oda"], flags={"gate": "new"}))
    engine.post("episodes/summaries", make_body("sum_2", minute=5, npcs=["npc_Oda"], flags={"gate": "late"}))
    assert engine.get("parties/pty_1/session", {"npc_id": "npc_Oda"}).json()["flags"] == {"gate": "new"}


@pytest.mark.parametrize("asked", [{}, {"npc_id": "npc_LiShen"}])
def test_a_session_takes_as_many_queries_for_many_scenes_as_for_few(world, asked, django_assert_num_queries):
    make_npc(world)
    start(world)
    for size in (2, 30):
        for number in range(size):
            add_scene(world, summary_id=f"{size}_{number}", minute=number, flags={f"flag_{number}": number})
            event_id, owner = f"evt_{size}_{number}", {"party_id": "pty_1"} if number % 2 else {}
            add_event(world, event_id=event_id, notes=f"Bell {number} rang.", **owner)
            names = {"tenant_id": world.tenant_id, "world_id": world.pk, "npc_id": "npc_LiShen"}
            record_hearsay(**names, event_id=event_id, source="p_A", told_at=timezone.now())
        with django_assert_num_queries(6 if asked else 5):
            state = get_party_state(tenant_id=world.tenant_id, world_id=world.pk, party_id="pty_1", k=20, **asked)
        assert len(state.flags) == size
        assert len(state.events) == min(size, 20)


@pytest.mark.parametrize("asked", [{}, {"npc_id": "npc_LiShen"}])
def test_the_text_of_a_long_campaign_tells_the_dozen_flags_that_were_set_last_by_name(engine, world, asked):
    for number in range(60):
        add_scene(world, summary_id=f"sum_{number}", minute=number, flags={f"flag_{number:02}": number})
    add_scene(world, summary_id="sum_again", minute=70, flags={"flag_00": "again"})
    add_event(world, minute=0, flags={"flag_59": "of the campaign"})
    session = engine.get("parties/pty_1/session", {"k": 1, **asked}).json()
    told = ["flag 00: again", *(f"flag {number}: {number}" for number in range(49, 60))]
    assert session["text"].splitlines()[1:] == ["; ".join(told)]
    assert session["flags"] == {f"flag_{number:02}": number or "again" for number in range(60)}
    assert list(session["flags"]) == sorted(session["flags"])


@pytest.mark.parametrize("asked", [{}, {"npc_id": "npc_LiShen"}])
def test_a_session_holds_the_two_hundred_flags_that_were_set_last(engine, world, asked):
    for third in range(3):
        flags = {f"flag_{third}_{number:02}": True for number in range(70)}
        add_scene(world, summary_id=f"sum_{third}", minute=9 - third, flags=flags)
    told = [f"flag_{third}_{number:02}" for third in range(3) for number in range(70)]
    assert list(engine.get("parties/pty_1/session", asked).json()["flags"]) == told[:200]


def test_flags_come_with_what_set_them_and_summaries_are_searched(engine):
    engine.post("episodes/summaries", make_body(flags={"gate": "open"}))
    engine.post("episodes/events", make_event(party_id="pty_1", minute=9, flags={"gate": "shut"}))
    (flag,) = engine.get("campaigns/camp_1/flags").json()["flags"]
    assert [(each["new"], each["summary_id"], each["event_id"]) for each in flag["changes"]] == [
        ("shut", None, "evt_1"), ("open", "sum_1", None),
    ]  # fmt: skip
    engine.post("episodes/events", make_event("evt_2", minute=9, flags={"war": True}))
    page = engine.get("campaigns/camp_1/flags", {"limit": 1}).json()
    assert (page["flags"], page["next_after"]) == ([flag], "gate")
    rest = engine.get("campaigns/camp_1/flags", {"after": page["next_after"]}).json()
    assert ([each["name"] for each in rest["flags"]], rest["next_after"]) == (["war"], None)
    found = engine.get("campaigns/camp_1/summaries", {"q": "moon key"}).json()
    assert [hit["summary"]["summary_id"] for hit in found["hits"]] == ["sum_1"]
    assert engine.get("campaigns/camp_1/summaries", {"q": "moon key", "npc_id": "npc_Oda"}).json()["hits"] == []
    told = engine.post("episodes/hearsay", {"npc_id": "npc_Oda", "summary_id": "sum_1", "source": "p_A"})
    assert (told.status_code, told.json()["created"]) == (201, True)
    assert len(engine.get("campaigns/camp_1/summaries", {"q": "moon key", "npc_id": "npc_Oda"}).json()["hits"]) == 1


def test_a_campaign_goes_through_its_states_and_is_listed(engine, problem):
    engine.post("episodes/summaries", make_body())
    assert engine.post("campaigns", {"campaign_id": "camp_1"}).status_code == 200
    problem(engine.post("campaigns/camp_1/archive", {}), 409, "campaign_state_conflict")
    for step, state in (("finish", "finished"), ("archive", "archived"), ("restore", "active")):
        assert engine.post(f"campaigns/camp_1/{step}", {}).json()["state"] == state
    exported = engine.get("campaigns/camp_1/export").json()
    assert exported["entries"] == [{"summary": make_body()}]
    for number in range(3):
        engine.post("campaigns", {"campaign_id": f"more_{number}"})
    first = engine.get("campaigns", {"limit": 2}).json()
    assert [each["campaign_id"] for each in first["campaigns"]] == ["more_2", "more_1"]
    second = engine.get("campaigns", {"limit": 2, "before": first["next_before"]}).json()
    assert ([each["campaign_id"] for each in second["campaigns"]], second["next_before"]) == (
        ["more_0", "camp_1"],
        None,
    )
    assert engine.get("campaigns/camp_1").json()["summary_count"] == 1


@pytest.mark.parametrize(
    ("change", "status", "code", "path"),
    [
        ({"notes": "word " * 60}, 400, "summary_invalid", "notes"),
        ({"where": {}}, 400, "summary_invalid", "where"),
        ({"notes": "a\x00b"}, 400, "summary_invalid", "notes"),
        ({"campaign_id": "camp_none"}, 404, "campaign_not_found", None),
        (
            {"relations_delta": [{"npc_id": "npc_Nobody", "towards": "party", "delta": 1, "reason": "r"}]},
            404,
            "npc_not_found",
            None,
        ),
        (
            {"relations_delta": [{"npc_id": "npc_LiShen", "towards": "party", "delta": 99, "reason": "r"}]},
            400,
            "disposition_delta_out_of_bounds",
            None,
        ),
    ],
)
def test_bad_summaries_are_told_by_code_and_path_and_leave_nothing(engine, problem, change, status, code, path):
    document = problem(
        engine.post("episodes/summaries", make_body(**{"flags": {"gate": "open"}, **change})), status, code
    )
    if path is not None:
        assert path in {error["path"] for error in document["errors"]}
    assert (EpisodicSummary.objects.count(), Flag.objects.count(), Party.objects.count()) == (0, 0, 0)


def test_another_body_under_a_known_id_is_409(engine, problem):
    engine.post("episodes/summaries", make_body())
    problem(engine.post("episodes/summaries", make_body(notes="Otherwise.")), 409, "summary_conflict")
    engine.post("episodes/events", make_event())
    problem(engine.post("episodes/events", make_event(kind="other")), 409, "event_conflict")
    problem(engine.post("episodes/events", make_event("evt_2", kind="No!")), 400, "event_invalid")
    engine.post("campaigns/camp_1/finish", {})
    problem(engine.post("episodes/summaries", make_body("sum_9")), 409, "campaign_closed")


@pytest.mark.parametrize("body", [[], "text", 7, None, {"campaign_id": {}}])
def test_what_is_no_summary_at_all_is_refused(engine, problem, body):
    problem(engine.post("episodes/summaries", json.dumps(body)), 400, "summary_invalid")


def test_a_body_over_the_limit_is_413(engine, problem, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2000
    problem(engine.post("episodes/summaries", make_body(notes="x" * 3000)), 413, "body_too_large")


def test_unknown_parts_of_play_are_404(engine, problem):
    problem(engine.get("parties/pty_none/session"), 404, "party_not_found")
    for path in ("campaigns/camp_none", "campaigns/camp_none/flags", "campaigns/camp_none/export"):
        problem(engine.get(path), 404, "campaign_not_found")
    problem(engine.get("campaigns/camp_none/summaries", {"q": "x"}), 404, "campaign_not_found")
    problem(engine.post("campaigns/camp_none/finish", {}), 404, "campaign_not_found")
    told = {"npc_id": "a", "source": "b"}
    problem(engine.post("episodes/told", {**told, "summary_id": "none"}), 404, "summary_not_found")
    problem(engine.post("episodes/told", {**told, "event_id": "none"}), 404, "event_not_found")
    problem(engine.post("episodes/told", told), 400, "body_invalid")
    problem(engine.post("episodes/told", {**told, "summary_id": "a", "when": "noon"}), 400, "when_invalid")
    problem(engine.get("parties/pty_1/session", {"k": 0}), 400, "parameter_invalid")


def test_readers_may_not_write(make_api, world, problem):
    reader = make_api("read")
    for path in ("episodes/summaries", "episodes/events", "episodes/told", "campaigns", "campaigns/x/finish"):
        problem(reader.post(path, {}), 403, "scope_missing")


def test_another_tenants_play_is_told_as_absent(engine, make_api, problem):
    rival = ensure_tenant(slug="rival")
    theirs = ensure_world(tenant_id=rival.pk, slug="ashfall")
    start(theirs, "camp_theirs")
    add_scene(theirs, summary_id="sum_theirs", campaign_id="camp_theirs", party_id="pty_theirs")
    problem(engine.get("parties/pty_theirs/session"), 404, "party_not_found")
    for path in ("", "/flags", "/export"):
        problem(engine.get(f"campaigns/camp_theirs{path}"), 404, "campaign_not_found")
    problem(engine.get("campaigns/camp_theirs/summaries", {"q": "moon"}), 404, "campaign_not_found")
    problem(engine.post("episodes/summaries", make_body(campaign_id="camp_theirs")), 404, "campaign_not_found")
    told = {"npc_id": "a", "source": "b", "summary_id": "sum_theirs"}
    problem(engine.post("episodes/told", told), 404, "summary_not_found")
    for step in ("finish", "archive", "restore"):
        problem(engine.post(f"campaigns/camp_theirs/{step}", {}), 404, "campaign_not_found")
    assert engine.post("episodes/summaries", make_body("sum_theirs")).status_code == 201
    assert engine.get("campaigns").json()["campaigns"][0]["campaign_id"] == "camp_1"


def test_an_idempotency_key_gives_the_first_answer_again(engine):
    body = make_body(flags={"gate": "open"})
    first = engine.post("episodes/summaries", body, Idempotency_Key="k1")
    again = engine.post("episodes/summaries", body, Idempotency_Key="k1")
    assert (again.status_code, again.json(), again["Idempotency-Replayed"]) == (201, first.json(), "true")
