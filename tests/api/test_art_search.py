"""Art cards are found by what they show, and suggestions rest on them."""

import pytest
from django.db import IntegrityError, transaction

from episodes import tasks
from episodes.art.actions import passages as art_passages
from episodes.art.actions.cards import prepare_card, record_card
from episodes.art.actions.passages import embed_art_cards, expire_cards, index_missing_cards, renew_vectors
from episodes.art.selectors.search import search_art
from episodes.models import ArtCardPassage
from knowledge.config import get_art_settings, get_episode_settings, get_message_settings
from tests.factories.tenants import make_world


def keep(world, number, prompt, tags, *, scene="scn_9", **more):
    card = {
        "image_id": f"img_{number}",
        "scene_id": scene,
        "prompt_text": prompt,
        "visual_tags": tags,
        "style": {"preset": "woodcut", "seed": number},
        **more,
    }
    return record_card(tenant_id=world.tenant_id, world_id=world.pk, draft=prepare_card(card)).card


@pytest.fixture
def cards(world):
    keep(world, 1, "a ferry at a misty quay", ["mist", "ferry", "lanterns", "black-water", "quay"])
    keep(world, 2, "a dragon over red mountains", ["dragon", "red-sky", "mountains", "fire", "wings"])
    keep(world, 3, "дракон спит в пещере", ["дракон", "пещера", "золото", "тьма", "сон"])
    unsafe = {"safe": False}
    keep(world, 4, "a dragon bites a knight", ["dragon", "blood", "armour", "teeth", "night"], moderation=unsafe)
    return world


def find(api, query, **more):
    response = api.get("art-cards/search", {"q": query, **more})
    assert response.status_code == 200, response.content
    return [hit["card"]["image_id"] for hit in response.json()["hits"]]


def test_cards_are_found_by_their_words_before_and_after_they_have_vectors(api, cards):
    assert find(api, "a misty ferry")[0] == "img_1"
    assert find(api, "драконы")[0] == "img_3", "by its stem"
    report = embed_art_cards(cards.pk)
    assert (report.done, report.failed) == (4, 0)
    assert find(api, "a misty ferry")[0] == "img_1"
    assert set(find(api, "dragon", k=2)) == {"img_2", "img_4"}
    assert len(ArtCardPassage.objects.first().embedding) == get_art_settings().dims


def test_filters_narrow_a_search(api, cards):
    keep(cards, 5, "a dragon on the quay", ["dragon", "quay", "mist", "rope", "dusk"], scene="scn_10")
    assert find(api, "dragon", scene_id="scn_10") == ["img_5"]
    assert find(api, "dragon", location_id="loc_nowhere") == []
    assert api.get("art-cards/search", {"q": ""}).json()["code"] in ("query_empty", "parameter_missing", "invalid")
    assert api.get("art-cards/search", {"q": "x", "k": 51}).status_code == 400


def test_a_filter_leaves_what_words_weigh_as_it_was(cards, django_assert_max_num_queries):
    keep(cards, 5, "a dragon on the quay", ["dragon", "quay", "mist", "rope", "dusk"], scene="scn_10")
    place = {"tenant_id": cards.tenant_id, "world_id": cards.pk, "query": "a dragon at the quay"}
    scores = {hit.card.image_id: hit.score for hit in search_art(**place).hits}
    with django_assert_max_num_queries(4):
        narrowed = search_art(**place, filters={"scene_id": "scn_10"}, only_safe=True).hits
    assert {hit.card.image_id: hit.score for hit in narrowed} == {"img_5": pytest.approx(scores["img_5"])}


def test_unsafe_cards_are_left_out_where_only_safe_ones_are_asked_for(cards):
    place = {"tenant_id": cards.tenant_id, "world_id": cards.pk, "query": "dragon"}
    assert {hit.card.image_id for hit in search_art(**place).hits} == {"img_2", "img_4"}
    assert {hit.card.image_id for hit in search_art(**place, only_safe=True).hits} == {"img_2"}


def test_another_world_and_another_tenant_find_nothing(api, cards):
    for tenant in ("studio", "rival"):
        other = make_world("elsewhere", tenant=tenant)
        keep(other, 1, "a dragon of another world", ["dragon", "sea", "foam", "grey", "storm"])
    found = api.get("art-cards/search", {"q": "dragon"}, X_Site_ID=cards.slug).json()["hits"]
    prompts = {hit["card"]["prompt_text"] for hit in found}
    assert "a dragon over red mountains" in prompts
    assert "a dragon of another world" not in prompts


def test_a_suggestion_rests_on_safe_cards_that_show_what_is_asked(api, cards):
    plain = api.get("art-cards/suggest", {"scene_id": "scn_new"}).json()
    assert plain["image_ids"] == []
    like = api.get("art-cards/suggest", {"scene_id": "scn_new", "query": "a red dragon"}).json()
    assert like["image_ids"][0] == "img_2"
    assert "img_4" not in like["image_ids"], "unsafe"
    assert "dragon" in like["visual_tags"]


def test_older_cards_are_put_into_the_index_and_another_embedder_renews_vectors(cards, monkeypatch):
    ArtCardPassage.objects.all().delete()
    assert index_missing_cards() == 4
    assert index_missing_cards() == 0
    sent = []
    monkeypatch.setattr(tasks.embed_art_cards, "apply_async", lambda args, **_: sent.append(args))
    tasks.sweep_art_cards()
    assert sent == [(cards.pk,)]
    embed_art_cards(cards.pk)
    assert renew_vectors() == 0
    ArtCardPassage.objects.update(embedder="other/1024")
    assert renew_vectors() == 4
    assert embed_art_cards(cards.pk).done == 4


def test_cards_expire_where_the_file_gives_them_days(api, cards, monkeypatch):
    assert expire_cards() == 0
    brief = get_art_settings().model_copy(update={"ttl_days": 90})
    monkeypatch.setattr(art_passages, "get_art_settings", lambda: brief)
    old = {"created_at": "2020-01-01T00:00:00+00:00"}
    keep(cards, 7, "a dragon of old", ["dragon", "ash", "ruin", "smoke", "crow"], **old)
    assert "img_7" in find(api, "a dragon of old")
    assert expire_cards() == 1
    assert index_missing_cards() == 0
    assert "img_7" not in find(api, "a dragon of old")


def test_a_passage_stays_with_its_card(cards):
    other = make_world("elsewhere", tenant="rival")
    with pytest.raises(IntegrityError, match="art_passage_keeps_together"), transaction.atomic():
        ArtCardPassage.objects.update(world_id=other.pk)


def test_each_domain_has_its_own_settings():
    episode, art, messages = get_episode_settings(), get_art_settings(), get_message_settings()
    assert (episode.dims, episode.ttl_days, episode.retrieval.k_vector, episode.filters) == (768, 180, 8, {"party_id"})
    assert (art.dims, art.ttl_days, art.retrieval.k_vector) == (1024, None, 8)
    assert "campaign_id" in art.filters
    assert messages.retrieval.k_vector == 12
