"""Who may do what, and that other tenants' requests do not exist for anyone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.contrib.auth import get_user_model

from memoryproject.errors import ForbiddenError, NotFoundError
from reviews.admin.home import list_reviews_for
from reviews.change_requests.actions.drafts import create_change_request, remove_item, save_item, update_details
from reviews.change_requests.actions.rebase import rebase_item
from reviews.change_requests.actions.review import (
    add_comment,
    approve_change_request,
    claim_review,
    reject_change_request,
    release_claim,
    request_changes,
    submit_change_request,
    withdraw_change_request,
)
from reviews.core.actor import SYSTEM, Actor, actor_of_key
from reviews.core.permissions import REQUIRED_ROLE, may
from reviews.errors import ClaimedByOther, FourEyes, NotYourRequest, RoleRequired
from reviews.golden.actions.gate import override_gate, rerun_gate, run_golden
from reviews.golden.actions.queries import import_golden_queries
from reviews.models import AuditEntry, ChangeRequest, ChangeState
from reviews.releases.actions.releases import roll_back_release, set_canary, swap_release
from reviews.releases.actions.stage import discard_stage, retry_staging, stage_approved
from reviews.selectors.actors import actor_of_user
from tenancy.core.caller import Caller
from tests.factories.canon import article
from tests.factories.change_requests import Selmar, make_actor, make_key_actor

pytestmark = pytest.mark.django_db


def waiting_for(actor: Actor) -> list[ChangeRequest]:
    """What a person's home page offers them to review."""
    return list(list_reviews_for(get_user_model().objects.get(pk=actor.user_id)))


def all_request_actions(actor: Actor, request_id: int, item_id: int) -> list[Callable[[], object]]:
    target = {"actor": actor, "change_request_id": request_id}
    return [
        lambda: save_item(**target, content=article("gate")),
        lambda: remove_item(**target, item_id=item_id),
        lambda: update_details(**target, title="Else"),
        lambda: rebase_item(**target, item_id=item_id),
        lambda: submit_change_request(**target),
        lambda: claim_review(**target),
        lambda: release_claim(**target),
        lambda: add_comment(**target, text="Hm"),
        lambda: request_changes(**target, reason="Why"),
        lambda: approve_change_request(**target, expected_items_hash=""),
        lambda: reject_change_request(**target, reason="Why"),
        lambda: withdraw_change_request(**target),
    ]


def all_domain_actions(actor: Actor, index_id: int, release_id: int) -> list[Callable[[], object]]:
    return [
        lambda: create_change_request(actor=actor, domain_index_id=index_id, title="Mine"),
        lambda: stage_approved(actor=actor, domain_index_id=index_id),
        lambda: roll_back_release(actor=actor, domain_index_id=index_id, to_number=1, reason="Why"),
        lambda: set_canary(actor=actor, domain_index_id=index_id, percent=5),
        lambda: import_golden_queries(actor=actor, domain_index_id=index_id, queries=[]),
        lambda: run_golden(actor=actor, domain_index_id=index_id),
        lambda: swap_release(actor=actor, release_id=release_id),
        lambda: discard_stage(actor=actor, release_id=release_id, reason="Why"),
        lambda: retry_staging(actor=actor, release_id=release_id),
        lambda: rerun_gate(actor=actor, release_id=release_id),
        lambda: override_gate(actor=actor, release_id=release_id, reason="Why"),
    ]


def test_other_tenants_requests_and_releases_do_not_exist(selmar: Selmar, other_studio: Selmar):
    request, release = selmar.staged(article("bell"))
    item = request.items.get()
    entries = AuditEntry.objects.count()
    stranger = other_studio.owner
    for attempt in [
        *all_request_actions(stranger, request.pk, item.pk),
        *all_domain_actions(stranger, selmar.index.pk, release.pk),
    ]:
        with pytest.raises(NotFoundError):
            attempt()
    assert AuditEntry.objects.count() == entries


def test_person_without_a_role_may_do_nothing(selmar: Selmar, other_studio: Selmar):
    request, release = selmar.staged(article("bell"))
    outsider = replace(other_studio.owner, tenant_id=selmar.tenant.pk, role=None)
    attempts = [
        *all_request_actions(outsider, request.pk, request.items.get().pk),
        *all_domain_actions(outsider, selmar.index.pk, release.pk),
    ]
    for attempt in attempts:
        with pytest.raises(RoleRequired):
            attempt()


