"""Who gets in: the matrix of keys, headers, scopes, rates and outages, on a route that needs nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
import redis as redis_library
from django.test import Client
from django.utils import timezone

from tenancy.actions.keys import revoke_api_key
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.core.keys import generate_key
from tenancy.models import ApiKey
from tests.factories.rest import Api


def test_a_bearer_key_gets_in(api, world):
    response = api.get("status")
    assert response.status_code == 200
    assert response.json()["tenant"] == "studio"


@pytest.mark.parametrize("header", ["X-API-Key", "Authorization"])
def test_either_header_carries_the_key(api, world, header):
    value = api.key if header == "X-API-Key" else f"bEaReR  {api.key} "
    assert Client().get("/api/v1/status", headers={header: value}).status_code == 200


def test_another_scheme_does_not_hide_the_key_header(api, world):
    headers = {"Authorization": "Basic abc", "X-API-Key": api.key}
    assert Client().get("/api/v1/status", headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "api_key_missing"),
        ({"Authorization": "Basic abc"}, "api_key_missing"),
        ({"Authorization": "Bearer "}, "api_key_invalid"),
        ({"Authorization": "Bearer nonsense"}, "api_key_invalid"),
        ({"X-API-Key": ""}, "api_key_invalid"),
        ({"X-API-Key": generate_key().as_text()}, "api_key_invalid"),
        ({"X-API-Key": "m37_" + "я" * 60}, "api_key_invalid"),
    ],
)
def test_without_a_good_key_the_answer_is_401(db, problem, headers, code):
    response = Client().get("/api/v1/status", headers=headers)
    problem(response, 401, code)
    assert response["WWW-Authenticate"] == 'Bearer realm="memory37"'


def test_an_expired_and_a_revoked_key_are_401(api, problem):
    ApiKey.objects.update(created_at=timezone.now() - timedelta(days=2), expires_at=timezone.now() - timedelta(days=1))
    problem(api.get("status"), 401, "api_key_expired")
    revoke_api_key(key_id=ApiKey.objects.get().pk)
    problem(api.get("status"), 401, "api_key_revoked")


@pytest.mark.parametrize(("scope", "status"), [("read", 200), ("engine", 200), ("editor", 403), ("notebook", 403)])
def test_reading_takes_the_scope_read_or_engine(make_api, world, problem, scope, status):
    response = make_api(scope).get("status")
    assert response.status_code == status
    if status == 403:
        assert problem(response, 403, "scope_missing")["scope"] == "read"


def test_head_needs_the_scope_of_get(make_api, world):
    assert _head_status(make_api("editor")) == 403
    assert _head_status(make_api("engine")) == 200


def _head_status(api):
    return Client().head("/api/v1/status", headers={"X-API-Key": api.key}).status_code


def test_a_method_that_a_route_does_not_have_is_405_with_allow(api, world, problem):
    response = api.post("status", {})
    problem(response, 405, "method_not_allowed")
    assert response["Allow"] == "GET, HEAD, OPTIONS"


def test_an_unknown_route_is_a_404_problem(api, problem):
    problem(api.get("nothing/here"), 404, "not_found")


def test_an_answer_other_than_json_is_refused(api, world, problem):
    problem(api.get("status", Accept="text/html"), 406, "not_acceptable")


def test_the_tenant_header_must_name_the_keys_tenant(api, world, problem):
    ensure_tenant(slug="rival")
    assert api.get("status", X_Tenant_ID="studio").status_code == 200
    other = problem(api.get("status", X_Tenant_ID="rival"), 404, "tenant_not_found")
    absent = problem(api.get("status", X_Tenant_ID="nobody"), 404, "tenant_not_found")
    assert other["detail"].replace("rival", "nobody") == absent["detail"]


def test_the_world_header_must_name_a_world_of_the_key(make_api, tenant, world, problem):
    ensure_world(tenant_id=tenant.pk, slug="second")
    ensure_world(tenant_id=ensure_tenant(slug="rival").pk, slug="elsewhere")
    bound = make_api("read", world_id=world.pk)
    assert [each["slug"] for each in bound.get("status").json()["worlds"]] == ["ashfall"]
    assert bound.get("status", X_Site_ID="ashfall").status_code == 200
    for slug in ("second", "elsewhere", "nowhere"):
        document = problem(bound.get("status", X_Site_ID=slug), 404, "world_not_found")
        assert document["detail"] == f"There is no world {slug!r}."


def test_an_unknown_query_parameter_is_named(api, world, problem):
    document = problem(api.get("status", {"verbose": "1"}), 400, "parameter_unknown")
    assert document["parameter"] == "verbose"


def test_every_answer_says_how_much_of_the_rate_is_left(make_api, world):
    client = make_api("read", requests_per_minute=5)
    responses = [client.get("status") for _ in range(2)]
    assert [response["RateLimit-Limit"] for response in responses] == ["5", "5"]
    assert [response["RateLimit-Remaining"] for response in responses] == ["4", "3"]
    assert 1 <= int(responses[0]["RateLimit-Reset"]) <= 120


def test_over_the_rate_is_429_with_the_time_to_wait(make_api, world, problem):
    client = make_api("read", requests_per_minute=1)
    assert client.get("status").status_code == 200
    response = client.get("status")
    problem(response, 429, "rate_limited")
    assert 1 <= int(response["Retry-After"]) <= 120
    assert response["RateLimit-Remaining"] == "0"


def break_redis(monkeypatch):
    def fail(*args, **kwargs):
        raise redis_library.ConnectionError("gone")

    monkeypatch.setattr("tenancy.api.views.count_request", fail)


def test_without_redis_requests_are_refused_for_a_while(api, world, problem, monkeypatch):
    break_redis(monkeypatch)
    response = api.get("status")
    problem(response, 503, "redis_unavailable")
    assert int(response["Retry-After"]) >= 1


def test_without_redis_requests_may_be_let_through(api, world, problem, monkeypatch, settings):
    settings.THROTTLE_WITHOUT_REDIS = "allow"
    break_redis(monkeypatch)
    assert api.get("status").status_code == 200
    problem(api.post("status", {}), 405, "method_not_allowed")


def test_a_defect_of_counting_is_not_taken_for_an_outage(api, world, monkeypatch, settings):
    settings.THROTTLE_WITHOUT_REDIS = "allow"

    def fail(*args, **kwargs):
        raise RuntimeError("a defect")

    monkeypatch.setattr("tenancy.api.views.count_request", fail)
    with pytest.raises(RuntimeError, match="a defect"):
        api.get("status")


def test_status_of_a_new_world_says_what_is_missing(api, world):
    document = api.get("status").json()
    assert document["version"].count(".") == 2
    assert document["chat_model"] == {"configured": False, "name": None}
    assert (document["snippets"], document["talk_summaries"]) == ("model_not_configured",) * 2
    assert document["scopes"] == ["read"]
    assert document["worlds"] == [{"slug": "ashfall", "name": "Ashfall", "languages": ["en", "ru"], "domains": []}]


def test_no_key_is_ever_logged(api, world, caplog):
    with caplog.at_level("DEBUG"):
        api.get("status")
        Api("m37_abcdefgh_" + "x" * 43, {}).get("status")
    assert api.key not in caplog.text
    assert "x" * 43 not in caplog.text
