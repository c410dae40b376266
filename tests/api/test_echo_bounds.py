"""Echoes across worlds, where the search for them ends, and one world's proofs of a fact that others hold as well."""

from __future__ import annotations

import pytest

from episodes.forgetting.selectors import echoes
from episodes.models import ForgetReceipt, Message
from knowledge.facts.models import UserFact
from tenancy.actions.worlds import ensure_world

pytestmark = pytest.mark.django_db
SAID = "I am allergic to peanuts."
ECHO = "Noted, you are allergic to peanuts."


@pytest.fixture
def keys(tenant, make_api):
    """A key of each world, and one of the tenant."""
    worlds = {name: ensure_world(tenant_id=tenant.pk, slug=name) for name in ("selmar", "third")}
    bound = {name: make_api("engine", "read", world_id=world.pk) for name, world in worlds.items()}
    return {**bound, "tenant": make_api("engine", "read")}


def open_chat(api):
    return api.post("conversations", {"user_id": "player-1"}).json()["id"]


def say(api, chat, content, role="user"):
    return api.post(f"conversations/{chat}/messages", {"role": role, "content": content}).json()["message_id"]


def test_an_echo_in_another_world_is_not_touched_by_a_key_of_one_world(keys):
    here, there = open_chat(keys["selmar"]), open_chat(keys["third"])
    said = say(keys["selmar"], here, SAID)
    echo, elsewhere = say(keys["selmar"], here, ECHO, "assistant"), say(keys["third"], there, ECHO, "assistant")
    preview = keys["selmar"].post(f"messages/{said}/forget?dry_run=true", {}).json()
    assert [each["message_id"] for each in preview["echoes"]] == [echo]
    receipt = keys["selmar"].post(f"messages/{said}/forget", {}).json()
    assert (receipt["echoes"], receipt["echoes_searched"]) == ([echo], "complete")
    assert Message.objects.get(pk=elsewhere).forgotten_at is None


def test_an_echo_in_another_world_goes_with_a_key_of_the_tenant(keys):
    here, there = open_chat(keys["selmar"]), open_chat(keys["third"])
    said = say(keys["selmar"], here, SAID)
    elsewhere = say(keys["third"], there, ECHO, "assistant")
    assert keys["tenant"].post(f"messages/{said}/forget", {}).json()["echoes"] == [elsewhere]


def test_a_search_for_echoes_that_ends_early_says_so_and_takes_the_answers_first(keys, monkeypatch):
    monkeypatch.setattr(echoes, "MAX_ECHO_CHECKS", 3)
    old, here = open_chat(keys["selmar"]), open_chat(keys["selmar"])
    said = say(keys["selmar"], here, SAID)
    for number in range(6):
        say(keys["selmar"], old, f"The tower is old {number}.", "assistant")
    answer = say(keys["selmar"], here, ECHO, "assistant")
    preview = keys["selmar"].post(f"messages/{said}/forget?dry_run=true", {}).json()
    receipt = keys["selmar"].post(f"messages/{said}/forget", {}).json()
    assert preview["echoes_searched"] == receipt["echoes_searched"] == "truncated"
    assert receipt["echoes"] == [answer]
    assert ForgetReceipt.objects.get().echo_ids == [answer]


def test_a_message_that_proves_nothing_needs_no_search(keys):
    said = say(keys["selmar"], open_chat(keys["selmar"]), "The tower is old.")
    assert keys["selmar"].post(f"messages/{said}/forget", {}).json()["echoes_searched"] == "not_needed"


def test_forgetting_one_message_leaves_the_worlds_other_proof_of_a_shared_fact(keys):
    here, there = open_chat(keys["selmar"]), open_chat(keys["third"])
    first, second = say(keys["selmar"], here, SAID), say(keys["selmar"], here, SAID)
    elsewhere = say(keys["third"], there, SAID)
    assert set(UserFact.objects.get(is_active=True).evidence) == {first, second, elsewhere}
    keys["selmar"].post(f"messages/{first}/forget", {})
    assert set(UserFact.objects.get(is_active=True).evidence) == {second, elsewhere}
    [fact] = keys["selmar"].get("users/player-1/facts").json()["facts"]
    assert fact["evidence"] == [second]
