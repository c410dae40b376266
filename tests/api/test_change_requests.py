"""Proposals by machines."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from reviews.models import AuditEntry, ChangeRequest
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.api.test_canon_reads import count_queries
from tests.factories.canon import LORE, article


@pytest.fixture
def editor(make_api, canon):
    return make_api("editor")


def propose(*items, **more):
    return {"title": "From the engine", "items": list(items), **more}


NEW = {"operation": "create", "content": article("comet", "A comet was seen.")}


def test_a_proposal_goes_into_review(editor):
    response = editor.post("change-requests", propose(NEW, description="Seen in play."))
    assert response.status_code == 201, response.content
    document = response.json()
    assert response["Location"] == f"/api/v1/change-requests/{document['id']}"
    assert document["state"] == "in_review"
    assert document["submitted_at"].endswith("Z")
    assert document["author"]["type"] == "key"
    assert (document["item_count"], document["domain"], document["release"]) == (1, "lore", None)
    item = document["items"][0]
    assert (item["operation"], item["slug"], item["base_revision"]) == ("create", "comet", None)
    assert item["content"]["body"] == "A comet was seen."
    assert editor.get(f"change-requests/{document['id']}").json() == document
    assert AuditEntry.objects.filter(actor_type="key", object_id=str(document["id"])).exists()


def test_a_draft_stays_a_draft(editor):
    document = editor.post("change-requests", propose(NEW, draft=True)).json()
    assert (document["state"], document["submitted_at"]) == ("draft", None)


def test_live_articles_are_changed_and_retired_by_slug(editor):
    items = (
        {"operation": "update", "slug": "grey-river", "content": article("grey-river", "It dried up.")},
        {"operation": "retire", "slug": "ash-league"},
    )
    document = editor.post("change-requests", propose(*items)).json()
    assert [(item["operation"], item["slug"], item["base_revision"]) for item in document["items"]] == [
        ("update", "grey-river", 1),
        ("retire", "ash-league", 1),
    ]
    assert document["items"][1]["content"] is None


def test_a_proposal_may_be_the_first_of_its_domain(editor):
    document = editor.post("change-requests", propose(NEW, domain="srd")).json()
    assert document["domain"] == "srd"


BAD_PROPOSALS = [
    ({}, 400, "body_invalid"),
    ([], 400, "body_invalid"),
    (propose(), 400, "body_invalid"),
    (propose(NEW, title=""), 400, "body_invalid"),
    (propose(NEW, title="  "), 400, "body_invalid"),
    (propose(NEW, title="a\0b"), 400, "field_invalid"),
    (propose(NEW, surprise=1), 400, "body_invalid"),
    (propose(NEW, draft="yes"), 400, "body_invalid"),
    (propose({"operation": "approve"}), 400, "body_invalid"),
    (propose({"operation": "create"}), 400, "body_invalid"),
    (propose({"operation": "retire", "slug": "ash-league", "content": {}}), 400, "body_invalid"),
    (propose({"operation": "create", "content": article("Bad Slug")}), 400, "article_invalid"),
    (propose({"operation": "create", "content": article("comet", "a\0b")}), 400, "article_invalid"),
    (propose({"operation": "create", "content": article("comet", "\ud800")}), 400, "article_invalid"),
    (propose(NEW, domain="myths"), 404, "domain_not_found"),
    (propose(NEW, NEW), 409, "slug_taken"),
    (propose({"operation": "create", "content": article("bell-tower")}), 409, "slug_taken"),
    (propose({"operation": "retire", "slug": "nothing"}), 409, "document_not_live"),
    (propose({"operation": "update", "slug": "mira", "content": LORE[3]}), 400, "nothing_to_change"),
]


def test_a_proposal_that_cannot_be_is_refused_whole(editor, problem, subtests):
    for body, status, code in BAD_PROPOSALS:
        with subtests.test(body=str(body)[:100]):
            problem(editor.post("change-requests", body), status, code)
            assert not ChangeRequest.objects.exists()


def test_mistakes_are_told_with_their_places(editor, problem):
    bad = {"operation": "update", "slug": "Grey River", "content": 7}
    document = problem(editor.post("change-requests", propose(bad)), 400, "body_invalid")
    assert {error["path"] for error in document["errors"]} == {"items[0].slug", "items[0].content"}
    bad = {"operation": "create", "content": article("comet", language="English", fields={"Bad Name": 1})}
    document = problem(editor.post("change-requests", propose(bad)), 400, "article_invalid")
    assert {error["path"] for error in document["errors"]} == {"language", "fields"}


def test_what_is_not_json_is_400(editor, problem, client, subtests):
    headers = {"Authorization": f"Bearer {editor.key}"}
    for raw in (b"", b"null", b'"text"', b"{", b"\xff\xfe", b'{"title": NaN}', b"[" * 100_000):
        with subtests.test(raw=raw[:20]):
            response = client.post("/api/v1/change-requests", raw, content_type="application/json", headers=headers)
            problem(response, 400, "body_invalid" if raw in {b"", b"null", b'"text"'} else "parse_error")


def test_another_content_type_is_415(editor, problem, client):
    headers = {"Authorization": f"Bearer {editor.key}"}
    response = client.post("/api/v1/change-requests", "title=x", content_type="text/plain", headers=headers)
    problem(response, 415, "unsupported_media_type")


def test_a_body_over_the_limit_is_413(editor, problem, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2000
    problem(editor.post("change-requests", propose(NEW, description="x" * 3000)), 413, "body_too_large")


@pytest.mark.parametrize("scope", ["read", "engine"])
def test_only_editors_keys_propose_or_see_proposals(make_api, canon, editor, problem, scope):
    other = make_api(scope)
    made = editor.post("change-requests", propose(NEW)).json()
    assert problem(other.post("change-requests", propose(NEW)), 403, "scope_missing")["scope"] == "editor"
    problem(other.get("change-requests"), 403, "scope_missing")
    problem(other.get(f"change-requests/{made['id']}"), 403, "scope_missing")


def test_there_is_no_route_to_decide_by(editor, problem):
    made = editor.post("change-requests", propose(NEW)).json()
    for verb in ("approve", "submit", "swap", "stage"):
        problem(editor.post(f"change-requests/{made['id']}/{verb}", {}), 404, "not_found")
    problem(editor.post(f"change-requests/{made['id']}", {"state": "approved"}), 405, "method_not_allowed")


def test_requests_come_newest_first_by_pages_and_filters(editor):
    ids = [
        editor.post(
            "change-requests", propose({"operation": "create", "content": article(f"a-{n}")}, draft=n == 0)
        ).json()["id"]
        for n in range(3)
    ]
    page = editor.get("change-requests", {"limit": 2}).json()
    assert [row["id"] for row in page["change_requests"]] == [ids[2], ids[1]]
    rest = editor.get("change-requests", {"before": page["next_before"]}).json()
    assert [row["id"] for row in rest["change_requests"]] == [ids[0]]
    assert rest["next_before"] is None
    assert [row["id"] for row in editor.get("change-requests", {"state": "draft"}).json()["change_requests"]] == [
        ids[0]
    ]
    assert editor.get("change-requests", {"domain": "srd"}).json()["change_requests"] == []


def test_a_list_of_requests_takes_the_same_queries_at_any_size(editor):
    editor.post("change-requests", propose(NEW))
    few = count_queries(lambda: editor.get("change-requests"))
    for n in range(8):
        editor.post("change-requests", propose({"operation": "create", "content": article(f"a-{n}")}))
    assert (few, count_queries(lambda: editor.get("change-requests"))) == (3, 3)


def test_a_repeat_with_the_same_key_gets_the_first_answer(editor):
    first = editor.post("change-requests", propose(NEW), Idempotency_Key="k1")
    again = editor.post("change-requests", propose(NEW), Idempotency_Key="k1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again["Location"] == first["Location"]
    assert again["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first
    assert ChangeRequest.objects.count() == 1


def test_the_same_key_with_another_body_is_409(editor, problem):
    editor.post("change-requests", propose(NEW), Idempotency_Key="k1")
    response = editor.post("change-requests", propose(NEW, description="More."), Idempotency_Key="k1")
    problem(response, 409, "idempotency_key_reused")


def test_a_refused_proposal_may_be_mended_under_the_same_key(editor):
    assert editor.post("change-requests", propose(NEW, domain="myths"), Idempotency_Key="k1").status_code == 404
    assert editor.post("change-requests", propose(NEW), Idempotency_Key="k1").status_code == 201


def test_an_idempotency_key_out_of_form_is_400(editor, problem):
    for key in ("", "x" * 256, "café"):
        problem(editor.post("change-requests", propose(NEW), Idempotency_Key=key), 400, "idempotency_key_invalid")


@pytest.mark.django_db(transaction=True)
def test_two_threads_with_one_key_propose_once(make_api, canon):
    editor = make_api("editor")
    together = threading.Barrier(2)
    answers = []

    def send():
        try:
            together.wait(10)
            answers.append(editor.post("change-requests", propose(NEW), Idempotency_Key="k1"))
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert sorted("Idempotency-Replayed" in answer for answer in answers) == [False, True]
    assert ChangeRequest.objects.count() == 1


def test_other_tenants_and_other_worlds_requests_look_absent(editor, make_api, tenant, canon, problem):
    made = editor.post("change-requests", propose(NEW)).json()
    rival = ensure_tenant(slug="rival")
    ensure_world(tenant_id=rival.pk, slug="ashfall")
    second = ensure_world(tenant_id=tenant.pk, slug="second")
    for other in (make_api("editor", of=rival), make_api("editor", world_id=second.pk)):
        document = problem(other.get(f"change-requests/{made['id']}"), 404, "change_request_not_found")
        assert document["detail"] == f"There is no change request {made['id']}."
        assert other.get("change-requests").json()["change_requests"] == []
    problem(editor.get("change-requests/99999999999999999999", X_Site_ID="ashfall"), 404, "change_request_not_found")
