"""Art cards in admin: what they show, where they lead, and that nothing is written there."""

from __future__ import annotations

import pytest
from django.urls import reverse

from episodes.actions.art import prepare_card, record_card
from episodes.models import ArtCard
from tests.admin.test_npc_pages import LI, write
from tests.api.test_art import card, embed
from tests.episodes.play import start, tell
from tests.reviews.world import article

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
    told = tell(selmar.world).summary
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
