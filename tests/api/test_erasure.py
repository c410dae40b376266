"""The id of an erased user stands nowhere any more: no table, no Redis key; and the story of others still reads."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from episodes.models import EpisodicSummary, Flag, FlagChange, NpcTold, PartyMember, SummaryPassage
from npcs.models import Disposition, DispositionEntry
from runtime.models import Trace
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import EndUser
from tests.episodes.traces import find_word
from tests.factories.campaigns import make_body, make_event
from tests.factories.npcs import make_npc

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("closed_circuit")]
WHO = "zq-lena@7"
OTHER = "p_B"
SESSION = f"npc/sessions/{WHO}"
TURN = {"npc_id": "npc_Oda", "party_id": "pty_1", "message": "What do I know?"}
BUDGET = {"type": "budget", "value": "9", "source": "onboarding"}
PLACEHOLDER = re.compile(r"erased-[0-9a-f]{16}")


@pytest.fixture
def engine(make_api, world):
    for npc_id in ("npc_LiShen", "npc_Oda"):
        make_npc(world, npc_id)
    client = make_api("engine", "read", headers={"X-Site-ID": "ashfall"})
    assert client.post("campaigns", {"campaign_id": "camp_1"}).status_code == 201
    return client


def must(answer):
    assert answer.status_code in (200, 201), answer.content
    return answer.json()


def build_summary_items(engine):
    delta = {"npc_id": "npc_LiShen", "delta": 1}
    first = make_body(
        who={"players": [WHO, OTHER], "npcs": ["npc_LiShen"]},
        what={"event": "bargain", "outcome": "success", "rolls": [{"who": WHO, "d20": 3, "effect": f"{WHO} slips"}]},
        flags={"thief": WHO, "gate": "open"},
        relations_delta=[
            {**delta, "towards": WHO, "reason": "kept promise"},
            {**delta, "towards": "party", "reason": f"{WHO} kept the promise"},
        ],
        notes=f"The keeper lent {WHO} the moon key.",
    )
    must(engine.post("episodes/summaries", first, Idempotency_Key="s-1"))
    told = [{"npc_id": "npc_Oda", "summary_id": "sum_1", "source": WHO}]
    second = make_body("sum_2", minute=5, who={"players": [OTHER], "npcs": ["npc_LiShen"]}, told=told)
    must(engine.post("episodes/summaries", second, Idempotency_Key="s-2"))
    must(
        engine.post("episodes/events", make_event(party_id="pty_1", minute=9, flags={"heir": WHO}, notes=f"{WHO} won."))
    )
    must(engine.post("episodes/told", {"npc_id": "npc_Oda", "event_id": "evt_1", "source": WHO}))


@pytest.fixture
def played(engine, redis):
    """A campaign of two players, one of whom put the id everywhere that this service ever puts one."""
    build_summary_items(engine)
    body = {"user_id": WHO, "external_id": f"chat-{WHO}", "npc_id": "npc_Oda", "session_id": WHO}
    chat = must(engine.post("conversations", body, Idempotency_Key="c-1"))["id"]
    said = {"role": "user", "content": f"I, {WHO}, am allergic to nickel."}
    must(engine.post(f"conversations/{chat}/messages", said, Idempotency_Key="m-1"))
    must(
        engine.post(f"users/{WHO}/facts", {"type": "budget", "value": "9", "source": "onboarding"}, Idempotency_Key="f")
    )
    put = Client().put(
        f"/api/v1/{SESSION}/preference?tone=casual", headers={**engine.headers, "Authorization": f"Bearer {engine.key}"}
    )
    assert put.status_code == 200, put.content
    must(engine.get(SESSION, {"npc_id": "npc_Oda"}))
    must(engine.post("context", {**TURN, "user_id": WHO, "session_id": WHO, "conversation_id": chat}))
    must(engine.post("context", {**TURN, "user_id": OTHER}))
    must(engine.post("context", {**TURN, "user_id": OTHER, "npc_id": "npc_LiShen"}))
    return chat


def erase(engine, **more):
    return engine.post(f"users/{WHO}/erase", {"reason": f"Case 7 of {WHO}", "confirm": WHO}, **more)


def test_no_table_and_no_redis_key_holds_the_id(engine, played):
    before = find_word(WHO)
    assert before >= {
        "tenancy_enduser.external_id", "tenancy_idempotencyrecord.method_and_path",
        "tenancy_idempotencyrecord.response",
        "episodes_conversation.external_id", "episodes_conversation.session_id", "episodes_message.session_id",
        "episodes_message.content", "episodes_episodicsummary.body", "episodes_episodicsummary.notes",
        "episodes_eventfact.body", "episodes_eventfact.notes", "episodes_flag.value", "episodes_flagchange.new_value",
        "episodes_npctold.source", "npcs_dispositionentry.reason", "runtime_trace.user_id", "runtime_trace.session_id",
        "runtime_trace.outline", "runtime_trace.texts",
    }  # fmt: skip
    assert {each for each in before if each.startswith("redis:")}
    receipt = must(erase(engine, Idempotency_Key="e"))
    assert (receipt["state"], set(receipt["left"].values())) == ("done", {0}), receipt
    assert find_word(WHO) == set()


def test_the_receipt_counts_what_was_cleared_in_each_store(engine, played):
    dry = must(engine.post(f"users/{WHO}/erase?dry_run=true", {"reason": "Case 7", "confirm": WHO}))["would_clear"]
    assert [dry[name] for name in ("party_members", "dispositions", "summaries", "events", "told")] == [1, 1, 2, 1, 2]
    cleared = must(erase(engine))["cleared"]
    assert {name: cleared[name] for name in (
        "party_members", "summaries", "events", "flags", "flag_changes", "told", "dispositions", "disposition_moves",
        "disposition_reasons", "traces", "contents", "facts",
    )} == {
        "party_members": 1, "summaries": 2, "events": 1, "flags": 2, "flag_changes": 2, "told": 2, "dispositions": 1,
        "disposition_moves": 1, "disposition_reasons": 1, "traces": 3, "contents": 1, "facts": 2,
    }  # fmt: skip
    assert cleared["session_memory"] > 0


def test_the_story_of_the_others_still_reads(engine, played):
    placeholder = must(erase(engine))["user_id"]
    assert PLACEHOLDER.fullmatch(placeholder)
    body = EpisodicSummary.objects.get(summary_id="sum_1").body
    assert body["who"]["players"] == [placeholder, OTHER]
    assert body["what"]["rolls"] == [{"who": placeholder, "d20": 3, "effect": f"{placeholder} slips"}]
    assert [each["towards"] for each in body["relations_delta"]] == [placeholder, "party"]
    assert EpisodicSummary.objects.get(summary_id="sum_2").body["told"][0]["source"] == placeholder
    assert dict(Flag.objects.values_list("name", "value")) == {
        "thief": placeholder,
        "gate": "open",
        "heir": placeholder,
    }
    assert set(FlagChange.objects.values_list("new_value", flat=True)) == {placeholder, "open"}
    assert not FlagChange.objects.filter(old_value__isnull=False).exists()
    assert set(NpcTold.objects.values_list("source", flat=True)) == {placeholder}
    assert PartyMember.objects.get().end_user.external_id == OTHER
    assert Disposition.objects.get().party_id == "pty_1"
    assert DispositionEntry.objects.get().reason == f"{placeholder} kept the promise"
    session = must(engine.get("parties/pty_1/session"))
    assert (session["players"], placeholder in session["text"]) == ([OTHER], True)
    exported = must(engine.get("campaigns/camp_1/export"))
    assert WHO not in repr(exported)


def test_summaries_are_found_by_what_they_say_now(engine, played):
    vector = SummaryPassage.objects.get(summary__summary_id="sum_2").embedding_hash
    assert must(engine.get("campaigns/camp_1/summaries", {"q": "lena"}))["hits"]
    placeholder = must(erase(engine))["user_id"]
    found = must(engine.get("campaigns/camp_1/summaries", {"q": placeholder}))["hits"]
    assert [hit["summary"]["summary_id"] for hit in found] == ["sum_1"]
    assert bytes(SummaryPassage.objects.get(summary__summary_id="sum_2").embedding_hash) == bytes(vector)
    assert SummaryPassage.objects.count() == 2


def test_a_repeat_under_its_key_gets_the_receipt_and_any_other_finds_nobody(engine, played, problem):
    receipt = must(erase(engine, Idempotency_Key="e"))
    again = erase(engine, Idempotency_Key="e")
    assert (again.json(), again["Idempotency-Replayed"]) == (receipt, "true")
    problem(erase(engine), 404, "user_not_found")
    problem(engine.get(f"users/{WHO}/facts"), 404, "user_not_found")
    problem(engine.post(f"users/{WHO}/facts", BUDGET, Idempotency_Key="f"), 409, "idempotency_key_reused")
    at_placeholder = f"users/{receipt['user_id']}/forget-receipts"
    assert [each["id"] for each in must(engine.get(at_placeholder))["receipts"]] == [receipt["id"]]


def test_a_summary_sent_again_is_a_conflict_and_brings_nothing_back(engine, played, problem):
    first = must(engine.get("campaigns/camp_1/export"))["entries"][0]["summary"]
    must(erase(engine))
    problem(engine.post("episodes/summaries", first), 409, "summary_conflict")
    assert not EndUser.objects.filter(external_id=WHO).exists()


def test_who_comes_under_the_id_later_is_a_new_user(engine, played):
    old = must(erase(engine))["user_id"]
    must(engine.post("episodes/summaries", make_body("sum_3", minute=20, who={"players": [WHO], "npcs": []})))
    body = {"user_id": WHO, "external_id": f"chat-{WHO}"}
    chat = must(engine.post("conversations", body))
    assert chat["id"] != played
    assert must(engine.get(f"users/{WHO}/facts")) == {"data": [], "next_cursor": None, "facts": []}
    assert EndUser.objects.filter(external_id__in=(old, WHO)).count() == 2
    second = must(erase(engine))["user_id"]
    assert second not in (old, WHO)
    assert EpisodicSummary.objects.get(summary_id="sum_3").body["who"]["players"] == [second]


def test_who_is_erased_already_can_be_erased_again_under_the_placeholder(engine, played):
    name = must(erase(engine))["user_id"]
    must(engine.post(f"conversations/{played}/messages", {"role": "user", "content": "It is me again."}))
    again = must(engine.post(f"users/{name}/erase", {"reason": "Case 8", "confirm": name}))
    assert (again["user_id"], again["state"], again["cleared"]["contents"]) == (name, "done", 1)


def test_traces_of_others_keep_their_words_where_these_never_named_the_user(engine, played):
    must(engine.post("context", {"user_id": OTHER, "message": "Hello."}))
    must(erase(engine))
    kept = Trace.objects.order_by("pk").values_list("user_id", "blanked_at")
    assert [(user_id, blanked_at is None) for user_id, blanked_at in kept] == [
        (OTHER, False), (OTHER, False), (OTHER, True),
    ]  # fmt: skip


def test_another_tenants_user_of_the_same_id_stays(engine, played, make_api):
    rival = make_api("engine", "read", of=ensure_tenant(slug="rival"))
    must(rival.post("conversations", {"user_id": WHO}))
    must(erase(engine))
    assert EndUser.objects.filter(external_id=WHO, tenant__slug="rival").count() == 1
    assert must(rival.get(f"users/{WHO}/facts")) == {"data": [], "next_cursor": None, "facts": []}
