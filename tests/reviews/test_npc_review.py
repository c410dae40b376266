"""NPC profiles and secrets go through review: by people, by keys, by files; past the ORM too."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from knowledge.errors import UnknownWorld
from npcs.errors import InvalidProfile, PersonaChanged, PersonaVersionRequired, ReviewRequired
from npcs.models import Npc, NpcPersona
from npcs.profiles.actions import write_profile
from npcs.profiles.core.profiles import Profile, parse_profile
from npcs.profiles.selectors.profiles import get_profile
from reviews.change_requests.actions.drafts import save_item
from reviews.change_requests.actions.review import approve_change_request, request_changes, submit_change_request
from reviews.change_requests.selectors.items import get_item_version, get_items_hash
from reviews.core.actor import Actor
from reviews.errors import (
    FourEyes,
    ItemChanged,
    ItemsChanged,
    ItemsFrozen,
    NothingToStage,
    RoleRequired,
    StaleItems,
    UnknownChangeRequest,
)
from reviews.models import AuditEntry, ChangeRequest, NpcChangeItem
from reviews.npcs.actions.changes import save_npc_item
from reviews.npcs.actions.writes import NpcWrite, write_npc
from reviews.releases.actions.stage import stage_approved
from tenancy.models import World
from tests.factories.canon import article
from tests.factories.change_requests import Selmar, make_key_actor

pytestmark = pytest.mark.django_db
SECRET = "he let the thief cross"


def profile(npc_id: str = "li-shen", *, state: str = "active", **static: Any) -> Profile:
    return parse_profile({"npc_id": npc_id, "state": state, "static": {"name": "Li Shen", **static}})


@pytest.fixture
def li(selmar: Selmar) -> Selmar:
    """A world whose NPC has a first persona."""
    write_profile(tenant_id=selmar.tenant.pk, world_id=selmar.world.pk, profile=profile(), author="load")
    return selmar


def propose(selmar: Selmar, wanted: Profile, *, actor: Actor | None = None, seen: int | None = 1) -> NpcWrite:
    return write_npc(actor=actor or selmar.editor, world_id=selmar.world.pk, profile=wanted, expected_version=seen)


def approve(selmar: Selmar, written: NpcWrite, actor: Actor | None = None) -> ChangeRequest:
    request = ChangeRequest.objects.get(pk=written.change_request_id)
    return approve_change_request(
        actor=actor or selmar.reviewer, change_request_id=request.pk, expected_items_hash=get_items_hash(request)
    )


def read(selmar: Selmar, npc_id: str = "li-shen") -> Any:
    return get_profile(tenant_id=selmar.tenant.pk, world_id=selmar.world.pk, npc_id=npc_id)


def test_change_is_in_force_once_a_second_person_approves(li: Selmar):
    written = propose(li, profile(persona="Speaks of the weather.", secrets=[SECRET]))
    assert (written.outcome, written.persona_version) == ("in_review", 1)
    assert read(li).static.secrets == ()
    request = approve(li, written)
    assert request.state == "live"
    now = read(li)
    assert (now.persona_version, now.static.secrets, now.author) == (2, (SECRET,), "staff selmar-editor")
    persona = NpcPersona.objects.get(npc__npc_id="li-shen", version=2)
    assert (persona.approved_by, persona.change_request_id) == ("staff selmar-reviewer", request.pk)
    assert request.npc_items.get().written_version == 2


def test_each_write_is_in_the_log_without_what_the_secret_says(li: Selmar):
    written = propose(li, profile(secrets=[SECRET]))
    approve(li, written)
    actions = AuditEntry.objects.filter(tenant_id=li.tenant.pk).order_by("id").values_list("action", flat=True)
    assert list(actions) == [
        "change_request.created", "change_request.item_saved", "change_request.submitted", "change_request.approved",
        "npc.profile_written", "change_request.went_live",
    ]  # fmt: skip
    entry = AuditEntry.objects.get(action="npc.profile_written")
    assert (entry.object_label, entry.before, entry.after, entry.details["changed"]) == (
        "li-shen", "1", "2", ["secrets"],
    )  # fmt: skip
    assert not AuditEntry.objects.filter(details__icontains=SECRET).exists()


def test_new_npc_and_retirement_wait_too(selmar: Selmar):
    written = propose(selmar, profile(), seen=0)
    assert not NpcPersona.objects.exists()
    approve(selmar, written)
    assert read(selmar).persona_version == 1
    retired = propose(selmar, profile(state="retired"))
    assert Npc.objects.get().state == "active"
    approve(selmar, retired)
    assert Npc.objects.get().state == "retired"


def test_author_approves_nothing_and_neither_does_the_one_who_issued_the_key(li: Selmar):
    by_owner = propose(li, profile(persona="x"), actor=li.owner)
    with pytest.raises(FourEyes):
        approve(li, by_owner, li.owner)
    by_key = propose(li, profile(persona="y"), actor=make_key_actor(li.tenant, li.owner))
    with pytest.raises(FourEyes):
        approve(li, by_key, li.owner)
    with pytest.raises(RoleRequired):
        approve(li, by_key, li.editor)
    approve(li, by_key)
    assert read(li).static.persona == "y"


def test_second_of_two_requests_is_stale_and_is_saved_on_top(li: Selmar):
    first, second = propose(li, profile(persona="first")), propose(li, profile(persona="second"), actor=li.owner)
    approve(li, first)
    with pytest.raises(StaleItems):
        approve(li, second)
    request_changes(actor=li.reviewer, change_request_id=second.change_request_id, reason="Stale")
    item = NpcChangeItem.objects.get(change_request_id=second.change_request_id)
    with pytest.raises(PersonaChanged):
        save_npc_item(
            actor=li.owner, change_request_id=second.change_request_id, profile=profile(persona="both"),
            base_version=1, item_id=item.pk,
        )  # fmt: skip
    save_npc_item(
        actor=li.owner, change_request_id=second.change_request_id, profile=profile(persona="both"), base_version=2,
        item_id=item.pk,
    )  # fmt: skip
    submit_change_request(actor=li.owner, change_request_id=second.change_request_id)
    approve(li, second)
    assert (read(li).persona_version, read(li).static.persona) == (3, "both")


def test_draft_saved_in_another_window_is_not_saved_over(li: Selmar):
    written = write_npc(
        actor=li.editor, world_id=li.world.pk, profile=profile(persona="a"), expected_version=1, is_draft=True
    )
    item = NpcChangeItem.objects.get()
    seen = get_item_version(item)

    def save(persona: str) -> None:
        save_npc_item(
            actor=li.editor, change_request_id=written.change_request_id, profile=profile(persona=persona),
            base_version=1, item_id=item.pk, expected_item_version=seen,
        )  # fmt: skip

    save("b")
    with pytest.raises(ItemChanged):
        save("c")
    item.refresh_from_db()
    assert item.content["static"]["persona"] == "b"


def test_who_replaces_a_profile_names_the_version_that_they_saw(li: Selmar):
    with pytest.raises(PersonaVersionRequired):
        propose(li, profile(persona="x"), seen=None)
    with pytest.raises(PersonaChanged):
        propose(li, profile(persona="x"), seen=7)
    assert propose(li, profile(), seen=None).outcome == "unchanged"
    assert not ChangeRequest.objects.exists()


def test_bad_profile_leaves_no_request(li: Selmar):
    with pytest.raises(InvalidProfile):
        propose(li, profile(lore_refs=["nowhere"]))
    assert not ChangeRequest.objects.exists()


def test_newer_proposal_of_a_key_withdraws_its_older_one(li: Selmar):
    key = make_key_actor(li.tenant)
    first = propose(li, profile(persona="first"), actor=key)
    assert propose(li, profile(persona="first"), actor=key).change_request_id == first.change_request_id
    second = propose(li, profile(persona="second"), actor=key)
    states = dict(ChangeRequest.objects.values_list("pk", "state"))
    assert states == {first.change_request_id: "withdrawn", second.change_request_id: "in_review"}


def test_approval_is_pinned_to_what_was_read(li: Selmar):
    written = propose(li, profile(persona="x"))
    with pytest.raises(ItemsChanged):
        approve_change_request(
            actor=li.reviewer, change_request_id=written.change_request_id, expected_items_hash="of another day"
        )


def test_requests_of_npcs_are_never_staged_and_hold_no_articles(li: Selmar):
    written = write_npc(
        actor=li.editor, world_id=li.world.pk, profile=profile(persona="a"), expected_version=1, is_draft=True
    )
    with pytest.raises(ItemsFrozen):
        save_item(actor=li.editor, change_request_id=written.change_request_id, content=article("bell"))
    submit_change_request(actor=li.editor, change_request_id=written.change_request_id)
    approve(li, written)
    with pytest.raises(NothingToStage):
        stage_approved(actor=li.reviewer, domain_index_id=li.index.pk)


def test_world_without_review_writes_at_once_and_logs_it(li: Selmar):
    li.world.npc_review = "off"
    li.world.save()
    written = propose(li, profile(persona="x"))
    assert (written.outcome, written.persona_version, written.change_request_id) == ("changed", 2, None)
    entry = AuditEntry.objects.get(action="npc.profile_written")
    assert (entry.actor_label, entry.details["npc_review"]) == ("selmar-editor", "off")
    with pytest.raises(PersonaVersionRequired):
        propose(li, profile(persona="y"), seen=None)


def test_database_and_lower_action_refuse_a_version_without_approval(li: Selmar):
    with pytest.raises(ReviewRequired):
        write_profile(tenant_id=li.tenant.pk, world_id=li.world.pk, profile=profile(persona="x"), author="somebody")
    npc = Npc.objects.get()
    values = {
        "tenant": li.tenant, "npc": npc, "version": 2, "name": "Li", "author": "somebody", "content_hash": b"0" * 32,
    }  # fmt: skip
    with pytest.raises(IntegrityError, match="npc_persona_reviewed"), transaction.atomic():
        NpcPersona.objects.create(**values)
    with pytest.raises(IntegrityError, match="npc_persona_four_eyes"), transaction.atomic():
        NpcPersona.objects.create(**values, change_request_id=1, approved_by="somebody")
    with pytest.raises(IntegrityError, match="npc_persona_four_eyes"), transaction.atomic():
        NpcPersona.objects.create(**values, change_request_id=1)


def test_items_are_frozen_under_review_and_kinds_stay(li: Selmar):
    written = propose(li, profile(persona="x"))
    with pytest.raises(IntegrityError, match="npc_change_item_frozen_in_review"), transaction.atomic():
        NpcChangeItem.objects.update(content={})
    request = ChangeRequest.objects.filter(pk=written.change_request_id)
    with pytest.raises(IntegrityError, match="change_request_kind_stays"), transaction.atomic():
        request.update(kind="canon")
    canon = li.approved(article("bell"))
    with pytest.raises(IntegrityError, match="change_request_transition_allowed"), transaction.atomic():
        ChangeRequest.objects.filter(pk=canon.pk).update(state="live")


def test_files_bring_new_npcs_at_once_and_changes_by_a_request(selmar: Selmar, tmp_path: Path):
    def load(persona: str, *more: str) -> str:
        content = {"npc_id": "li-shen", "static": {"name": "Li Shen", "persona": persona}}
        (tmp_path / "li.json").write_text(json.dumps(content), encoding="utf-8")
        out = StringIO()
        call_command("load_npcs", str(tmp_path), "--world", "main", *more, stdout=out)
        return out.getvalue()

    assert "created" in load("a")
    assert "unchanged" in load("a")
    with pytest.raises(CommandError, match="reviewed"):
        load("b")
    assert "waits for a reviewer" in load("b", "--author", "selmar-editor")
    assert read(selmar).static.persona == "a"
    assert AuditEntry.objects.filter(action="npc.profile_written", actor_type="system").count() == 1


def test_another_tenant_neither_saves_nor_approves(li: Selmar, other_studio: Selmar):
    written = propose(li, profile(persona="x"))
    with pytest.raises(UnknownChangeRequest):
        approve(li, written, other_studio.reviewer)
    with pytest.raises(UnknownChangeRequest):
        save_npc_item(
            actor=other_studio.owner, change_request_id=written.change_request_id, profile=profile(), base_version=1
        )
    for review in ("on", "off"):
        World.objects.filter(pk=li.world.pk).update(npc_review=review)
        with pytest.raises(UnknownWorld):
            write_npc(actor=other_studio.owner, world_id=li.world.pk, profile=profile(persona="z"), expected_version=1)
    assert read(li).persona_version == 1


def test_key_of_one_world_writes_no_npc_of_another(li: Selmar):
    second = World.objects.create(tenant=li.tenant, slug="second", name="Second", npc_review="off")
    key = replace(make_key_actor(li.tenant), world_id=second.pk)
    with pytest.raises(UnknownWorld):
        propose(li, profile(persona="x"), actor=key)
    assert propose(replace(li, world=second), profile(persona="x"), actor=key, seen=None).outcome == "created"
    assert read(li).static.persona == ""
