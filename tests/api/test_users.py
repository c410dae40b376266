"""Which users there are, and their conversations: as the tenant or one of its worlds knows them."""

from __future__ import annotations

import pytest

from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.factories.rest import post_message, start_chat


@pytest.fixture
def second(tenant):
    return ensure_world(tenant_id=tenant.pk, slug="second")


@pytest.fixture
def keys(make_api, tenant, world, second):
    """A client of each world's key, and one of the tenant's."""
    return {
        "ashfall": make_api("engine", world_id=world.pk),
        "second": make_api("engine", world_id=second.pk),
        "tenant": make_api("engine"),
    }


def talk(api, user, sent_at=None):
    chat = start_chat(api, user)
    if sent_at is not None:
        post_message(api, chat, "Hello there.", sent_at=sent_at)
    return chat


def list_ids(api, **headers):
    response = api.get("users", **headers)
    assert response.status_code == 200, response.content
    return [each["user_id"] for each in response.json()["data"]]


def test_users_are_told_by_id_with_their_times_and_nothing_else(keys):
    chat = talk(keys["tenant"], "zoe", "2026-03-02T19:00:00Z")
    talk(keys["tenant"], "adam")
    adam, zoe = keys["tenant"].get("users").json()["data"]
    assert (adam["user_id"], adam["last_seen_at"]) == ("adam", None)
    came = keys["tenant"].get(f"conversations/{chat}").json()["last_message_at"]
    assert (zoe["user_id"], zoe["last_seen_at"]) == ("zoe", came)
    assert zoe["first_seen_at"] <= came
    assert set(zoe) == {"user_id", "first_seen_at", "last_seen_at"}


def test_a_world_lists_whom_it_met_by_its_own_times(keys):
    chat = talk(keys["ashfall"], "both", "2026-03-01T19:00:00Z")
    talk(keys["second"], "both", "2026-03-05T19:00:00Z")
    talk(keys["second"], "other", "2026-03-05T19:00:00Z")
    fact = {"type": "allergy", "value": "nickel", "source": "onboarding"}
    assert keys["ashfall"].post("users/told-of/facts", fact).status_code == 201
    assert list_ids(keys["tenant"]) == ["both", "other", "told-of"]
    assert list_ids(keys["second"]) == ["both", "other"]
    assert list_ids(keys["tenant"], X_Site_ID="second") == ["both", "other"]
    both, told_of = keys["ashfall"].get("users").json()["data"]
    came = keys["ashfall"].get(f"conversations/{chat}").json()["last_message_at"]
    assert (both["user_id"], both["last_seen_at"]) == ("both", came)
    assert keys["tenant"].get("users").json()["data"][0]["last_seen_at"] > came
    assert told_of == {"user_id": "told-of", "first_seen_at": None, "last_seen_at": None}


def test_other_tenants_and_the_erased_are_not_listed(keys, make_api):
    rival = ensure_tenant(slug="rival")
    theirs = make_api("engine", of=rival)
    talk(theirs, "stranger")
    talk(keys["tenant"], "gone")
    talk(keys["tenant"], "here")
    erased = keys["tenant"].post("users/gone/erase", {"reason": "Case 1", "confirm": "gone"})
    assert erased.status_code in (201, 202), erased.content
    assert list_ids(keys["tenant"]) == ["here"]
    assert list_ids(theirs) == ["stranger"]


def test_listing_takes_the_same_queries_for_many_as_for_few(keys, django_assert_num_queries):
    for size in (1, 6):
        for number in range(size):
            talk(keys["tenant"], f"player-{number}", "2026-03-01T19:00:00Z")
        with django_assert_num_queries(3):  # the key, the users, their times
            keys["tenant"].get("users")


def test_a_users_conversations_are_those_of_the_world_that_asks(keys, make_api, problem):
    first, second = talk(keys["ashfall"], "player-1"), talk(keys["ashfall"], "player-1")
    elsewhere = talk(keys["second"], "player-1")
    path = "users/player-1/conversations"

    def list_chats(api, **headers):
        return [each["id"] for each in api.get(path, **headers).json()["data"]]

    assert list_chats(keys["ashfall"]) == [second, first]
    assert list_chats(keys["second"]) == [elsewhere]
    assert list_chats(keys["tenant"]) == [elsewhere, second, first]
    assert list_chats(keys["tenant"], X_Site_ID="second") == [elsewhere]
    (chat,) = keys["second"].get(path).json()["data"]
    assert (chat["user_id"], chat["world"], chat["message_count"]) == ("player-1", "second", 0)
    talk(keys["second"], "player-2")
    problem(keys["ashfall"].get("users/player-2/conversations"), 404, "user_not_found")
    problem(make_api("engine", of=ensure_tenant(slug="rival")).get(path), 404, "user_not_found")


def test_listing_takes_a_key_that_may_read(make_api, keys, problem):
    talk(keys["tenant"], "player-1")
    for path in ("users", "users/player-1/conversations"):
        problem(make_api("editor").get(path), 403, "scope_missing")
        problem(make_api("notebook").get(path), 403, "scope_missing")
        assert make_api("read").get(path).status_code == 200
