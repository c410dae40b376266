"""Players' ids are the tenant's own: any printable text, slashes included, is written, read, forgotten and erased."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from django.test import Client
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from episodes.models import Conversation
from tenancy.models import EndUser, IdempotencyRecord

pytestmark = pytest.mark.django_db(transaction=True)
PRINTABLE = st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.sampled_from("/ ?#%&;+.\\\"'<>:@=~")
IDS = st.text(PRINTABLE, min_size=1, max_size=200).filter(lambda text: text.strip() and text.isprintable())


def call(api, method, user_id, rest, body=None):
    """A request below the user, its id as one segment of the address."""
    return Client().generic(
        method,
        f"/api/v1/users/{quote(user_id, safe='')}/{rest}",
        b"" if body is None else json.dumps(body).encode(),
        content_type="application/json",
        headers={"Authorization": f"Bearer {api.key}"},
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(user_id=IDS)
@example(user_id="steam/7656119")
@example(user_id="a/facts/7/facts")
@example(user_id="//")
@example(user_id="..")
@example(user_id="a/forget")
@example(user_id="игрок/السيّد 龍")
def test_a_player_of_any_id_is_written_read_forgotten_and_erased(user_id, make_api, world):
    engine = make_api("engine", "read")
    opened = engine.post("conversations", {"user_id": user_id})
    assert opened.status_code == 201, opened.content
    said = {"role": "user", "content": "I am allergic to nickel."}
    posted = engine.post(f"conversations/{opened.json()['id']}/messages", said)
    assert posted.status_code == 201, posted.content
    stated = call(engine, "POST", user_id, "facts", {"type": "hard_ban", "value": "wool", "source": "onboarding"})
    assert stated.status_code == 201, stated.content
    facts = call(engine, "GET", user_id, "facts").json()["facts"]
    assert len(facts) == 2
    assert call(engine, "GET", user_id, f"facts/{facts[0]['id']}").json()["fact"]["id"] == facts[0]["id"]
    assert call(engine, "GET", user_id, "episodes?q=nickel").json()["episodes"]
    forgotten = call(engine, "POST", user_id, "forget", {"scope": "all"})
    assert (forgotten.status_code, forgotten.json()["cleared"]["messages"]) == (201, 1), forgotten.content
    receipt = Client().get(forgotten["Location"], headers={"Authorization": f"Bearer {engine.key}"})
    assert (receipt.status_code, receipt.json()["user_id"]) == (200, user_id)
    erased = call(engine, "POST", user_id, "erase", {"reason": "Case 1", "confirm": user_id})
    assert erased.status_code in (201, 202), erased.content
    assert not EndUser.objects.filter(external_id=user_id).exists()
    assert call(engine, "GET", user_id, "facts").status_code == 404


def test_erasing_a_player_leaves_the_answers_of_one_whose_id_goes_on_with_a_slash(make_api, world):
    engine = make_api("engine", "read")
    body = {"type": "hard_ban", "value": "wool", "source": "onboarding"}
    for user_id in ("a", "a/b"):
        headers = {"Idempotency-Key": f"once-{user_id}", "Authorization": f"Bearer {engine.key}"}
        path = f"/api/v1/users/{quote(user_id, safe='')}/facts"
        assert Client().post(path, body, content_type="application/json", headers=headers).status_code == 201
    call(engine, "POST", "a", "erase", {"reason": "Case 1", "confirm": "a"})
    kept = IdempotencyRecord.objects.get(key="once-a/b")
    assert kept.method_and_path == "POST /api/v1/users/a/b/facts"
    assert kept.response["fact"]["value"] == "wool"
    assert IdempotencyRecord.objects.get(key="once-a").response["fact"]["value"] is None


def test_every_route_takes_ids_by_the_one_converter():
    from django.urls import get_resolver

    def list_routes(resolver, before=""):
        for each in resolver.url_patterns:
            route = before + str(each.pattern)
            yield from list_routes(each, route) if hasattr(each, "url_patterns") else [route]

    ours = [route for route in list_routes(get_resolver()) if route.startswith("api/v1/")]
    assert len(ours) > 30
    assert [route for route in ours if "<str:" in route or "<slug:" in route or "<path:" in route] == []


def test_a_conversation_of_an_id_that_is_not_printable_is_refused(make_api, world, problem):
    problem(make_api("engine").post("conversations", {"user_id": "a\u0085b"}), 400, "body_invalid")
    assert not Conversation.objects.exists()
