"""What editors, reviewers and owners do on the pages: the forms reach the actions, refusals become messages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from knowledge.canon.models import AliasName, LorePassage, Release
from reviews.change_requests.actions.drafts import save_item
from reviews.change_requests.selectors.items import get_items_hash
from reviews.models import AuditEntry, ChangeRequest, GoldenChange, GoldenQuery
from reviews.releases.selectors.live import find_latest_release
from tests.admin.conftest import read_messages
from tests.factories.canon import article

pytestmark = pytest.mark.django_db


def form_of(world: Any, **more: Any) -> dict[str, Any]:
    """The edit form of the article "bell", as a browser would send it."""
    live = world.live("bell")
    return {
        "base": live.revision_id if live else "",
        "title": "Bell",
        "slug": "bell",
        "type": "place",
        "language": "en",
        "body": "The silver bell rings.",
        "tags": "bells, tower",
        "aliases": "Old Tongue\nThe Loud One",
        "is_secret": "",
        "audience": "",
        "rule_id": "",
        "source": "",
        "field_name": ["weight_tonnes", "cast_on", ""],
        "field_value": ["12.5", "1204-05-17", ""],
        "field_labels": ["weight, вес", "", ""],
        "relation_type": ["located_in"],
        "relation_to": ["tower"],
        "target": "",
        "request_title": "A new bell",
        "description": "Recast.",
    } | more


def act(client: Any, request: ChangeRequest, verb: str, **data: Any) -> Any:
    return client.post(reverse("admin:change_request_action", args=[request.pk, verb]), data)


def act_on_board(client: Any, world: Any, verb: str, **data: Any) -> Any:
    return client.post(reverse("admin:board_action", args=[world.index.pk, verb]), data)


def test_an_edit_becomes_an_item_of_a_draft(bell, sign_in):
    client = sign_in(bell.editor)
    url = reverse("admin:propose_edit", args=[bell.live("bell").document_id])
    assert "The bronze bell rings." in client.get(url).content.decode()
    client.post(url, form_of(bell))
    request = ChangeRequest.objects.get(title="A new bell")
    content = request.items.get().content
    assert content["fields"] == {"weight_tonnes": 12.5, "cast_on": "1204-05-17"}
    assert content["field_labels"] == {"weight_tonnes": ["weight", "вес"]}
    assert content["aliases"] == ["Old Tongue", "The Loud One"]
    assert content["relations"] == [{"type": "located_in", "to": "tower"}]
    page = client.get(reverse("admin:change_request", args=[request.pk])).content.decode()
    assert "<del>bronze</del>" in page
    assert "<ins>silver</ins>" in page
    assert bell.body("bell") == "The bronze bell rings."


def test_what_the_schema_refuses_is_shown_next_to_its_field_and_nothing_is_kept(bell, sign_in):
    client = sign_in(bell.editor)
    url = reverse("admin:propose_edit", args=[bell.live("bell").document_id])
    answer = client.post(
        url,
        form_of(bell, slug="Not A Slug", tags="two words, x", is_secret="1", audience="everyone", body="Kept text"),
    )
    assert answer.status_code == 200
    assert not answer.context["form"].is_valid()
    answer = client.post(
        url, form_of(bell, tags="a b", field_name=["Bad Name"], field_value=["1"], field_labels=[""], body="Kept text")
    )
    errors = answer.context["form"].errors
    assert any("tags[0]" in text for text in errors["tags"])
    assert any("Bad Name" in text for text in answer.context["row_errors"]["fields"])
    assert "Kept text" in answer.content.decode()
    assert ChangeRequest.objects.filter(title="A new bell").count() == 0


def test_an_edit_begun_before_someone_elses_change_went_live_is_kept_but_not_saved(bell, sign_in):
    client = sign_in(bell.editor)
    url = reverse("admin:propose_edit", args=[bell.live("bell").document_id])
    begun = form_of(bell)
    bell.publish(article("bell", "The golden bell rings."))
    answer = client.post(url, begun)
    assert "went live while you were writing" in answer.content.decode()
    assert "The silver bell rings." in answer.content.decode()
    assert not ChangeRequest.objects.filter(title="A new bell").exists()


def test_the_author_is_told_why_they_cannot_approve_and_a_forged_form_does_not_help(bell, sign_in):
    request = bell.submitted(article("bell", "The silver bell rings."), actor=bell.owner)
    client = sign_in(bell.owner)
    page = client.get(reverse("admin:change_request", args=[request.pk]))
    assert page.context["can"]["approve"] is False
    assert "someone else must approve it" in page.content.decode()
    answer = act(client, request, "approve", items_hash=get_items_hash(request))
    assert "someone else must review it" in read_messages(answer)
    request.refresh_from_db()
    assert request.state == "in_review"


def test_an_approval_counts_only_for_what_was_read(bell, sign_in):
    request = bell.submitted(article("bell", "The silver bell rings."))
    reviewer = sign_in(bell.reviewer)
    read = reviewer.get(reverse("admin:change_request", args=[request.pk])).context["items_hash"]
    act(reviewer, request, "request-changes", reason="Say which bell.")
    save_item(
        actor=bell.editor,
        change_request_id=request.pk,
        content=article("bell", "The iron bell rings."),
        item_id=request.items.get().pk,
    )
    act(sign_in(bell.editor), request, "submit")
    assert "read it again" in read_messages(act(reviewer, request, "approve", items_hash=read))
    request.refresh_from_db()
    assert request.state == "in_review"
    act(reviewer, request, "approve", items_hash=get_items_hash(request))
    request.refresh_from_db()
    assert request.state == "approved"


def test_verdicts_without_a_reason_change_nothing_and_say_so(bell, sign_in):
    request = bell.submitted(article("bell", "The silver bell rings."))
    client = sign_in(bell.reviewer)
    for verb in ("reject", "request-changes"):
        assert "Say why" in read_messages(act(client, request, verb, reason="  "))
    request.refresh_from_db()
    assert request.state == "in_review"


def test_actions_take_a_post_with_a_token(bell, sign_in, django_user_model):
    from django.test import Client

    request = bell.submitted(article("bell", "The silver bell rings."))
    client = sign_in(bell.reviewer)
    url = reverse("admin:change_request_action", args=[request.pk, "reject"])
    assert client.get(url).status_code == 405
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(django_user_model.objects.get(pk=bell.reviewer.user_id))
    assert careful.post(url, {"reason": "no"}).status_code == 403
    assert act(client, request, "no-such-verb").status_code == 404
    request.refresh_from_db()
    assert request.state == "in_review"


def test_editors_neither_stage_nor_swap_nor_roll_back(bell, sign_in):
    _, release = bell.staged(article("bell", "The silver bell rings."))
    client = sign_in(bell.editor)
    assert client.get(reverse("admin:board", args=[bell.index.pk])).context["can"]["swap"] is False
    for verb, data in (
        ("swap", {"release": release.pk, "typed": "2"}),
        ("discard", {"release": release.pk, "typed": "2", "reason": "x"}),
        ("roll-back", {"number": "1", "typed": "main", "reason": "x"}),
        ("canary", {"percent": "50"}),
        ("override", {"release": release.pk, "reason": "x"}),
    ):
        assert "may not do this" in read_messages(act_on_board(client, bell, verb, **data)), verb
    release.refresh_from_db()
    assert release.state == "staged"
    assert find_latest_release(bell.index.pk).number == 1


def test_swap_discard_and_rollback_want_their_words_typed(bell, sign_in):
    _, release = bell.staged(article("bell", "The silver bell rings."))
    client = sign_in(bell.reviewer)
    for typed in ("", "1", "two"):
        assert "To confirm, type 2" in read_messages(
            act_on_board(client, bell, "swap", release=release.pk, typed=typed)
        )
        act_on_board(client, bell, "discard", release=release.pk, typed=typed, reason="x")
    release.refresh_from_db()
    assert release.state == "staged"
    act_on_board(client, bell, "swap", release=release.pk, typed="2")
    assert find_latest_release(bell.index.pk).number == 2
    assert "To confirm, type main" in read_messages(
        act_on_board(client, bell, "roll-back", number="1", typed="2", reason="x")
    )
    assert find_latest_release(bell.index.pk).number == 2
    act_on_board(client, bell, "roll-back", number="1", typed="main", reason="It was better.")
    assert find_latest_release(bell.index.pk).number == 1


def test_a_closed_gate_is_shown_query_by_query_and_opened_by_an_owner_with_a_reason(bell, sign_in):
    GoldenQuery.objects.create(
        tenant=bell.tenant, domain_index=bell.index, key="old", query="bronze bell", language="en", must_hit=["bell"],
        must_not_hit=["gong"],
    )  # fmt: skip
    _, release = bell.staged(article("bell", "Nothing."), article("gong", "The bronze bell is a gong."))
    assert release.gate_state == "failed"
    board = reverse("admin:board", args=[bell.index.pk])
    reviewer, owner = sign_in(bell.reviewer), sign_in(bell.owner)
    page = reviewer.get(board).content.decode()
    assert "<code>gong</code>" in page
    assert "The golden gate is closed." in page
    assert "golden_gate" not in read_messages(
        act_on_board(reviewer, bell, "swap", release=release.pk, typed=str(release.number))
    )
    assert find_latest_release(bell.index.pk).number == 1
    assert "Say why" in read_messages(act_on_board(owner, bell, "override", release=release.pk, reason=""))
    act_on_board(owner, bell, "override", release=release.pk, reason="The gong is right.")
    act_on_board(reviewer, bell, "swap", release=release.pk, typed=str(release.number))
    assert find_latest_release(bell.index.pk).number == release.number
    assert AuditEntry.objects.filter(action="release.gate_overridden", reason="The gong is right.").exists()


def test_canary_of_a_closed_gate_takes_an_owners_word_typed_and_home_shows_it(bell, sign_in):
    GoldenQuery.objects.create(
        tenant=bell.tenant, domain_index=bell.index, key="old", query="bronze", language="en", must_hit=["bell"]
    )
    _, release = bell.staged(article("bell", "Nothing."))
    assert release.gate_state == "failed"
    owner = sign_in(bell.owner)
    board = reverse("admin:board", args=[bell.index.pk])
    assert "Override the gate for the canary" in owner.get(board).content.decode()
    assert "Override the gate for the canary" not in sign_in(bell.reviewer).get(board).content.decode()
    share = {"release": release.pk, "percent": "5"}
    assert "gate" in read_messages(act_on_board(owner, bell, "canary", **share))
    told = read_messages(act_on_board(owner, bell, "canary", **share, reason="Testers wait", typed="canary"))
    assert f"To confirm, type canary {release.number}" in told
    bell.index.refresh_from_db()
    assert bell.index.canary_percent == 0
    confirmed = {**share, "reason": "Testers wait", "typed": f"canary {release.number}"}
    assert "99" in read_messages(act_on_board(owner, bell, "canary", **{**confirmed, "percent": "100"}))
    act_on_board(owner, bell, "canary", **confirmed)
    home = sign_in(bell.editor).get(reverse("admin:index")).content.decode()
    assert f"Canary: 5 % of sessions read release {release.number}." in home
    assert "Testers wait" in home
    act_on_board(owner, bell, "canary", **{**share, "percent": "0"})
    assert "Canary:" not in owner.get(reverse("admin:index")).content.decode()


def test_form_that_began_from_another_version_saves_nothing_and_shows_both_texts(bell, sign_in):
    query = GoldenQuery.objects.create(
        tenant=bell.tenant, domain_index=bell.index, key="bell", query="which bell", language="en",
        relevant={"bell": 3},
    )  # fmt: skip
    url = reverse("admin:reviews_goldenquery_change", args=[query.pk])
    form = {
        "query": "which bell", "language": "en", "must_hit": "", "must_not_hit": "", "relevant": '{"bell": 3}',
        "k": "8", "npc_id": "", "tags": "", "note": "", "active": "on", "reason": "Better words",
    }  # fmt: skip

    def open_form(client: Any) -> str:
        return client.get(url).context["adminform"].form["row_version"].value()

    first, second = sign_in(bell.editor), sign_in(bell.owner)
    seen = open_form(first)
    assert seen == open_form(second)
    assert first.post(url, {**form, "query": "what bell rings", "row_version": seen}).status_code == 302
    page = second.post(url, {**form, "query": "the loud bell", "row_version": seen})
    text = page.content.decode()
    assert page.status_code == 200
    assert "what bell rings" in text
    assert "the loud bell" in text
    query.refresh_from_db()
    assert query.query == "what bell rings"
    again = {**form, "query": "the loud bell", "row_version": seen}
    assert second.post(url, form).status_code == 200
    newest = page.context["adminform"].form.newest_version
    assert second.post(url, {**again, "row_version_onto": newest}).status_code == 302
    query.refresh_from_db()
    assert query.query == "the loud bell"


def test_progress_is_told_without_reading_the_page(bell, sign_in):
    client = sign_in(bell.editor)
    url = reverse("admin:board_progress", args=[bell.index.pk])
    assert client.get(url).json()["percent"] == 100
    _, release = bell.staged(article("bell", "The silver bell rings."))
    Release.objects.filter(pk=release.pk).update(gate_state="running")
    told = client.get(url).json()
    assert told["busy"] is True
    assert told["stamp"] == f"{release.pk}:staged:running"


def test_the_playground_explains_places_and_keeps_secrets_from_the_public(bell, sign_in):
    bell.publish(article("vault", "The hidden bell lies in the vault.", audience=["npc:keeper"]))
    bell.staged(article("bell", "The silver bell rings."))
    client = sign_in(bell.editor)
    ask = {"query": "bell", "index": bell.index.pk, "left": AliasName.LATEST, "right": AliasName.STAGE}
    page = client.get(reverse("admin:playground"), ask)
    left, right = page.context["sides"]
    assert [row.hit.slug for row in left.rows] == ["bell"]
    assert "bronze" in left.rows[0].hit.text
    assert "silver" in right.rows[0].hit.text
    assert left.rows[0].matched == ("bell",)
    assert "Keywords (BM25)" in page.content.decode()
    as_npc = client.get(reverse("admin:playground"), {**ask, "npc": "keeper"})
    assert {row.hit.slug for row in as_npc.context["sides"][0].rows} == {"bell", "vault"}
    for query in ("", " ", "x" * 5000, "\x00", "((("):
        assert client.get(reverse("admin:playground"), {**ask, "query": query}).status_code == 200


def test_search_and_replace_shows_all_hits_and_makes_one_request_of_them(bell, sign_in):
    bell.publish(article("tower", "A bronze bell hangs in the tower."))
    client = sign_in(bell.editor)
    url = reverse("admin:bulk_edit")
    form = {
        "index": bell.index.pk,
        "search": "bronze",
        "replacement": "silver",
        "case_sensitive": "on",
        "look_in": ["body"],
    }
    shown = client.post(url, {**form, "preview": "1"})
    assert shown.context["preview"].hit_count == 2
    stale = client.post(url, {**form, "create": "1", "fingerprint": "of another day"})
    assert "look at it again" in stale.content.decode()
    client.post(url, {**form, "create": "1", "fingerprint": shown.context["preview"].fingerprint})
    request = ChangeRequest.objects.order_by("-id").first()
    assert sorted(item.slug for item in request.items.all()) == ["bell", "tower"]
    bad = client.post(url, {**form, "search": "(", "regex": "on", "preview": "1"})
    assert "pattern" in bad.content.decode()


def test_golden_queries_go_out_and_in_as_json_and_are_logged_when_edited(bell, sign_in):
    client = sign_in(bell.owner)
    form = {
        "domain_index": bell.index.pk, "key": "bell", "query": "which bell", "language": "en", "must_hit": "bell",
        "must_not_hit": "", "relevant": "{}", "k": "8", "npc_id": "", "tags": "", "note": "", "active": "on",
    }  # fmt: skip
    assert client.post(reverse("admin:reviews_goldenquery_add"), {**form, "must_hit": ""}).status_code == 200
    client.post(reverse("admin:reviews_goldenquery_add"), form)
    query = GoldenQuery.objects.get()
    assert AuditEntry.objects.filter(action="golden_query.created", object_label="bell").exists()
    exported = client.get(reverse("admin:export_golden", args=[bell.index.pk])).json()
    assert exported == [{"id": "bell", "query": "which bell", "language": "en", "must_hit": ["bell"]}]

    def upload(content: bytes) -> Any:
        url = reverse("admin:import_golden", args=[bell.index.pk])
        return client.post(url, {"file": SimpleUploadedFile("golden.json", content), "reason": "Players say what."})

    for broken in (b"{", b"\xff", b"{}", b'[{"id": "x"}]'):
        assert upload(broken).status_code == 200
    exported[0]["query"] = "what bell"
    upload(json.dumps(exported).encode())
    change = GoldenChange.objects.get(key="bell")
    agree = reverse("admin:golden_change_action", args=[change.pk, "approve"])
    client.post(agree)
    query.refresh_from_db()
    assert query.query == "which bell"
    sign_in(bell.reviewer).post(agree)
    query.refresh_from_db()
    assert query.query == "what bell"
    ran = client.post(reverse("admin:run_golden", args=[bell.index.pk]))
    assert "passed" in client.get(ran.headers["Location"]).content.decode().lower()
    delete = reverse("admin:reviews_goldenquery_delete", args=[query.pk])
    assert "A second person must agree" in client.get(delete).content.decode()
    client.post(delete, {"version": query.version, "reason": "The bell is gone."})
    assert GoldenQuery.objects.filter(active=True).exists()
    page = reverse("admin:golden_change", args=[GoldenChange.objects.first().pk])
    assert "Agree to the change" not in client.get(page).content.decode()
    reviewer = sign_in(bell.reviewer)
    assert "The bell is gone." in reviewer.get(reverse("admin:index")).content.decode()
    assert "Agree to the change" in reviewer.get(page).content.decode()
    reviewer.post(f"{page}approve/")
    assert not GoldenQuery.objects.exists()
    assert AuditEntry.objects.filter(action="golden_query.deleted").exists()


def test_markdown_never_becomes_script(bell, sign_in):
    client = sign_in(bell.editor)
    text = (
        '<script>alert(1)</script> [x](javascript:alert(1)) ![i](http://evil/x.png) [[a"onclick=b|<b>w</b>]] **bold**'
    )
    html = client.post(reverse("admin:preview_article"), {"text": text}).json()["html"]
    assert "<script" not in html
    assert 'href="javascript' not in html
    assert "<img" not in html
    assert "<b>" not in html
    assert "<strong>bold</strong>" in html


def test_home_shows_each_role_what_waits(bell, sign_in):
    request = bell.submitted(article("bell", "The silver bell rings."), title="Recast the bell")
    assert "Recast the bell" in read_home(sign_in(bell.reviewer))[0]
    waiting, with_others = read_home(sign_in(bell.editor))
    assert "Recast the bell" not in waiting
    assert "Nothing waits for you." in waiting
    assert "Recast the bell" in with_others
    act(sign_in(bell.reviewer), request, "request-changes", reason="Say more.")
    waiting, with_others = read_home(sign_in(bell.editor))
    assert "Recast the bell" in waiting
    assert "Recast the bell" not in with_others


def test_a_draft_waits_for_its_author_and_for_nobody_else(bell, sign_in):
    bell.draft(article("bell", "The silver bell rings."), title="Recast the bell")
    waiting, _ = read_home(sign_in(bell.editor))
    assert "Recast the bell" in waiting
    assert "Nothing waits for you." not in waiting
    for other in (bell.reviewer, bell.owner):
        assert "Recast the bell" not in "".join(read_home(sign_in(other)))


def read_home(client: Any) -> tuple[str, str]:
    """What Home shows under "Waiting for me", and under "Mine, waiting for others"."""
    page = client.get(reverse("admin:index")).content.decode()
    waiting, rest = page.split("Waiting for me", 1)[1].split("Mine, waiting for others", 1)
    return waiting, rest.split("What is live", 1)[0]


def test_failed_embeddings_are_shown_and_tried_again_by_a_reviewer(bell, sign_in):
    passages = LorePassage.objects.filter(domain_index=bell.index)
    passages.update(embedding=None, embedding_state="failed", embedding_error="too odd")
    url = reverse("admin:retry_embeddings", args=[bell.index.pk])
    assert "could not be embedded" in sign_in(bell.editor).get(reverse("admin:index")).content.decode()
    sign_in(bell.editor).post(url)
    assert passages.filter(embedding_state="failed").exists()
    sign_in(bell.reviewer).post(url)
    assert not passages.filter(embedding_state="failed").exists()


def test_pages_take_as_many_queries_for_many_items_as_for_one(bell, sign_in, django_assert_max_num_queries):
    request = bell.draft(*(article(f"house-{number}", "A house.") for number in range(12)))
    client = sign_in(bell.editor)
    with django_assert_max_num_queries(16):
        client.get(reverse("admin:change_request", args=[request.pk]))
    with django_assert_max_num_queries(20):
        client.get(reverse("admin:document", args=[bell.live("bell").document_id]))
