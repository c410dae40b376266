"""Art cards through the REST door."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, connections, transaction

from episodes.actions.art import prepare_card, record_card
from episodes.actions.campaigns import archive_campaign, finish_campaign
from episodes.models import ArtCard
from npcs.actions import write_profile
from npcs.core.profiles import parse_profile
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.api.canon import article, load
from tests.episodes.play import start, tell
from tests.loopback_openai import serve_openai

TAGS = ["Moonlight", "mist", "blue gold", "katana", "lantern"]


def card(image_id="img_1", **more):
    return {
        "image_id": image_id,
        "scene_id": "scn_042",
        "prompt_text": "moonlit bridge, mist, ronin with scar on left cheek, paper lanterns, black water",
        "style": {"preset": "ukiyo-e-modern", "seed": 12345},
        "visual_tags": TAGS,
        **more,
    }


@pytest.fixture
def engine(make_api, world):
    return make_api("engine", "read")


@pytest.fixture
def cast(world):
    """An NPC and a place with markers."""
    content = {
        "npc_id": "npc_LiShen",
        "static": {"name": "Li", "visual": {"must_have": ["scar_left_cheek"], "banned": ["smile"]}},
    }
    write_profile(tenant_id=world.tenant_id, world_id=world.pk, profile=parse_profile(content), author="test")
    fields = {"visual_must_have": ["Nine Arches"], "visual_banned": ["snow"]}
    load(world, "lore", article("moon-bridge", fields=fields))


ENTITIES = {"npc": ["npc_LiShen"], "location": ["moon-bridge"]}


def test_card_is_kept_with_its_missing_markers_added(engine, cast):
    answer = engine.post("art-cards", card(entities=ENTITIES))
    assert answer.status_code == 201
    kept = answer.json()["card"]
    assert kept["visual_tags"] == [
        "scar-left-cheek", "nine-arches", "moonlight", "mist", "blue-gold", "katana", "lantern",
    ]  # fmt: skip
    assert kept["added_tags"] == ["scar-left-cheek", "nine-arches"]
    assert engine.get("art-cards", {"scene_id": "scn_042"}).json()["cards"] == [kept]


@pytest.mark.parametrize(
    ("tag", "owner", "kind"), [("Smile", "npc_LiShen", "npc"), ("snow", "moon-bridge", "location")]
)
def test_banned_marker_is_refused_by_name(engine, cast, problem, tag, owner, kind):
    refused = problem(
        engine.post("art-cards", card(entities=ENTITIES, visual_tags=[*TAGS, tag])), 400, "marker_conflict"
    )
    assert (refused["marker"], refused["owner"], refused["owner_kind"]) == (tag.casefold(), owner, kind)
    assert ArtCard.objects.count() == 0


def test_tags_of_the_text_serve_where_none_are_given(engine, cast):
    answer = engine.post("art-cards", card(visual_tags=[])).json()
    assert (answer["card"]["tag_source"], answer["degraded"]) == ("keywords", [])
    assert answer["card"]["visual_tags"][:2] == ["moonlit-bridge", "mist"]


def test_tags_are_asked_of_the_model_and_keywords_stand_in_for_it(engine, settings):
    settings.CHAT_MODEL = "painter"
    said = '{"tags": ["moon light", "mist", "gold", "stone", "water", 7]}'
    with serve_openai(chat=lambda _: said) as server:
        settings.OPENAI_BASE_URL = server.url
        told = engine.post("art-cards", card(visual_tags=["mist"])).json()["card"]
        assert (told["tag_source"], told["visual_tags"]) == ("model", ["mist", "moon-light", "gold", "stone", "water"])
        assert len(server.requests) == 1
        engine.post("art-cards", card("img_2"))
        assert len(server.requests) == 1
        server.status = 500
        answer = engine.post("art-cards", card("img_3", visual_tags=[])).json()
        assert (answer["card"]["tag_source"], answer["degraded"]) == ("keywords", ["model_unavailable"])


def test_repeat_is_harmless_and_another_card_of_the_picture_is_refused(engine, problem):
    first = engine.post("art-cards", card())
    again = engine.post("art-cards", card())
    assert (first.status_code, again.status_code, again.json()["created"]) == (201, 200, False)
    assert first.json()["card"] == again.json()["card"]
    problem(engine.post("art-cards", card(scene_id="other")), 409, "artcard_taken")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"style": {}}, "style"),
        ({"image_id": ""}, "image_id"),
        ({"image_id": "a\x00"}, "image_id"),
        ({"prompt_text": " "}, "prompt_text"),
        ({"visual_tags": ["x"] * 9}, "visual_tags"),
        ({"cdn_url": "javascript:alert(1)"}, "cdn_url"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"moderation": {"safe": "yes"}}, "moderation.safe"),
        ({"visual_tags": ["a", "b"], "prompt_text": "fog"}, "visual_tags"),
        ({"colour": 1}, ""),
    ],
)
def test_violations_name_their_place(engine, problem, change, path):
    refused = problem(engine.post("art-cards", card(**change)), 400, "artcard_invalid")
    assert path in [error["path"] for error in refused["errors"]]


def test_unknown_npc_is_named(engine, problem):
    problem(engine.post("art-cards", card(entities={"npc": ["nobody"]})), 404, "npc_not_found")


def test_huge_card_is_refused(engine):
    assert engine.post("art-cards", card(prompt_text="x" * 10_000_000)).status_code == 413


def test_suggestion_rests_on_the_scene_then_on_its_people_and_places(engine, cast):
    engine.post("art-cards", card("old", scene_id="before", entities=ENTITIES, visual_tags=["rain", *TAGS[:4]]))
    engine.post(
        "art-cards", card("unsafe", entities=ENTITIES, visual_tags=["gore", *TAGS[:4]], moderation={"safe": False})
    )
    engine.post("art-cards", card("new", entities=ENTITIES))
    told = engine.get("art-cards/suggest", {"scene_id": "scn_042"}).json()
    assert told["visual_tags"][:2] == told["must_have"] == ["scar-left-cheek", "nine-arches"]
    assert "gore" not in told["visual_tags"]
    assert told["style"] == {"preset": "ukiyo-e-modern", "seed": 12345}
    assert {(each["tag"], each["owner"]) for each in told["banned"]} == {
        ("smile", "npc_LiShen"),
        ("snow", "moon-bridge"),
    }
    assert told["image_ids"] == ["new", "old"]
    assert len(told["visual_tags"]) <= 8


def test_marker_banned_later_is_not_suggested(engine, cast, world):
    engine.post("art-cards", card(entities=ENTITIES))
    content = {"npc_id": "npc_LiShen", "static": {"name": "Li", "visual": {"banned": ["katana"]}}}
    write_profile(tenant_id=world.tenant_id, world_id=world.pk, profile=parse_profile(content), author="test")
    told = engine.get("art-cards/suggest", {"scene_id": "scn_042"}).json()
    assert "katana" not in told["visual_tags"]


def test_scene_without_cards_gets_an_empty_suggestion(engine, problem):
    told = engine.get("art-cards/suggest", {"scene_id": "none"}).json()
    assert (told["visual_tags"], told["style"]) == ([], {"preset": None, "seed": None})
    problem(engine.get("art-cards/suggest"), 400, "parameter_missing")


def test_scene_without_a_card_is_told_by_its_summaries(engine, cast, world):
    engine.post("art-cards", card("old", scene_id="before", entities=ENTITIES, visual_tags=["rain", *TAGS[:4]]))
    start(world)
    where = {"location_id": "moon-bridge", "tags": []}
    tell(world, summary_id="sum_1", where=where)
    told = engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()
    assert told["must_have"] == ["scar-left-cheek", "nine-arches"]
    assert told["visual_tags"][:2] == ["scar-left-cheek", "nine-arches"]
    assert {each["tag"] for each in told["banned"]} == {"smile", "snow"}
    assert (told["image_ids"], told["style"]["preset"]) == (["old"], "ukiyo-e-modern")
    assert told["style"]["seed"] is None


def test_suggestion_forgets_the_people_of_archived_campaigns_and_of_other_scenes(engine, cast, world):
    campaign = start(world)
    tell(world, scene_id="scn_other")
    assert engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()["must_have"] == []
    tell(world, summary_id="sum_2")
    assert engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()["must_have"] == ["scar-left-cheek"]
    reference = {"tenant_id": world.tenant_id, "world_id": world.pk, "external_id": campaign.external_id}
    finish_campaign(**reference)
    archive_campaign(**reference)
    assert engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()["must_have"] == []


def test_scene_id_of_two_campaigns_means_the_one_played_last(engine, cast, world):
    start(world)
    tell(world, minute=5, npcs=[])
    start(world, "camp_2")
    tell(world, summary_id="sum_2", campaign_id="camp_2", party_id="pty_2", minute=1)
    assert engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()["must_have"] == []
    tell(world, summary_id="sum_3", campaign_id="camp_2", party_id="pty_2", minute=9)
    assert engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()["must_have"] == ["scar-left-cheek"]


def test_reads_take_as_many_queries_whatever_the_size(engine, cast, django_assert_max_num_queries):
    for count in (2, 15):
        for number in range(count):
            engine.post("art-cards", card(f"img_{number}", entities=ENTITIES))
        with django_assert_max_num_queries(3):
            engine.get("art-cards")
        with django_assert_max_num_queries(8):
            engine.get("art-cards/suggest", {"scene_id": "scn_042"})


def test_cards_are_paged(engine):
    for number in range(3):
        engine.post("art-cards", card(f"img_{number}"))
    page = engine.get("art-cards", {"limit": 2}).json()
    rest = engine.get("art-cards", {"limit": 2, "before": page["next_before"]}).json()
    assert [each["image_id"] for each in page["cards"] + rest["cards"]] == ["img_2", "img_1", "img_0"]


def test_another_tenant_and_another_world_see_nothing(make_api, engine, tenant, cast, problem):
    engine.post("art-cards", card(entities=ENTITIES))
    rival = ensure_tenant(slug="rival")
    ensure_world(tenant_id=rival.pk, slug="ashfall")
    ensure_world(tenant_id=tenant.pk, slug="second")
    for stranger in (make_api("engine", "read", of=rival), make_api("engine", "read", headers={"X-Site-ID": "second"})):
        assert stranger.get("art-cards").json()["cards"] == []
        assert stranger.get("art-cards/suggest", {"scene_id": "scn_042"}).json()["image_ids"] == []
        assert stranger.post("art-cards", card(scene_id="mine")).status_code == 201


def test_reader_writes_nothing(api, problem):
    problem(api.post("art-cards", card()), 403, "scope_missing")


CARD_OF_ONE_TAG = """
    INSERT INTO episodes_artcard (tenant_id, world_id, image_id, scene_id, cdn_url, prompt_text, npc_ids, location_ids,
        visual_tags, added_tags, tag_source, style_preset, is_safe, body_hash, made_at)
    SELECT tenant_id, world_id, 'x', 's', '', 'p', '{}', '{}', '{a}', '{}', 'given', 's', true, '', now()
    FROM episodes_artcard
"""


@pytest.mark.parametrize(
    ("statement", "constraint"),
    [
        ("UPDATE episodes_artcard SET scene_id = 'x'", "art_card_stays"),
        (
            CARD_OF_ONE_TAG,
            "art_card_tags_enough",
        ),
    ],
)
def test_database_refuses_what_a_card_cannot_be(engine, statement, constraint):
    engine.post("art-cards", card())
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.django_db(transaction=True)
def test_twins_of_one_card_become_one(transactional_db):
    tenant = ensure_tenant(slug="studio")
    world = ensure_world(tenant_id=tenant.pk, slug="ashfall")
    draft = prepare_card(card())
    barrier = threading.Barrier(4)

    def write():
        try:
            barrier.wait(10)
            return record_card(tenant_id=tenant.pk, world_id=world.pk, draft=draft).created
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        made = [future.result(30) for future in [pool.submit(write) for _ in range(4)]]
    assert sorted(made) == [False, False, False, True]
    assert ArtCard.objects.count() == 1
