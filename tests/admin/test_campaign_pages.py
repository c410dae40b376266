"""Campaigns in the admin: read by members of their tenant, written by nobody."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from episodes.campaigns.selectors.policies import get_summary_ttl_days
from episodes.campaigns.selectors.timeline import list_timeline
from episodes.models import Campaign
from tests.factories.campaigns import add_event, add_scene, start
from tests.factories.npcs import make_npc

pytestmark = pytest.mark.django_db


def play(world, title_word):
    make_npc(world.world)
    campaign = start(world.world)
    told = [{"npc_id": "npc_Oda", "summary_id": "sum_1", "source": "p_A"}]
    add_scene(world.world, flags={"gate": "open"}, notes=f"{title_word} lent the key.")
    add_scene(
        world.world,
        summary_id="sum_2",
        minute=5,
        flags={"gate": "shut"},
        told=told,
        relations_delta=[{"npc_id": "npc_LiShen", "towards": "party", "delta": -1, "reason": "broke a promise"}],
    )
    add_event(world.world, flags={"war": True}, notes="War came.", minute=9)
    return campaign


def test_a_timeline_tells_scenes_flags_and_who_heard_of_what(selmar, rival, sign_in):
    campaign = play(selmar, "Li")
    play(rival, "Zirconium")
    client = sign_in(selmar.owner)
    listed = client.get(reverse("admin:episodes_campaign_changelist")).content.decode()
    assert listed.count("camp_1") == 2
    page = client.get(reverse("admin:episodes_campaign_change", args=[campaign.pk])).content.decode()
    for shown in ("Li lent the key.", "gate: open → shut", "npc_Oda heard of sum_1", "War came.", "npc_LiShen -1"):
        assert shown in page, shown
    assert page.index("War came.") < page.index("Li lent the key.")
    assert "Zirconium" not in page


def test_flags_are_shown_by_pages_each_with_its_party(selmar, sign_in):
    make_npc(selmar.world)
    campaign = start(selmar.world)
    add_scene(selmar.world, flags={f"flag_{number:02}": number for number in range(100)})
    add_event(selmar.world, flags={"flag_99": "of all", "last": True}, minute=2)
    client, url = sign_in(selmar.owner), reverse("admin:episodes_campaign_change", args=[campaign.pk])
    page = client.get(url).content.decode()
    assert ("?flags_after=flag_99" in page, page.count(">campaign</span>")) == (True, 1)
    rest = client.get(url, {"flags_after": "flag_99"}).context
    assert ([flag.name for flag in rest["flags"]], rest["flags_after"]) == (["last"], None)
    assert client.get(url, {"flags_after": "a\x00b"}).status_code == 200


def test_another_tenants_campaign_does_not_exist_and_none_is_written(selmar, rival, sign_in):
    theirs = play(rival, "Zirconium")
    client = sign_in(selmar.owner)
    url = reverse("admin:episodes_campaign_change", args=[theirs.pk])
    assert client.get(url).status_code == 404
    mine = start(selmar.world)
    own = reverse("admin:episodes_campaign_change", args=[mine.pk])
    client.post(own, {"title": "Hacked"})
    assert client.get(reverse("admin:episodes_campaign_add")).status_code == 403
    assert client.post(reverse("admin:episodes_campaign_delete", args=[mine.pk])).status_code == 403
    assert Campaign.objects.get(pk=mine.pk).title == ""
    assert client.get(own, {"before": "1"}).status_code == client.get(own, {"before": "x"}).status_code == 200


def test_owners_set_for_how_long_play_is_remembered(selmar, rival, sign_in):
    place = {"tenant_id": selmar.tenant.pk, "world_id": selmar.world.pk}
    url = reverse("admin:play_policy", args=[selmar.world.pk])
    timeline = reverse("admin:episodes_campaign_change", args=[start(selmar.world).pk])
    for stranger in (selmar.reviewer, selmar.editor, rival.owner):
        client = sign_in(stranger)
        assert client.get(url).status_code == client.post(url, {"summary_ttl_days": 90}).status_code == 404
    assert url not in sign_in(selmar.reviewer).get(timeline).content.decode()
    owner = sign_in(selmar.owner)
    assert url in owner.get(timeline).content.decode()
    assert owner.get(url).context["form"].initial == {"summary_ttl_days": 180}
    for refused in ("89", "181", "x", "", "9" * 30):
        assert owner.post(url, {"summary_ttl_days": refused}).context["form"].errors
    assert get_summary_ttl_days(**place) == 180
    seen = {"row_version": owner.get(url).context["form"]["row_version"].value()}
    owner.post(url, {"summary_ttl_days": "90", **seen})
    late = owner.post(url, {"summary_ttl_days": "120", **seen})
    assert [(each.theirs, each.yours) for each in late.context["form"].conflicts] == [("90", "120")]
    assert get_summary_ttl_days(**place) == 90
    assert "found for 90 days" in owner.get(timeline).content.decode()


@pytest.mark.parametrize("page", ["play_policy", "npc_scale"])
def test_settings_of_a_world_are_compared_under_its_lock(selmar, sign_in, page):
    owner = sign_in(selmar.owner)
    with CaptureQueriesContext(connection) as queries:
        owner.post(reverse(f"admin:{page}", args=[selmar.world.pk]), {})
    told = [query["sql"] for query in queries]
    locks = [place for place, sql in enumerate(told) if "FOR NO KEY UPDATE" in sql and "tenancy_world" in sql]
    reads = [place for place, sql in enumerate(told) if "policy" in sql or "scale" in sql]
    assert locks
    assert reads
    assert locks[0] < reads[0]


@pytest.mark.parametrize("size", [2, 12])
def test_a_timeline_takes_the_same_queries_at_any_size(selmar, size, django_assert_num_queries):
    make_npc(selmar.world)
    campaign = start(selmar.world)
    for number in range(size):
        add_scene(selmar.world, summary_id=f"s{number}", minute=number, flags={f"f{number}": number})
        add_event(selmar.world, event_id=f"e{number}", minute=number, flags={f"g{number}": number})
    with django_assert_num_queries(8):
        assert len(list_timeline(campaign)) == 2 * size
