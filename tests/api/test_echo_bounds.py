"""Echoes across worlds, where the search for them ends, and one world's proofs of a fact that others hold as well."""

from __future__ import annotations

import pytest

from episodes.forgetting.selectors import echoes
from episodes.models import ForgetReceipt, Message
from knowledge.facts.models import UserFact
from tenancy.actions.worlds import ensure_world
from tests.factories.rest import post_message, start_chat

pytestmark = pytest.mark.django_db
SAID = "I am allergic to peanuts."
ECHO = "Noted, you are allergic to peanuts."


@pytest.fixture
def keys(tenant, make_api):
    """A key of each world, and one of the tenant."""
    worlds = {name: ensure_world(tenant_id=tenant.pk, slug=name) for name in ("selmar", "third")}
    bound = {name: make_api("engine", "read", world_id=world.pk) for name, world in worlds.items()}
    return {**bound, "tenant": make_api("engine", "read")}


def test_an_echo_in_another_world_is_not_touched_by_a_key_of_one_world(keys):
    here, there = start_chat(keys["selmar"]), start_chat(keys["third"])
    said = post_message(keys["selmar"], here, SAID)["message_id"]
    echo, elsewhere = (
        post_message(keys["selmar"], here, ECHO, "assistant")["message_id"],
        post_message(keys["third"], there, ECHO, "assistant")["message_id"],
    )
    preview = keys["selmar"].post(f"messages/{said}/forget?dry_run=true", {}).json()
    assert [each["message_id"] for each in preview["echoes"]] == [echo]
    receipt = keys["selmar"].post(f"messages/{said}/forget", {}).json()
    assert (receipt["echoes"], receipt["echoes_searched"]) == ([echo], "complete")
    assert Message.objects.get(pk=elsewhere).forgotten_at is None


def test_an_echo_in_another_world_goes_with_a_key_of_the_tenant(keys):
    here, there = start_chat(keys["selmar"]), start_chat(keys["third"])
    said = post_message(keys["selmar"], here, SAID)["message_id"]
    elsewhere = post_message(keys["third"], there, ECHO, "assistant")["message_id"]
    assert keys["tenant"].post(f"messages/{said}/forget", {}).json()["echoes"] == [elsewhere]


def test_a_search_for_echoes_that_ends_early_says_so_and_takes_the_answers_first(keys, monkeypatch):
    monkeypatch.setattr(echoes, "MAX_ECHO_CHECKS", 3)
    old, here = start_chat(keys["selmar"]), start_chat(keys["selmar"])
    said = post_message(keys["selmar"], here, SAID)["message_id"]
    for number in range(6):
        post_message(keys["selmar"], old, f"The tower is old {number}.", "assistant")["message_id"]
    answer = post_message(keys["selmar"], here, ECHO, "assistant")["message_id"]
    preview = keys["selmar"].post(f"messages/{said}/forget?dry_run=true", {}).json()
    receipt = keys["selmar"].post(f"messages/{said}/forget", {}).json()
    assert preview["echoes_searched"] == receipt["echoes_searched"] == "truncated"
    assert receipt["echoes"] == [answer]
    assert ForgetReceipt.objects.get().echo_ids == [answer]


def test_a_message_that_proves_nothing_needs_no_search(keys):
    said = post_message(keys["selmar"], start_chat(keys["selmar"]), "The tower is old.")["message_id"]
    assert keys["selmar"].post(f"messages/{said}/forget", {}).json()["echoes_searched"] == "not_needed"


def test_forgetting_one_message_leaves_the_worlds_other_proof_of_a_shared_fact(keys):
    here, there = start_chat(keys["selmar"]), start_chat(keys["third"])
    first, second = (
        post_message(keys["selmar"], here, SAID)["message_id"],
        post_message(keys["selmar"], here, SAID)["message_id"],
    )
    elsewhere = post_message(keys["third"], there, SAID)["message_id"]
    assert set(UserFact.objects.get(is_active=True).evidence) == {first, second, elsewhere}
    keys["selmar"].post(f"messages/{first}/forget", {})
    assert set(UserFact.objects.get(is_active=True).evidence) == {second, elsewhere}
    [fact] = keys["selmar"].get("users/player-1/facts").json()["facts"]
    assert fact["evidence"] == [second]
