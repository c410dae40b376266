"""Lorebooks and cards by REST."""

from __future__ import annotations

import base64
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge.lorebooks.files import read_document, read_lore_file, write_png_file
from reviews.models import ChangeRequest
from tests.api.test_canon_reads import count_queries
from tests.factories.canon import publish
from tests.knowledge.lorebooks.corpus import load


@pytest.fixture
def editor(make_api, canon):
    return make_api("editor")


@pytest.fixture
def reader(make_api, canon):
    return make_api("read")


def test_an_import_waits_in_review_and_its_repeat_changes_nothing(editor):
    body = {"document": load("st-1.18-zh"), "title": "Gate", "book_name": "gate"}
    answer = editor.post("lorebooks/import", body)
    assert answer.status_code == 201, answer.content
    told = answer.json()
    assert (told["format"], told["counts"]["created"]) == ("sillytavern", 3)
    request = ChangeRequest.objects.get(pk__in=told["change_requests"])
    assert (request.state, request.title) == ("in_review", "Gate")
    again = editor.post("lorebooks/import", body)
    assert (again.status_code, again.json()["change_requests"], again.json()["counts"]["pending"]) == (200, [], 3)
    assert editor.get("lore/documents/the-copper-gate").status_code in {403, 404}


def test_an_idempotency_key_gives_the_first_answer_again(editor):
    body = {"document": load("book-v2-en"), "draft": True}
    first = editor.post("lorebooks/import", body, Idempotency_Key="k1")
    again = editor.post("lorebooks/import", body, Idempotency_Key="k1")
    assert (first.json(), again["Idempotency-Replayed"]) == (again.json(), "true")
    assert ChangeRequest.objects.get().state == "draft"


def test_a_card_comes_as_a_picture(editor, problem):
    picture = write_png_file(read_document(load("card-v3-zh")), "card_v3")
    told = editor.post("cards/import", {"file_base64": base64.b64encode(picture).decode()}).json()
    assert (told["format"], told["entries"][0]["entry"], told["counts"]["created"]) == ("card_v3", "card", 4)
    problem(editor.post("cards/import", {"document": load("st-full")}), 400, "card_invalid")


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"document": {"entries": {"0": {"key": {}}}}}, "worldinfo_invalid", "/entries/0/key"),
        ({"document": [[[[]]]]}, "worldinfo_invalid", ""),
        ({"file_base64": "!"}, "worldinfo_invalid", ""),
        ({"file_base64": base64.b64encode(b"\x89PNG\r\n\x1a\nx").decode()}, "card_invalid", ""),
        ({"document": {"data": {"first_mes": 1, "personality": "", "name": []}}}, "card_invalid", "/data/name"),
    ],
)
def test_the_place_of_a_fault_is_told(editor, problem, body, code, pointer):
    for path in ("lorebooks/import", "lorebooks/preview"):
        told = problem(editor.post(path, body), 400, code)
        assert told["pointer"] == pointer
    assert not ChangeRequest.objects.exists()


def test_one_file_is_wanted(editor, problem):
    for body in ({}, {"document": {}, "file_base64": "e30="}, {"document": {"entries": {}}, "more": 1}):
        problem(editor.post("lorebooks/import", body), 400, "body_invalid")


def test_a_preview_says_what_fires_and_writes_nothing(editor):
    body = {"document": load("st-1.18-zh"), "chat": "我们到了铜门，入夜了。"}
    told = editor.post("lorebooks/preview", body).json()
    fired = {each["title"]: each["fires"] for each in told["fired"]}
    assert fired == {"铜门": True, "伊利亚": False, "盐路": False}
    assert told["tokens"]["total"] == told["tokens"]["enabled"] > 0
    assert told["counts"]["created"] == 3
    assert all(each["why"] for each in told["fired"])
    assert not ChangeRequest.objects.exists()


def test_a_file_is_converted_with_its_losses(reader, problem):
    told = reader.post("lorebooks/convert", {"document": load("st-full"), "target": "novelai"}).json()
    assert told["document"]["lorebookVersion"] == 6
    assert {"sticky", "groups"} <= {loss["field"] for loss in told["losses"] if loss["outcome"] == "dropped"}
    picture = reader.post("lorebooks/convert", {"document": load("st-full"), "target": "card_v2", "png": True}).json()
    back = read_lore_file(base64.b64decode(picture["file_base64"]))
    again = reader.post("lorebooks/convert", {"document": json.loads(back.payloads["chara"]), "target": "sillytavern"})
    assert again.json()["document"]["entries"] == load("st-full")["entries"]
    refused = reader.post("lorebooks/convert", {"document": load("st-full"), "target": "risu", "png": True})
    problem(refused, 400, "lorebook_format_unknown")


