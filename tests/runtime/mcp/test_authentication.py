"""Who is let in by the MCP endpoint, and what those hear who are not."""

import httpx2
import pytest
from django.db import OperationalError

from tenancy.actions.keys import issue_api_key, revoke_api_key

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}


def test_2025_handshake_negotiates_without_a_session(rpc):
    response = rpc.post(INITIALIZE)
    assert response.status_code == 200
    result = response.json()["result"]
    assert result["protocolVersion"] == "2025-06-18"
    assert "tools" in result["capabilities"]
    assert "mcp-session-id" not in response.headers
    assert rpc.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).status_code == 202


def test_missing_key_is_401_that_points_at_no_oauth(rpc):
    response = rpc.post(LIST, Authorization=None)
    assert response.status_code == 401
    assert response.json()["code"] == "api_key_missing"
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="memory37"'
    assert "resource_metadata" not in response.headers["WWW-Authenticate"]


def test_there_is_no_oauth_metadata_and_other_paths_are_for_django(url):
    for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp", "/mcp/x"):
        response = httpx2.get(f"{url}{path}")
        assert (path, response.status_code, response.json()["code"]) == (path, 404, "not_found")
    assert httpx2.get(f"{url}/api/v1/status").text == "django"
    assert httpx2.get(f"{url}/mcpx").text == "django"


def test_wrong_and_revoked_keys_are_401(rpc, canon):
    assert rpc.post(LIST, Authorization="Bearer nonsense").json()["code"] == "api_key_invalid"
    issued = issue_api_key(tenant_id=canon.world.tenant_id, name="old", scopes=["read"])
    revoke_api_key(key_id=issued.api_key.pk)
    response = rpc.post(LIST, Authorization=f"Bearer {issued.text}")
    assert (response.status_code, response.json()["code"]) == (401, "api_key_revoked")


def test_key_may_come_in_its_own_header(rpc, canon):
    response = rpc.post(LIST, **{"Authorization": None, "X-API-Key": canon.key})
    assert response.status_code == 200


def test_key_without_the_read_scope_is_403(rpc, canon):
    key = issue_api_key(tenant_id=canon.world.tenant_id, name="editor", scopes=["editor"]).text
    response = rpc.post(LIST, Authorization=f"Bearer {key}")
    assert (response.status_code, response.json()["code"]) == (403, "scope_missing")
    assert response.json()["detail"] == "This key was not issued for the scope 'read'."


def test_rate_is_counted_as_in_rest(rpc, canon):
    key = issue_api_key(tenant_id=canon.world.tenant_id, name="slow", scopes=["read"], requests_per_minute=2).text
    allowed = [rpc.post(LIST, Authorization=f"Bearer {key}") for _ in range(2)]
    refused = rpc.post(LIST, Authorization=f"Bearer {key}")
    assert [response.status_code for response in allowed] == [200, 200]
    assert allowed[-1].headers["RateLimit-Remaining"] == "0"
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert int(refused.headers["Retry-After"]) >= 1


def test_unlisted_host_is_refused_before_anything_is_asked(rpc, settings):
    settings.ALLOWED_HOSTS = ["canon.example"]
    assert rpc.post(LIST).status_code == 421
    assert rpc.post(LIST, Host="canon.example").status_code == 200
    settings.ALLOWED_HOSTS = [".canon.example"]
    assert rpc.post(LIST, Host="eu.canon.example:8000").status_code == 200


def test_page_of_a_foreign_origin_is_refused(rpc):
    response = rpc.post(LIST, Origin="https://evil.example")
    assert (response.status_code, response.json()["code"]) == (403, "origin_not_allowed")
    assert rpc.post(LIST, Origin="http://localhost:3000").status_code == 200


@pytest.mark.parametrize("origin", ["http://[::1", "http://[x]y", "null", "http://localhost@evil.example"])
def test_what_is_no_origin_is_refused_like_a_foreign_one(rpc, origin):
    response = rpc.post(LIST, Origin=origin)
    assert (response.status_code, response.json()["code"]) == (403, "origin_not_allowed")


def test_only_post_is_taken(rpc):
    headers = {"Authorization": f"Bearer {rpc.key}", "Accept": "text/event-stream"}
    for method in ("GET", "DELETE", "PUT"):
        response = httpx2.request(method, f"{rpc.url}/mcp", headers=headers)
        assert (response.status_code, response.headers["Allow"]) == (405, "POST")


def test_request_id_is_echoed_or_made(rpc):
    assert rpc.post(LIST, **{"X-Request-ID": "turn-1"}).headers["X-Request-ID"] == "turn-1"
    assert rpc.post(LIST, **{"X-Request-ID": "no spaces allowed"}).headers["X-Request-ID"] != "no spaces allowed"


def test_body_beyond_the_limit_is_413(rpc):
    body = {**LIST, "params": {"_meta": {"x": "y" * 300_000}}}
    assert rpc.post(body).status_code == 413


def test_database_outage_is_503_with_retry_after(rpc, monkeypatch):
    def fail(_text):
        raise OperationalError("connection refused at 10.0.0.1")

    monkeypatch.setattr("runtime.mcp.authentication.authenticate_key", fail)
    response = rpc.post(LIST)
    assert (response.status_code, response.json()["code"]) == (503, "database_unavailable")
    assert int(response.headers["Retry-After"]) >= 1
    assert "10.0.0.1" not in response.text


def test_malformed_json_is_a_client_error(rpc):
    headers = {
        "Authorization": f"Bearer {rpc.key}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    response = httpx2.post(f"{rpc.url}/mcp", content=b"{not json", headers=headers)
    assert response.status_code == 400
