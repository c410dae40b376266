"""Checkpoints, rollbacks and hearsay on a campaign's page: dry run, typed id, reason; by reviewers only."""

from __future__ import annotations

import pytest
from django.urls import reverse

from episodes.models import Checkpoint, EpisodicSummary, NpcTold, Rollback
from tests.factories.campaigns import add_scene, start
from tests.factories.npcs import make_npc, write_npc

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(selmar):
    make_npc(selmar.world)
    relations = [{"npc_id": "npc_LiShen", "kind": "friend", "shares": "all"}]
    write_npc(selmar.world, "ann", name="Ann", relations=relations)
    campaign = start(selmar.world)
    add_scene(selmar.world, npcs=["ann"])
    return campaign


def page_of(client, campaign):
    return client.get(reverse("admin:episodes_campaign_change", args=[campaign.pk])).content.decode()


def test_a_person_marks_and_goes_back_after_a_dry_run(selmar, sign_in, campaign):
    client = sign_in(selmar.owner)
    client.post(reverse("admin:campaign_checkpoint", args=[campaign.pk]), {"label": "before the tower"})
    checkpoint = Checkpoint.objects.get()
    add_scene(selmar.world, summary_id="sum_2", minute=5, flags={"gate": "open"}, notes="The tower fell.")
    url = reverse("admin:campaign_rollback", args=[campaign.pk, checkpoint.pk])
    shown = client.get(url).content.decode()
    assert "summary sum_2" in shown
    assert "name gate · party pty_1: not set → open" in shown or "name gate · party pty_1: open → not set" in shown
    assert Rollback.objects.count() == 0
    for wrong in ({"reason": "loaded", "confirm": "camp_2"}, {"reason": " ", "confirm": "camp_1"}):
        client.post(url, wrong)
        assert Rollback.objects.count() == 0
    client.post(url, {"reason": "loaded a saved game", "confirm": "camp_1"})
    rollback = Rollback.objects.get()
    assert (rollback.reason, rollback.created_by.startswith("staff ")) == ("loaded a saved game", True)
    page = page_of(client, campaign)
    for text in ("loaded a saved game", "before the tower", "undone", "The tower fell.", "summaries: 1 undone"):
        assert text in page, text
    undo = reverse("admin:campaign_rollback", args=[campaign.pk, rollback.before_id])
    assert undo in page
    client.post(undo, {"reason": "it was a mistake", "confirm": "camp_1"})
    assert EpisodicSummary.objects.living().count() == 2


def test_what_npcs_told_each_other_is_listed_and_taken_back(selmar, sign_in, campaign):
    add_scene(selmar.world, summary_id="sum_2", scene_id="scn_2", minute=5, npcs=[])
    client, told = sign_in(selmar.owner), NpcTold.objects.get()
    assert "End of scn_1" in page_of(client, campaign)
    url = reverse("admin:campaign_hearsay_revoke", args=[campaign.pk, told.pk])
    client.post(url, {"reason": "a secret"})
    told.refresh_from_db()
    assert told.revoked_reason == "a secret"
    assert "taken back by staff" in page_of(client, campaign)


def test_others_see_no_way_back_and_take_none(selmar, rival, sign_in, campaign):
    client = sign_in(selmar.owner)
    client.post(reverse("admin:campaign_checkpoint", args=[campaign.pk]), {"label": "here"})
    checkpoint = Checkpoint.objects.get()
    url = reverse("admin:campaign_rollback", args=[campaign.pk, checkpoint.pk])
    for person in (rival.owner, selmar.editor):
        other = sign_in(person)
        assert other.get(url).status_code == 404
        assert other.post(url, {"reason": "r", "confirm": "camp_1"}).status_code == 404
        other.post(reverse("admin:campaign_checkpoint", args=[campaign.pk]), {"label": "theirs"})
    assert (Checkpoint.objects.count(), Rollback.objects.count()) == (1, 0)
    assert "Make checkpoint" not in page_of(sign_in(selmar.editor), campaign)


def test_the_npcs_page_says_whom_it_tells(selmar, sign_in, campaign):
    from npcs.models import Npc

    page = sign_in(selmar.owner).get(reverse("admin:npc", args=[Npc.objects.get(npc_id="ann").pk])).content.decode()
    assert "Tells other NPCs" in page
    assert "npc_LiShen" in page