def test_canon_is_exported_as_far_as_the_reader_may_know_it(reader, make_api, problem):
    def slugs(client, **query):
        answer = client.get("lorebooks/export", query)
        assert answer.status_code == 200, answer.content
        assert 'filename="ashfall-' in answer["Content-Disposition"]
        return [entry.memory37_id for entry in read_lore_file(answer.content).book.entries]

    public = ["ash-league", "bell-tower", "grey-river", "mira", "reka"]
    assert slugs(reader) == public
    assert slugs(reader, npc_id="mira") == sorted([*public, "hidden-vault", "league-ledger"])
    problem(reader.get("lorebooks/export", {"secrets": "true"}), 403, "scope_missing")
    both = make_api("read", "editor")
    assert len(slugs(both, secrets="true")) == 7
    assert slugs(reader, tags="water", target="card_v3") == ["grey-river", "reka"]
    assert slugs(reader, tags="vault") == []
    assert slugs(reader, language="ru", target="risu") == ["reka"]
    assert slugs(reader, types="faction,character") == ["ash-league", "mira"]
    assert slugs(reader, slugs="mira,hidden-vault") == ["mira"]
    problem(reader.get("lorebooks/export", {"domain": "myths"}), 404, "domain_not_found")
    problem(reader.get("lorebooks/export", {"target": "word"}), 400, "parameter_invalid")


def test_links_are_words_and_secret_titles_stay_secret(reader, canon):
    tower = read_lore_file(reader.get("lorebooks/export", {"slugs": "bell-tower"}).content).book.entries[0]
    assert tower.content == "The bell tower of Ashfall was built in 1204 beside the Grey River."
    from tests.factories.canon import article

    publish(canon, article("sign", "Ask of the [[hidden-vault]]."))
    sign = read_lore_file(reader.get("lorebooks/export", {"slugs": "sign"}).content).book.entries[0]
    assert sign.content == "Ask of the hidden-vault."


def test_the_report_comes_before_the_download(reader):
    report = reader.get("lorebooks/losses", {"target": "card_v2"}).json()
    assert (report["entries"], report["format"]) == (5, "card_v2")
    assert [loss["field"] for loss in report["losses"]] == ["card"]
    assert report["tokens"]["by_position"] == {"before_char": report["tokens"]["total"]}
    export = reader.get("lorebooks/export", {"target": "card_v2"})
    assert export["X-Lorebook-Losses"] == "1"


def test_an_export_takes_the_same_queries_for_any_number_of_articles(reader, canon):
    from tests.factories.canon import article

    few = count_queries(lambda: reader.get("lorebooks/export"))
    publish(canon, *(article(f"stone-{number}", "A stone.") for number in range(12)))
    assert count_queries(lambda: reader.get("lorebooks/export")) == few


def test_an_import_takes_the_same_queries_for_any_number_of_entries(editor):
    few, many = load("book-v2-en"), load("book-v2-ru")
    many["entries"] = [{**many["entries"][0], "id": number, "name": f"N{number}"} for number in range(30)]
    with CaptureQueriesContext(connection) as first:
        assert editor.post("lorebooks/import", {"document": few}).status_code == 201
    with CaptureQueriesContext(connection) as second:
        assert editor.post("lorebooks/import", {"document": many}).json()["counts"]["created"] == 30
    assert len(second) == len(first)


def test_books_of_another_tenant_and_world_stay_apart(make_api, canon, tenant, problem):
    from tenancy.actions.worlds import ensure_tenant, ensure_world

    rival = ensure_tenant(slug="rival", name="Rival")
    theirs = ensure_world(tenant_id=rival.pk, slug="ashfall", name="Ashfall")
    mine, other = make_api("editor", "read"), make_api("editor", "read", of=rival)
    file = mine.get("lorebooks/export").json()
    told = other.post("lorebooks/import", {"document": file}).json()
    assert (told["counts"]["created"], told["counts"]["unchanged"]) == (5, 0)
    assert ChangeRequest.objects.get().domain_index.world_id == theirs.pk
    second = ensure_world(tenant_id=tenant.pk, slug="second", name="Second")
    bound = make_api("editor", "read", world_id=second.pk)
    problem(bound.get("lorebooks/export"), 404, "domain_not_found")
    assert bound.post("lorebooks/preview", {"document": file}).json()["counts"]["created"] == 5
