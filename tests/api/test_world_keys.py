"""A key of one world sees, forgets and erases what its world's conversations hold, and nothing that others hold."""

from __future__ import annotations

import pytest

from episodes.models import ForgetReceipt, Message
from knowledge.facts.models import UserFact
from tenancy.actions.worlds import ensure_world
from tests.factories.rest import post_message, start_chat

pytestmark = pytest.mark.django_db(transaction=True)
USER = "player-1"
SAID = "I am allergic to walnuts."


@pytest.fixture
def selmar(tenant):
    return ensure_world(tenant_id=tenant.pk, slug="selmar")


@pytest.fixture
def third(tenant):
    return ensure_world(tenant_id=tenant.pk, slug="third")


@pytest.fixture
def keys(make_api, selmar, third):
    """A client of each world's key, and one of the tenant's."""
    scopes = ("read", "engine")
    return {
        "selmar": make_api(*scopes, world_id=selmar.pk),
        "third": make_api(*scopes, world_id=third.pk),
        "tenant": make_api(*scopes, headers={"X-Site-ID": "selmar"}),
    }


def say(api, text, user=USER):
    return post_message(api, start_chat(api, user, external_id="chat-1"), text)


def list_values(api, user_id=USER):
    answer = api.get(f"users/{user_id}/facts")
    assert answer.status_code == 200, answer.content
    return {fact["value"] for fact in answer.json()["facts"]}


@pytest.fixture
def fact(keys):
    """The id of what was said in selmar; third has met the player as well."""
    posted = say(keys["selmar"], SAID)
    say(keys["third"], "Hello there.")
    [found] = posted["understood"]["facts"]
    return found["fact_id"]


def test_a_fact_is_seen_by_the_worlds_of_its_evidence_and_by_the_tenant(keys, fact, problem):
    assert list_values(keys["third"]) == set()
    assert len(list_values(keys["selmar"])) == len(list_values(keys["tenant"])) == 1
    problem(keys["third"].get(f"users/{USER}/facts/{fact}"), 404, "fact_not_found")
    problem(keys["third"].delete(f"users/{USER}/facts/{fact}"), 404, "fact_not_found")
    assert "walnut" in keys["selmar"].get(f"users/{USER}/facts/{fact}").content.decode()


@pytest.mark.parametrize("body", [{"scope": "all"}, {"from": "2020-01-01T00:00:00Z"}, {"topic": "walnuts"}])
def test_a_preview_holds_nothing_of_another_world(keys, fact, body):
    answer = keys["third"].post(f"users/{USER}/forget?dry_run=true", body)
    assert answer.status_code == 200, answer.content
    assert "walnut" not in answer.content.decode()
    assert answer.json()["facts"] == []
    assert "walnut" in keys["selmar"].post(f"users/{USER}/forget?dry_run=true", body).content.decode()


def test_forgetting_all_in_one_world_leaves_the_other(keys, fact, problem):
    receipt = keys["third"].post(f"users/{USER}/forget", {"scope": "all"}).json()
    assert (receipt["cleared"]["messages"], receipt["cleared"]["facts"]) == (1, 0)
    assert len(list_values(keys["selmar"])) == 1
    said = Message.objects.get(content=SAID)
    problem(keys["third"].post(f"users/{USER}/forget", {"message_ids": [said.pk]}), 404, "message_not_found")
    problem(keys["selmar"].get(f"users/{USER}/forget-receipts/{receipt['id']}"), 404, "receipt_not_found")
    assert keys["selmar"].get(f"users/{USER}/forget-receipts").json()["receipts"] == []
    assert keys["tenant"].get(f"users/{USER}/forget-receipts/{receipt['id']}").status_code == 200


def test_erasing_with_a_key_of_one_world_erases_what_was_said_there(keys, fact):
    body = {"reason": "Case 7", "confirm": USER}
    assert keys["third"].post(f"users/{USER}/erase?dry_run=true", body).json()["would_clear"]["contents"] == 1
    erased = keys["third"].post(f"users/{USER}/erase", body)
    assert erased.status_code in (201, 202), erased.content
    receipt = ForgetReceipt.objects.get(pk=erased.json()["id"])
    assert (receipt.state, set(receipt.verification.values())) == ("done", {0})
    assert set(Message.objects.values_list("content", flat=True)) == {SAID, "[erased]"}
    assert len(list_values(keys["selmar"])) == 1
    assert list_values(keys["third"]) == set()
    again = keys["selmar"].post(f"users/{USER}/erase", body)
    assert again.status_code in (201, 202), again.content
    assert set(Message.objects.values_list("content", flat=True)) == {"[erased]"}
    assert not UserFact.objects.exclude(value_sealed=b"").exists()


def test_what_two_worlds_were_told_stays_with_the_one_when_the_other_lets_it_go(keys, fact):
    say(keys["third"], SAID)
    [shared] = keys["third"].get(f"users/{USER}/facts").json()["facts"]
    assert shared["id"] == fact
    evidence = set(UserFact.objects.get(pk=fact).evidence)
    assert set(shared["evidence"]) < evidence
    assert keys["third"].delete(f"users/{USER}/facts/{fact}").json() == {"versions_erased": 1}
    assert list_values(keys["third"]) == set()
    [left] = keys["selmar"].get(f"users/{USER}/facts").json()["facts"]
    assert set(left["evidence"]) == evidence - set(shared["evidence"])


