"""Items of a draft, what they are based on, and what happens when live moves on."""

from __future__ import annotations

import pytest

from knowledge.errors import InvalidArticle
from reviews.audit.selectors import list_audit_group, list_audit_of_object
from reviews.change_requests.actions.drafts import create_change_request, remove_item, save_item, update_details
from reviews.change_requests.actions.rebase import rebase_item
from reviews.change_requests.actions.review import (
    add_comment,
    approve_change_request,
    request_changes,
    submit_change_request,
)
from reviews.change_requests.admin.changes import ItemView, describe_items
from reviews.change_requests.selectors.items import get_items_hash
from reviews.errors import (
    DocumentInRequest,
    DocumentNotLive,
    InvalidField,
    ItemsChanged,
    NothingToChange,
    NothingToStage,
    OverlappingRequests,
    ReasonRequired,
    SlugInUse,
    StaleItems,
)
from reviews.models import AuditEntry, ChangeRequest, ChangeState, Operation
from reviews.releases.actions.stage import stage_approved
from tests.factories.canon import article
from tests.factories.change_requests import Selmar

pytestmark = pytest.mark.django_db
THREE = "First paragraph.\n\nSecond paragraph.\n\nThird paragraph."


def read_items(request: ChangeRequest) -> list[ItemView]:
    """The items as a reviewer's page shows them."""
    items = list(request.items.select_related("base_revision").order_by("pk"))
    return describe_items(request.state, request.domain_index_id, items, list(request.comments.all()))


def test_invalid_article_is_refused_and_nothing_is_kept(selmar: Selmar):
    request = selmar.draft()
    with pytest.raises(InvalidArticle) as caught:
        save_item(actor=selmar.editor, change_request_id=request.pk, content={"slug": "Bad Slug", "title": ""})
    assert caught.value.extra["errors"]
    assert request.items.count() == 0


@pytest.mark.parametrize("title", ["", "   ", "x" * 201, "nul\x00"])
def test_title_that_cannot_be_kept_is_refused(selmar: Selmar, title: str):
    with pytest.raises(InvalidField):
        create_change_request(actor=selmar.editor, domain_index_id=selmar.index.pk, title=title)
    assert AuditEntry.objects.count() == 0


def test_empty_draft_cannot_be_submitted(selmar: Selmar):
    with pytest.raises(NothingToChange):
        submit_change_request(actor=selmar.editor, change_request_id=selmar.draft().pk)


def test_update_that_says_what_is_live_is_refused(selmar: Selmar):
    selmar.publish(article("bell"))
    with pytest.raises(NothingToChange):
        selmar.draft(article("bell"))


def test_article_is_in_a_request_once(selmar: Selmar):
    selmar.publish(article("bell"))
    request = selmar.draft(article("bell", "Another text."))
    live = selmar.live("bell")
    with pytest.raises(DocumentInRequest):
        save_item(actor=selmar.editor, change_request_id=request.pk, content=None, document_id=live.document_id)


def test_new_article_cannot_take_a_live_slug(selmar: Selmar):
    selmar.publish(article("bell"))
    request = selmar.draft()
    with pytest.raises(SlugInUse):
        save_item(actor=selmar.editor, change_request_id=request.pk, content=article("bell", "An impostor."))


def test_one_request_may_swap_two_slugs_and_hand_on_that_of_a_retired_article(selmar: Selmar):
    selmar.publish(article("bell", "A bell."), article("gate", "A gate."), article("well", "A well."))
    bell, gate, well = (selmar.live(slug) for slug in ("bell", "gate", "well"))
    request = selmar.draft()
    for document, content in (
        (bell, article("gate", "A bell.")),
        (gate, article("bell", "A gate.")),
        (well, None),
    ):
        save_item(actor=selmar.editor, change_request_id=request.pk, content=content, document_id=document.document_id)
    save_item(actor=selmar.editor, change_request_id=request.pk, content=article("well", "Another well."))
    submit_change_request(actor=selmar.editor, change_request_id=request.pk)
    selmar.approve(request)
    from reviews.releases.actions.releases import swap_release
    from reviews.tasks import stage_release

    release = stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk)
    stage_release(release.pk)
    swap_release(actor=selmar.reviewer, release_id=release.pk)
    assert [selmar.body(slug) for slug in ("bell", "gate", "well")] == ["A gate.", "A bell.", "Another well."]
    assert selmar.live("well").document_id != well.document_id