def test_roles_include_the_ones_below_and_machines_only_propose(selmar: Selmar):
    key = make_key_actor(selmar.tenant)
    allowed = {
        actor.label: {verb for verb in REQUIRED_ROLE if may(actor, verb)}
        for actor in (selmar.editor, selmar.reviewer, selmar.owner, key, SYSTEM)
    }
    editor, reviewer, owner, machine, system = allowed.values()
    assert editor < reviewer < owner == set(REQUIRED_ROLE)
    assert reviewer - editor == {
        "claim",
        "merge_entities",
        "approve",
        "approve_golden",
        "request_changes",
        "reject",
        "stage",
        "discard",
        "swap",
        "roll_back",
    }
    assert machine == {"create", "edit", "submit", "withdraw", "reopen"}
    assert system == {"run_golden", "edit_golden"}


def test_key_without_the_editor_scope_may_not_propose():
    caller = Caller(
        tenant_id=1, tenant_slug="t", world_id=None, key_id=3, key_prefix="abc", scopes=frozenset({"read", "engine"})
    )
    assert not may(actor_of_key(caller), "create")
    assert may(actor_of_key(replace(caller, scopes=frozenset({"editor"}))), "create")


def test_key_bound_to_a_world_sees_no_other_world(selmar: Selmar):
    request = selmar.draft(article("bell"), actor=make_key_actor(selmar.tenant))
    bound = replace(make_key_actor(selmar.tenant, selmar.owner), id=request.author_key_id, world_id=selmar.world.pk + 1)
    with pytest.raises(NotFoundError):
        submit_change_request(actor=bound, change_request_id=request.pk)
    with pytest.raises(NotFoundError):
        create_change_request(actor=bound, domain_index_id=selmar.index.pk, title="Mine")


def test_inactive_person_has_no_role(selmar: Selmar):
    from django.contrib.auth import get_user_model

    user = get_user_model().objects.get(pk=selmar.owner.id)
    user.is_active = False
    user.save()
    assert actor_of_user(user, selmar.tenant).role is None


def test_only_the_author_edits_and_submits(selmar: Selmar):
    request = selmar.draft(article("bell"))
    colleague = make_actor(selmar.tenant, "colleague", "owner")
    for attempt in all_request_actions(colleague, request.pk, request.items.get().pk)[:5]:
        with pytest.raises(NotYourRequest):
            attempt()
    assert submit_change_request(actor=selmar.editor, change_request_id=request.pk).state == ChangeState.IN_REVIEW


def test_whoever_issued_a_key_may_mend_what_it_proposed_but_not_approve_it(selmar: Selmar):
    key = make_key_actor(selmar.tenant, selmar.reviewer)
    request = selmar.submitted(article("bell"), actor=key)
    request_changes(actor=selmar.owner, change_request_id=request.pk, reason="Mend it")
    save_item(
        actor=selmar.reviewer,
        change_request_id=request.pk,
        item_id=request.items.get().pk,
        content=article("bell", "Mended."),
    )
    submit_change_request(actor=selmar.reviewer, change_request_id=request.pk)
    with pytest.raises(FourEyes):
        selmar.approve(request, selmar.reviewer)


def test_author_who_is_a_reviewer_cannot_claim_or_approve_the_own_request(selmar: Selmar):
    request = selmar.submitted(article("bell"), actor=selmar.reviewer)
    for attempt in (
        lambda: claim_review(actor=selmar.reviewer, change_request_id=request.pk),
        lambda: selmar.approve(request, selmar.reviewer),
    ):
        with pytest.raises(FourEyes) as caught:
            attempt()
        assert isinstance(caught.value, ForbiddenError)
        assert caught.value.code == "four_eyes"


def test_claim_keeps_the_queue_of_others_clear_and_can_be_taken_over(selmar: Selmar):
    request = selmar.submitted(article("bell"))
    assert waiting_for(selmar.owner) == [request]
    claim_review(actor=selmar.reviewer, change_request_id=request.pk)
    assert waiting_for(selmar.reviewer) == [request]
    assert waiting_for(selmar.owner) == []
    with pytest.raises(ClaimedByOther):
        claim_review(actor=selmar.owner, change_request_id=request.pk)
    second = make_actor(selmar.tenant, "second", "reviewer")
    with pytest.raises(ClaimedByOther):
        release_claim(actor=second, change_request_id=request.pk)
    claim_review(actor=selmar.owner, change_request_id=request.pk, take_over=True)
    assert waiting_for(selmar.owner) == [request]
    release_claim(actor=selmar.owner, change_request_id=request.pk)
    assert waiting_for(selmar.reviewer) == [request]


def test_reviewers_wait_for_what_others_wrote_and_authors_never_for_their_own(selmar: Selmar):
    mine = selmar.submitted(article("bell"))
    own = selmar.submitted(article("gate"), actor=selmar.reviewer)
    assert waiting_for(selmar.editor) == []
    assert waiting_for(selmar.reviewer) == [mine]
    assert waiting_for(selmar.owner) == [mine, own]
    request_changes(actor=selmar.reviewer, change_request_id=mine.pk, reason="Shorter")
    assert waiting_for(selmar.reviewer) == []
