from __future__ import annotations

import json

import pytest
from django.test import Client

from memoryproject.problem_catalog import build_type_uri

pytestmark = pytest.mark.urls("tests.memoryproject.urls_for_problems")


@pytest.fixture
def web() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("name", "status", "code", "detail"),
    [
        ("invalid", 400, "too_short", "Say more."),
        ("missing", 404, "not_found", "No such document."),
        ("conflict", 409, "stale_base", "Stale."),
        ("forbidden", 403, "forbidden", "Four eyes."),
        ("unavailable", 503, "embedder_down", "Embedder down."),
        ("anonymous", 403, "not_authenticated", "Authentication credentials were not provided."),
        ("throttled", 429, "throttled", "Request was throttled. Expected available in 3 seconds."),
        ("http404", 404, "not_found", "There is nothing here."),
        ("denied", 403, "forbidden", "This is not allowed."),
        ("redis", 503, "redis_unavailable", "Redis does not answer. Try again shortly."),
        ("redis-timeout", 503, "redis_unavailable", "Redis does not answer. Try again shortly."),
        ("database", 503, "database_unavailable", "The database does not answer. Try again shortly."),
        ("deadlock", 503, "database_busy", "The database is busy. Try again shortly."),
        ("our-bug", 500, "internal", "Something went wrong here. The request id finds it in the logs."),
        ("surprise", 500, "internal", "Something went wrong here. The request id finds it in the logs."),
    ],
)
def test_every_error_becomes_a_problem_document(web, name, status, code, detail):
    response = web.get(f"/api/v1/fail/{name}", headers={"X-Request-ID": "abc-123"})
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/problem+json"
    document = response.json()
    assert (document["status"], document["code"], document["detail"]) == (status, code, detail)
    assert document["type"] == build_type_uri(document["code"])
    assert document["title"]
    assert document["request_id"] == "abc-123" == response.headers["X-Request-ID"]


@pytest.mark.parametrize(
    ("name", "seconds"),
    [("unavailable", "7"), ("throttled", "3"), ("database", "5"), ("redis", "5"), ("timeout", "10")],
)
def test_passing_failures_say_when_to_come_back(web, name, seconds):
    assert web.get(f"/api/v1/fail/{name}").headers["Retry-After"] == seconds


def test_extra_members_are_kept_and_cannot_replace_the_standard_ones(web):
    assert web.get("/api/v1/fail/invalid").json()["shortest"] == 3
    document = web.get("/api/v1/fail/impersonated").json()
    assert document["status"] == 400
    assert document["request_id"] != "forged"


def test_a_value_that_the_database_cannot_store_is_the_callers_fault(web):
    response = web.get("/api/v1/fail/too-big")
    assert (response.status_code, response.json()["code"]) == (400, "unstorable_value")
    assert "diary" not in response.content.decode()


def test_validation_errors_name_each_field(web):
    body = {"name": "too long a name", "lines": [{"count": 1}, {"count": 0}, {}]}
    response = web.post("/api/v1/fail/x", json.dumps(body), content_type="application/json")
    assert response.status_code == 400
    errors = {error["field"]: error["code"] for error in response.json()["errors"]}
    assert errors == {"name": "max_length", "lines.1.count": "min_value", "lines.2.count": "required"}


def test_an_error_of_the_whole_body_has_an_empty_field(web):
    body = {"name": "twice", "lines": [{"count": 1}]}
    response = web.post("/api/v1/fail/x", json.dumps(body), content_type="application/json")
    assert response.json()["errors"] == [{"field": "", "code": "twice", "detail": "Not twice."}]


def test_malformed_json_and_foreign_content_types_are_problems(web):
    broken = web.post("/api/v1/fail/x", "{", content_type="application/json")
    assert (broken.status_code, broken.json()["code"]) == (400, "parse_error")
    foreign = web.post("/api/v1/fail/x", "<a/>", content_type="application/xml")
    assert (foreign.status_code, foreign.json()["code"]) == (415, "unsupported_media_type")


def test_an_unknown_api_route_is_a_problem_and_an_unknown_page_is_a_page(web):
    assert web.get("/api/v1/nowhere").json()["code"] == "not_found"
    page = web.get("/nowhere")
    assert page.status_code == 404
    assert page.headers["Content-Type"].startswith("text/html")


def test_views_outside_the_rest_framework_fail_by_problem_below_api(web):
    response = web.get("/api/v1/page-fail/database")
    assert (response.status_code, response.json()["code"]) == (503, "database_unavailable")
    surprise = web.get("/api/v1/page-fail/surprise")
    assert (surprise.status_code, surprise.json()["code"]) == (500, "internal")
    assert "surprise" not in surprise.content.decode()


def test_pages_fail_by_a_short_page_with_retry_after(web):
    response = web.get("/page-fail/database")
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"
    assert "The database does not answer" in response.content.decode()


def test_an_unforeseen_error_reaches_the_tests_own_client():
    with pytest.raises(RuntimeError, match="a surprise"):
        Client().get("/api/v1/fail/surprise")