def test_forgetting_one_worlds_proof_leaves_the_fact_to_the_other(keys, fact):
    said = say(keys["third"], SAID)["message_id"]
    assert keys["third"].post(f"messages/{said}/forget", {}).status_code == 201
    assert list_values(keys["third"]) == set()
    assert len(list_values(keys["selmar"])) == 1


def test_who_is_met_in_another_world_only_is_told_as_unknown(keys, problem):
    say(keys["selmar"], SAID, "p-2")
    for path in ("facts", "forget-receipts", "episodes?q=walnuts"):
        told = problem(keys["third"].get(f"users/p-2/{path}"), 404, "user_not_found")
        assert told["detail"] == problem(keys["third"].get(f"users/p-3/{path}"), 404, "user_not_found")[
            "detail"
        ].replace("p-3", "p-2")
    body = {"reason": "Case 7", "confirm": "p-2"}
    problem(keys["third"].post("users/p-2/erase", body), 404, "user_not_found")
    problem(keys["third"].post("users/p-2/forget?dry_run=true", {"scope": "all"}), 404, "user_not_found")
    asked = {"message": "What may I eat?", "user_id": "p-2"}
    assert "user_unknown" in keys["third"].post("context", asked).json()["degraded"]


def test_external_ids_and_idempotency_keys_tell_nothing_of_another_world(keys):
    for user_id in (USER, "p-2"):
        for name in ("selmar", "third"):
            body = {"user_id": user_id, "external_id": f"x-{user_id}"}
            opened = keys[name].post("conversations", body, Idempotency_Key=f"once-{user_id}")
            assert opened.status_code == 201, opened.content


def test_a_pack_tells_a_key_of_one_world_what_that_world_holds(keys, fact):
    asked = {"message": "Which walnuts may I eat?", "user_id": USER}
    third, selmar = (keys[name].post("context", asked).content.decode().count("walnut") for name in ("third", "selmar"))
    assert third < selmar
    facts = [layer for layer in keys["third"].post("context", asked).json()["layers"] if layer["name"] == "facts"]
    assert [layer["items"] for layer in facts] in ([], [[]])


def test_a_trace_of_the_tenants_key_keeps_the_words_of_other_worlds_back(keys, fact):
    asked = {"message": "What may I eat?", "user_id": USER}
    trace_id = keys["tenant"].post("context", asked, X_Site_ID="third").json()["trace_id"]
    read = keys["third"].get(f"traces/{trace_id}")
    assert (read.status_code, read.json()["texts_lack"]) == (200, "other_worlds")
    assert "walnut" not in read.content.decode()
    assert "walnut" not in keys["third"].get(f"traces/{trace_id}/replay").content.decode()
    assert "walnut" in keys["tenant"].get(f"traces/{trace_id}", X_Site_ID="third").content.decode()


def test_an_answer_does_not_say_that_another_world_knew_it(keys, fact):
    told = say(keys["third"], SAID)["understood"]["facts"][0]
    assert told["outcome"] == "written"
    assert told["superseded_id"] is None
    own = set(Message.objects.filter(conversation__world__slug="third").values_list("pk", flat=True))
    assert set(told["evidence"]) <= own


def test_a_correction_of_what_only_another_world_knows_is_told_as_unmatched(keys, fact):
    chat = keys["third"].post("conversations", {"user_id": USER, "external_id": "chat-1"}).json()["id"]
    claim = {"role": "assistant", "content": "You are allergic to walnuts, right?"}
    keys["third"].post(f"conversations/{chat}/messages", claim)
    denied = (
        keys["third"]
        .post(f"conversations/{chat}/messages", {"role": "user", "content": "No, I'm not allergic to walnuts."})
        .json()["understood"]["corrections"]
    )
    assert all(each["fact_id"] is None for each in denied)
    assert all(not each.get("fact") for each in denied)
    assert {each["outcome"] for each in denied} <= {"unmatched"}


def test_another_worlds_word_does_not_take_a_fact_from_a_world(keys, fact):
    """Sizes supersede; each world's key keeps seeing what its own players said."""
    for name, size in (("selmar", "M"), ("third", "L")):
        said = say(keys[name], f"My size is {size}.")["message_id"]
        body = {"type": "body_params", "key": "size", "value": size, "source": "explicit", "evidence": [said]}
        assert keys[name].post(f"users/{USER}/facts", body).status_code in (200, 201)
    sizes = {name: list_values(keys[name]) & {"M", "L"} for name in keys}
    assert sizes == {"selmar": {"M"}, "third": {"L"}, "tenant": {"L"}}


def test_onboarding_belongs_to_the_world_that_states_it(keys, fact, problem, make_api, tenant):
    def state(api, value):
        body = {"type": "hard_ban", "value": value, "source": "onboarding"}
        return api.post(f"users/{USER}/facts", body).json()["fact"]["id"]

    state(keys["selmar"], "spiders")
    everywhere = make_api("read", "engine")
    shared = state(everywhere, "clowns")
    assert list_values(keys["third"]) == {"clowns"}
    assert list_values(keys["selmar"]) >= {"clowns", "spiders"}
    problem(keys["third"].delete(f"users/{USER}/facts/{shared}"), 403, "fact_of_tenant")
    state(keys["third"], "spiders")
    assert list_values(keys["third"]) == {"clowns", "spiders"}


def test_evidence_of_another_world_is_refused(keys, fact, problem):
    said = Message.objects.get(content=SAID).pk
    body = {"type": "allergy", "value": "walnut", "source": "explicit", "evidence": [said]}
    problem(keys["third"].post(f"users/{USER}/facts", body), 400, "fact_evidence_unknown")
