"""Art cards in admin: what they show, where they lead, and that nothing is written there."""

from __future__ import annotations

import pytest
from django.urls import reverse

from episodes.art.actions.cards import prepare_card, record_card
from episodes.models import ArtCard
from tests.admin.test_npc_pages import LI, write
from tests.api.test_art import card, embed
from tests.factories.campaigns import add_scene, start
from tests.factories.canon import article

pytestmark = pytest.mark.django_db


@pytest.fixture
def picture(selmar):
    selmar.publish(article("moon-bridge", "A bridge.", fields={"visual_must_have": ["nine arches"]}))
    write(selmar.world, visual={"must_have": ["scar"], "banned": ["smile"]})
    entities = {"npc": [LI], "location": ["loc_moon_bridge", "loc_nowhere"]}
    draft = prepare_card(card(scene_id="scn_1", entities=entities, embedding=embed([0.5, 0.25])))
    return record_card(tenant_id=selmar.tenant.pk, world_id=selmar.world.pk, draft=draft).card


def test_a_card_leads_to_its_people_its_place_and_its_scene(selmar, picture, sign_in):
    client, url = sign_in(selmar.editor), reverse("admin:episodes_artcard_change", args=[picture.pk])
    assert "nothing was told of it" in client.get(url).content.decode()
    start(selmar.world)
    told = add_scene(selmar.world).summary
    page = client.get(url).content.decode()
    assert reverse("admin:episodes_campaign_change", args=[told.campaign_id]) in page
    assert reverse("admin:document", args=[selmar.live("moon-bridge").document_id]) in page
    assert ">npc_LiShen</a>" in page
    assert ", loc_nowhere" in page
    assert page.count(">added</span>") == 2
    assert "(2 numbers)" in page
    assert "<del>smile</del>" in page
    shown = client.get(reverse("admin:episodes_artcard_changelist"), {"q": "katana"})
    assert [row.image_id for row in shown.context["cl"].result_list] == ["img_1"]


def test_a_card_of_a_campaign_leads_to_that_campaigns_scene(selmar, picture, sign_in):
    of_none = reverse("admin:episodes_artcard_change", args=[picture.pk])
    mine, other = start(selmar.world), start(selmar.world, "camp_2")
    draft = prepare_card(card("img_2", scene_id="scn_1", campaign_id="camp_1"))
    kept = record_card(tenant_id=selmar.tenant.pk, world_id=selmar.world.pk, draft=draft).card
    url = reverse("admin:episodes_artcard_change", args=[kept.pk])
    add_scene(selmar.world, npcs=[])
    add_scene(selmar.world, summary_id="sum_2", campaign_id="camp_2", party_id="pty_2", minute=5, npcs=[])
    client = sign_in(selmar.editor)
    links = [reverse("admin:episodes_campaign_change", args=[campaign.pk]) for campaign in (mine, other)]
    assert [link in client.get(url).content.decode() for link in links] == [True, False]
    assert "<dd>camp_1</dd>" in client.get(url).content.decode()
    assert "shown for every scene of that id" in client.get(of_none).content.decode()
    shown = client.get(reverse("admin:episodes_artcard_changelist"), {"q": "camp_1"})
    assert [row.image_id for row in shown.context["cl"].result_list] == ["img_2"]


def test_cards_are_not_written_and_not_shown_to_others(selmar, rival, picture, sign_in, operator):
    url = reverse("admin:episodes_artcard_change", args=[picture.pk])
    changelist = reverse("admin:episodes_artcard_changelist")
    assert sign_in(rival.owner).get(url).status_code == 404
    assert "img_1" not in sign_in(rival.owner).get(changelist).content.decode()
    assert operator.post(reverse("admin:episodes_artcard_add"), {}).status_code == 403
    assert (
        operator.post(reverse("admin:episodes_artcard_delete", args=[picture.pk]), {"post": "yes"}).status_code == 403
    )
    operator.post(url, {"scene_id": "hacked"})
    operator.post(changelist, {"action": "delete_selected", "_selected_action": [picture.pk], "post": "yes"})
    assert ArtCard.objects.get().scene_id == "scn_1"
