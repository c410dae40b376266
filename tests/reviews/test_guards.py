"""What the database refuses even past the actions, and how its refusals read."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError, connection, transaction

from reviews.actions.constraints import atomic_action
from reviews.change_requests.actions.drafts import save_item
from reviews.errors import FourEyes, ItemsFrozen, RuleBroken, WrongState
from reviews.models import AuditEntry, ChangeItem, ChangeRequest, ChangeState
from tests.factories.canon import article
from tests.factories.change_requests import Selmar, make_key_actor

pytestmark = pytest.mark.django_db


def run_sql(sql: str, *params: object) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)


APPROVE = "UPDATE reviews_changerequest SET state = 'approved', approved_by_id = %s, approved_at = now() WHERE id = %s"


def test_author_cannot_be_the_approver_even_by_sql(selmar: Selmar):
    request = selmar.submitted(article("bell"))
    with pytest.raises(IntegrityError, match="change_request_four_eyes"):
        run_sql(APPROVE, selmar.editor.id, request.pk)
    run_sql(APPROVE, selmar.reviewer.id, request.pk)


def test_creator_of_the_key_cannot_approve_what_it_wrote_even_by_sql(selmar: Selmar):
    key = make_key_actor(selmar.tenant, selmar.reviewer)
    request = selmar.submitted(article("bell"), actor=key)
    with pytest.raises(IntegrityError, match="change_request_four_eyes"):
        run_sql(APPROVE, selmar.reviewer.id, request.pk)
    with pytest.raises(FourEyes):
        selmar.approve(request)
    assert selmar.approve(request, selmar.owner).state == ChangeState.APPROVED


def test_author_of_a_request_stays_so_that_four_eyes_can_not_be_argued_away(selmar: Selmar):
    request = selmar.submitted(article("bell"))
    with pytest.raises(IntegrityError, match="change_request_author_stays"):
        run_sql("UPDATE reviews_changerequest SET author_id = %s WHERE id = %s", selmar.owner.id, request.pk)


def test_superuser_is_owner_everywhere_but_not_above_four_eyes(selmar: Selmar):
    from reviews.selectors.actors import actor_of_user

    root = get_user_model().objects.create_superuser(username="root", password="a-long-password")
    actor = actor_of_user(root, selmar.tenant)
    assert actor.role == "owner"
    mine = selmar.submitted(article("bell"), actor=actor)
    with pytest.raises(FourEyes):
        selmar.approve(mine, actor)
    assert selmar.approve(selmar.submitted(article("gate")), actor).state == ChangeState.APPROVED


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE reviews_changeitem SET content = '{}' WHERE change_request_id = %s",
        "UPDATE reviews_changeitem SET slug = 'other' WHERE change_request_id = %s",
        "DELETE FROM reviews_changeitem WHERE change_request_id = %s",
        """
        INSERT INTO reviews_changeitem (tenant_id, change_request_id, operation, slug, content, updated_at)
        SELECT tenant_id, id, 'create', 'smuggled', '{}', now() FROM reviews_changerequest WHERE id = %s
        """,
    ],
)
def test_items_are_frozen_in_review_even_for_sql(selmar: Selmar, sql: str):
    request = selmar.submitted(article("bell"))
    with pytest.raises(IntegrityError, match="change_item_frozen_in_review"):
        run_sql(sql, request.pk)
    assert request.items.get().content["slug"] == "bell"


def test_item_cannot_be_moved_from_a_reviewed_request_to_a_draft(selmar: Selmar):
    request, draft = selmar.submitted(article("bell")), selmar.draft(article("gate"))
    with pytest.raises(IntegrityError, match="change_item_frozen_in_review"):
        run_sql(
            "UPDATE reviews_changeitem SET change_request_id = %s WHERE change_request_id = %s", draft.pk, request.pk
        )


@pytest.mark.parametrize("verb", ["UPDATE reviews_auditentry SET reason = 'else'", "DELETE FROM reviews_auditentry"])
def test_audit_log_is_append_only_even_for_sql(selmar: Selmar, verb: str):
    selmar.draft(article("bell"))
    before = AuditEntry.objects.count()
    with pytest.raises(IntegrityError, match="audit_append_only"):
        run_sql(verb)
    assert AuditEntry.objects.count() == before > 0


def test_audit_log_outlives_its_objects(selmar: Selmar):
    request = selmar.draft(article("bell"))
    pk = request.pk
    request.delete()
    assert AuditEntry.objects.filter(object_type="change_request", object_id=str(pk)).count() == 2


def test_refusals_by_name_come_out_as_domain_errors(selmar: Selmar):
    request = selmar.submitted(article("bell"))
    with pytest.raises(FourEyes), atomic_action(), connection.cursor() as cursor:
        cursor.execute(APPROVE, [selmar.editor.id, request.pk])
    with pytest.raises(WrongState), atomic_action():
        ChangeRequest.objects.filter(pk=request.pk).update(state=ChangeState.LIVE)
    with pytest.raises(ItemsFrozen), atomic_action():
        ChangeItem.objects.filter(change_request=request).update(slug="other")
    with pytest.raises(RuleBroken) as caught, atomic_action():
        ChangeRequest.objects.filter(pk=request.pk).update(approved_by_id=selmar.reviewer.id)
    assert caught.value.extra["constraint"] == "change_request_approval_matches_state"


def test_frozen_items_are_refused_by_the_action_too(selmar: Selmar):
    request = selmar.submitted(article("bell"))
    item = request.items.get()
    with pytest.raises(ItemsFrozen):
        save_item(
            actor=selmar.editor, change_request_id=request.pk, item_id=item.pk, content=article("bell", "Another.")
        )