def test_saved_item_can_be_overwritten_retired_and_removed(selmar: Selmar):
    selmar.publish(article("bell"))
    request = selmar.draft(article("bell", "Another text."), article("gate"))
    update, create = request.items.order_by("pk")
    save_item(actor=selmar.editor, change_request_id=request.pk, item_id=update.pk, content=None)
    update.refresh_from_db()
    assert (update.operation, update.content, update.slug) == (Operation.RETIRE, {}, "bell")
    with pytest.raises(InvalidField):
        save_item(actor=selmar.editor, change_request_id=request.pk, item_id=create.pk, content=None)
    remove_item(actor=selmar.editor, change_request_id=request.pk, item_id=create.pk)
    assert list(request.items.values_list("pk", flat=True)) == [update.pk]


def test_approval_of_something_else_than_was_read_is_refused(selmar: Selmar):
    request = selmar.submitted(article("bell"))
    read = get_items_hash(request)
    request_changes(actor=selmar.reviewer, change_request_id=request.pk, reason="Shorter")
    item = request.items.get()
    save_item(actor=selmar.editor, change_request_id=request.pk, item_id=item.pk, content=article("bell", "Short."))
    submit_change_request(actor=selmar.editor, change_request_id=request.pk)
    with pytest.raises(ItemsChanged):
        approve_change_request(actor=selmar.reviewer, change_request_id=request.pk, expected_items_hash=read)
    request.refresh_from_db()
    assert request.state == ChangeState.IN_REVIEW


def test_stale_request_cannot_be_approved_and_is_merged_by_rebasing(selmar: Selmar):
    selmar.publish(article("bell", THREE))
    request = selmar.submitted(article("bell", THREE.replace("Third", "Mended third")))
    selmar.publish(article("bell", THREE.replace("First", "Changed first"), tags=["tower"]))
    with pytest.raises(StaleItems) as caught:
        selmar.approve(request)
    assert caught.value.code == "base_revision_stale"
    assert caught.value.extra["articles"][0]["slug"] == "bell"
    assert caught.value.extra["remedy"] == "rebase"
    assert read_items(request)[0].stale

    request_changes(actor=selmar.reviewer, change_request_id=request.pk, reason="Rebase it")
    with pytest.raises(StaleItems):
        submit_change_request(actor=selmar.editor, change_request_id=request.pk)
    rebase = rebase_item(actor=selmar.editor, change_request_id=request.pk, item_id=request.items.get().pk)
    assert (rebase.moved, rebase.merged, rebase.conflicts) == (True, True, ())
    assert rebase.item.content["body"] == THREE.replace("Third", "Mended third").replace("First", "Changed first")
    assert rebase.item.content["tags"] == ["tower"]
    submit_change_request(actor=selmar.editor, change_request_id=request.pk)
    assert selmar.approve(request).state == ChangeState.APPROVED


def test_rebase_with_a_conflict_keeps_the_authors_text_and_names_the_field(selmar: Selmar):
    selmar.publish(article("bell", THREE))
    request = selmar.draft(article("bell", THREE.replace("Second", "My second")))
    selmar.publish(article("bell", THREE.replace("Second", "Their second")))
    rebase = rebase_item(actor=selmar.editor, change_request_id=request.pk, item_id=request.items.get().pk)
    assert (rebase.moved, rebase.merged, rebase.conflicts) == (True, False, ("body",))
    assert "My second" in rebase.item.content["body"]
    (item,) = read_items(request)
    assert not item.stale
    assert [span.text for span in item.spans if span.kind == "delete"] == ["Their"]


def test_retired_article_cannot_be_updated_any_more(selmar: Selmar):
    selmar.publish(article("bell"), article("gate"))
    request = selmar.draft(article("bell", "Another text."))
    live = selmar.live("bell")
    retirement = selmar.draft()
    save_item(actor=selmar.editor, change_request_id=retirement.pk, content=None, document_id=live.document_id)
    submit_change_request(actor=selmar.editor, change_request_id=retirement.pk)
    selmar.approve(retirement)
    from reviews.releases.actions.releases import swap_release
    from reviews.tasks import stage_release

    release = stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk)
    stage_release(release.pk)
    swap_release(actor=selmar.reviewer, release_id=release.pk)
    assert selmar.live("bell") is None
    with pytest.raises(StaleItems):
        submit_change_request(actor=selmar.editor, change_request_id=request.pk)
    with pytest.raises(DocumentNotLive):
        rebase_item(actor=selmar.editor, change_request_id=request.pk, item_id=request.items.get().pk)


def test_two_approved_requests_on_one_article_are_not_staged_together(selmar: Selmar):
    selmar.publish(article("bell", THREE))
    one = selmar.approved(article("bell", "One."))
    two = selmar.approved(article("bell", "Two."))
    with pytest.raises(OverlappingRequests) as caught:
        stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk)
    assert caught.value.extra["overlaps"] == [{"slug": "bell", "change_requests": [one.pk, two.pk]}]
    stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk, change_request_ids=[two.pk])


@pytest.mark.parametrize(("was_secret", "is_secret"), [(None, True), (True, False), (False, True), (True, None)])
def test_release_of_something_secret_does_not_tell_the_requests_title(
    selmar: Selmar, was_secret: bool | None, is_secret: bool | None
):
    audience = {True: {"audience": ["npc:oda"]}, False: {}}
    if was_secret is not None:
        selmar.publish(article("betrayal", **audience[was_secret]))
    if is_secret is None:
        live = selmar.live("betrayal")
        assert live is not None
        request = selmar.draft(title="Oda betrays the guild")
        save_item(actor=selmar.editor, change_request_id=request.pk, content=None, document_id=live.document_id)
        selmar.approve(submit_change_request(actor=selmar.editor, change_request_id=request.pk))
    else:
        changed = article("betrayal", "Oda sold the bell.", **audience[is_secret])
        request = selmar.approved(changed, title="Oda betrays the guild")
    release = stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk)
    assert release.title == f"Change requests #{request.pk}"


def test_release_is_called_by_the_first_of_its_requests(selmar: Selmar):
    selmar.approved(article("bell"), title="Mend the bell")
    selmar.approved(article("gate"), title="Open the gate")
    release = stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk)
    assert release.title == "Mend the bell and 1 more"


def test_nothing_approved_is_nothing_to_stage(selmar: Selmar):
    selmar.submitted(article("bell"))
    with pytest.raises(NothingToStage):
        stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk)


def test_verdicts_against_a_request_need_a_reason(selmar: Selmar):
    request = selmar.submitted(article("bell"))
    with pytest.raises(ReasonRequired):
        request_changes(actor=selmar.reviewer, change_request_id=request.pk, reason="  ")


def test_items_show_words_and_properties_against_live_and_the_comments_on_them(selmar: Selmar):
    selmar.publish(article("bell", "The bronze bell rings.", tags=["old"]))
    request = selmar.draft(article("bell", "The silver bell rings.", tags=["new"]))
    item_id = request.items.get().pk
    add_comment(actor=selmar.reviewer, change_request_id=request.pk, item_id=item_id, text="Why silver?")
    (item,) = read_items(request)
    assert [(span.kind, span.text) for span in item.spans if span.kind != "equal"] == [
        ("delete", "bronze"),
        ("insert", "silver"),
    ]
    assert [(row.name, row.before, row.after) for row in item.meta] == [("Tags", "old", "new")]
    assert [comment.text for comment in item.comments] == ["Why silver?"]


@pytest.mark.parametrize("count", [2, 12])
def test_items_take_as_many_queries_when_many_as_when_few(selmar: Selmar, count: int, django_assert_num_queries):
    request = selmar.draft(*[article(f"place-{number}") for number in range(count)])
    with django_assert_num_queries(3):
        read_items(request)


def test_audit_tells_who_did_what_and_groups_what_one_action_did(selmar: Selmar):
    request, release = selmar.staged(article("bell"))
    staged = list_audit_of_object(selmar.tenant.pk, "change_request", request.pk).first()
    assert (staged.action, staged.before, staged.after) == ("change_request.staged", "approved", "staged")
    assert (staged.actor_type, staged.actor_id) == ("user", str(selmar.reviewer.id))
    group = [entry.action for entry in list_audit_group(selmar.tenant.pk, staged.group)]
    assert group == ["change_request.staged", "release.started"]
    update_actions = [entry.action for entry in list_audit_of_object(selmar.tenant.pk, "release", release.pk)]
    assert update_actions == ["release.gate_passed", "release.gate_started", "release.started"]


def test_details_of_a_draft_change_with_before_and_after_in_the_log(selmar: Selmar):
    request = selmar.draft(title="Old")
    update_details(actor=selmar.editor, change_request_id=request.pk, title="New")
    entry = list_audit_of_object(selmar.tenant.pk, "change_request", request.pk).first()
    assert entry.details["changed"] == {"title": ["Old", "New"]}
