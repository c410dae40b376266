"""Art cards through REST."""

from __future__ import annotations

import json
import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from episodes.art.actions.cards import prepare_card, record_card
from episodes.art.selectors.cards import get_card
from episodes.campaigns.actions.campaigns import archive_campaign, finish_campaign
from episodes.models import ArtCard
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.factories.campaigns import add_scene, start
from tests.factories.canon import article, publish
from tests.factories.npcs import write_npc
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


def embed(vec, **more):
    return {"model": "text-embedding-3-large", "dims": len(vec), "vec": vec, **more}


@pytest.fixture
def cast(world):
    """An NPC and a place with markers."""
    write_npc(world, name="Li", visual={"must_have": ["scar_left_cheek"], "banned": ["smile"]})
    fields = {"visual_must_have": ["Nine Arches"], "visual_banned": ["snow"]}
    publish(world, article("moon-bridge", fields=fields))
    return world


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


def test_place_named_as_engines_do_has_the_markers_of_its_article(engine, cast, problem):
    place = {"location": ["loc_moon_bridge"]}
    kept = engine.post("art-cards", card(entities=place)).json()["card"]
    assert (kept["added_tags"], kept["entities"]["location"]) == (["nine-arches"], ["loc_moon_bridge"])
    refused = engine.post("art-cards", card("img_2", entities=place, visual_tags=[*TAGS, "Snow"]))
    assert problem(refused, 400, "marker_conflict")["owner"] == "moon-bridge"
    told = engine.get("art-cards/suggest", {"scene_id": "scn_042"}).json()
    assert told["banned"] == [{"tag": "snow", "kind": "location", "owner": "moon-bridge"}]


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
        ({"embedding": [0.5]}, "embedding"),
        ({"embedding": {"model": "m", "dims": 1}}, "embedding"),
        ({"embedding": {"model": "m", "dims": 1, "vec": [0.5], "norm": 1}}, "embedding"),
        ({"embedding": embed([0.5], model="")}, "embedding.model"),
        ({"embedding": embed([0.5], model="a\x00")}, "embedding.model"),
        ({"embedding": embed([0.5], dims="1")}, "embedding.dims"),
        ({"embedding": embed([0.5], dims=1.5)}, "embedding.dims"),
        ({"embedding": embed([], dims=0)}, "embedding.dims"),
        ({"embedding": embed([], dims=1)}, "embedding.vec"),
        ({"embedding": embed([0.5], dims=2)}, "embedding.vec"),
        ({"embedding": embed([0.5, 0.5], dims=1)}, "embedding.vec"),
        ({"embedding": embed([0.5] * 4097)}, "embedding.vec"),
        ({"embedding": embed([0.5] * 4097)}, "embedding.dims"),
        ({"embedding": embed("[0.5]", dims=1)}, "embedding.vec"),
        ({"embedding": embed([0.5, "0.5"])}, "embedding.vec[1]"),
        ({"embedding": embed([0.5, None])}, "embedding.vec[1]"),
        ({"embedding": embed([0.5, True])}, "embedding.vec[1]"),
        ({"embedding": embed([0.5, [0.5]])}, "embedding.vec[1]"),
        ({"embedding": embed([0.5, 1e39])}, "embedding.vec[1]"),
        ({"embedding": embed([0.5, 10**400])}, "embedding.vec[1]"),
    ],
)
def test_violations_name_their_place(engine, problem, change, path):
    refused = problem(engine.post("art-cards", card(**change)), 400, "artcard_invalid")
    assert path in [error["path"] for error in refused["errors"]]


def test_embedding_is_told_with_the_one_card_and_nowhere_else(engine, cast, django_assert_num_queries):
    sent = embed([0.1, -2, 3.5e-12, 0.0, 1e38])
    kept = engine.post("art-cards", card(entities=ENTITIES, embedding=sent))
    assert kept.status_code == 201
    with CaptureQueriesContext(connection) as asked:
        others = [
            kept,
            engine.post("art-cards", card(entities=ENTITIES, embedding=sent)),
            engine.get("art-cards"),
            engine.get("art-cards/suggest", {"scene_id": "scn_042"}),
        ]
    assert [each for each in others if "embedding" in each.content.decode()] == []
    assert [each["sql"] for each in asked if "embedding_vec" in (each["sql"] or "")] == []
    plain = others[2].json()["cards"][0]
    whole = engine.get(f"art-cards/{plain['id']}").json()
    assert whole == {**plain, "embedding": sent}
    for count in (2, 12):
        for number in range(count):
            engine.post("art-cards", card(f"more_{number}", embedding=embed([0.5] * 100)))
        with django_assert_num_queries(1):
            get_card(tenant_id=cast.tenant_id, world_id=cast.pk, card_id=whole["id"])


def test_card_without_an_embedding_has_none(engine):
    made = engine.post("art-cards", card()).json()["card"]
    assert engine.get(f"art-cards/{made['id']}").json() == {**made, "embedding": None}


def test_longest_embedding_comes_back_number_by_number(engine):
    rng = random.Random(37)
    sent = embed([rng.gauss(0, 1) for _ in range(4096)])
    made = engine.post("art-cards", card(embedding=sent)).json()["card"]
    assert engine.get(f"art-cards/{made['id']}").json()["embedding"] == sent


def test_dims_that_do_not_fit_are_told_with_both_numbers(engine, problem):
    refused = problem(engine.post("art-cards", card(embedding=embed([0.5, 0.5], dims=3))), 400, "artcard_invalid")
    assert refused["errors"] == [{"path": "embedding.vec", "message": "holds 2 numbers, but dims says 3"}]


@pytest.mark.parametrize(
    ("number", "code"),
    [("NaN", "parse_error"), ("Infinity", "parse_error"), ("-Infinity", "parse_error"), ("1e999", "artcard_invalid")],
)
def test_what_is_no_finite_number_is_refused(engine, problem, number, code):
    body = json.dumps(card(embedding=embed([0.5, 0.25]))).replace("0.25", number)
    problem(engine.post("art-cards", body), 400, code)
    assert ArtCard.objects.count() == 0


def test_another_embedding_of_the_picture_is_another_card(engine, problem):
    first = engine.post("art-cards", card(embedding=embed([1, 0.5])))
    again = engine.post("art-cards", card(embedding=embed([1.0, 0.5])))
    assert (first.status_code, again.status_code, again.json()["created"]) == (201, 200, False)
    for other in (card(), card(embedding=embed([1, 0.25])), card(embedding=embed([1, 0.5], model="other"))):
        problem(engine.post("art-cards", other), 409, "artcard_taken")


@pytest.mark.parametrize("card_id", ["0", "999", "9" * 30])
def test_unknown_card_is_not_found(engine, problem, card_id):
    problem(engine.get(f"art-cards/{card_id}"), 404, "artcard_not_found")


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
    write_npc(world, name="Li", visual={"banned": ["katana"]})
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
    add_scene(world, summary_id="sum_1", where=where)
    told = engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()
    assert told["must_have"] == ["scar-left-cheek", "nine-arches"]
    assert told["visual_tags"][:2] == ["scar-left-cheek", "nine-arches"]
    assert {each["tag"] for each in told["banned"]} == {"smile", "snow"}
    assert (told["image_ids"], told["style"]["preset"]) == (["old"], "ukiyo-e-modern")
    assert told["style"]["seed"] is None


def test_suggestion_forgets_the_people_of_archived_campaigns_and_of_other_scenes(engine, cast, world):
    campaign = start(world)
    add_scene(world, scene_id="scn_other")
    assert engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()["must_have"] == []
    add_scene(world, summary_id="sum_2")
    shown = engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()
    assert shown["must_have"] == ["scar-left-cheek", "nine-arches"]
    reference = {"tenant_id": world.tenant_id, "world_id": world.pk, "external_id": campaign.external_id}
    finish_campaign(**reference)
    archive_campaign(**reference)
    assert engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()["must_have"] == []


def test_scene_id_of_two_campaigns_means_the_one_played_last(engine, cast, world):
    start(world)
    add_scene(world, minute=5, npcs=[])
    start(world, "camp_2")
    add_scene(world, summary_id="sum_2", campaign_id="camp_2", party_id="pty_2", minute=1)
    assert engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()["must_have"] == ["nine-arches"]
    add_scene(world, summary_id="sum_3", campaign_id="camp_2", party_id="pty_2", minute=9)
    shown = engine.get("art-cards/suggest", {"scene_id": "scn_1"}).json()
    assert shown["must_have"] == ["scar-left-cheek", "nine-arches"]


def test_pictures_of_one_campaign_are_not_shown_in_another_with_the_same_scene(engine, cast, world):
    for campaign_id in ("camp_1", "camp_2"):
        start(world, campaign_id)
    mine, place = ["rain", *TAGS[:4]], {"location": ["moon-bridge"]}
    for card_id, tags, more in (
        ("any", ["fog", *TAGS[:4]], {}),
        ("of_1", mine, {"campaign_id": "camp_1", "style": {"preset": "ink", "seed": 1}, "entities": ENTITIES}),
        ("of_2", ["gore", *TAGS[:4]], {"campaign_id": "camp_2", "style": {"preset": "oil", "seed": 2}}),
        ("before_2", ["ash", *TAGS[:4]], {"campaign_id": "camp_2", "scene_id": "before", "entities": place}),
    ):
        assert engine.post("art-cards", card(card_id, visual_tags=tags, **more)).status_code == 201

    def suggest(**asked):
        told = engine.get("art-cards/suggest", {"scene_id": "scn_042", **asked}).json()
        listed = engine.get("art-cards", {"scene_id": "scn_042", **asked}).json()["cards"]
        assert [each["image_id"] for each in listed] == [each for each in told["image_ids"] if each != "before_2"]
        return told["image_ids"], told["style"], told["entities"]["npc"], "rain" in told["visual_tags"]

    first, second = {"preset": "ink", "seed": 1}, {"preset": "oil", "seed": 2}
    assert suggest(campaign_id="camp_1") == (["of_1", "any"], first, ["npc_LiShen"], True)
    assert suggest(campaign_id="camp_2") == (["of_2", "any"], second, [], False)
    assert suggest() == (["of_2", "of_1", "any", "before_2"], second, ["npc_LiShen"], True)
    assert suggest(campaign_id="camp_none")[0] == ["any"]
    listed = engine.get("art-cards", {"campaign_id": "camp_2"}).json()["cards"]
    assert [(each["image_id"], each["campaign_id"]) for each in listed] == [
        ("before_2", "camp_2"), ("of_2", "camp_2"), ("any", None),
    ]  # fmt: skip


def test_scene_of_a_named_campaign_is_told_by_that_campaigns_summaries(engine, cast, world):
    start(world)
    add_scene(world, minute=1)
    start(world, "camp_2")
    add_scene(world, summary_id="sum_2", campaign_id="camp_2", party_id="pty_2", minute=5, npcs=[])
    asked = {"scene_id": "scn_1", "campaign_id": "camp_1"}
    assert engine.get("art-cards/suggest", asked).json()["entities"]["npc"] == ["npc_LiShen"]
    asked["campaign_id"] = "camp_2"
    assert engine.get("art-cards/suggest", asked).json()["entities"]["npc"] == []


def test_same_picture_of_another_campaign_is_another_card(engine, world, problem):
    for campaign_id in ("camp_1", "camp_2"):
        start(world, campaign_id)
    first, again = (engine.post("art-cards", card(campaign_id="camp_1")) for _ in range(2))
    assert (first.status_code, again.status_code, again.json()["card"]["campaign_id"]) == (201, 200, "camp_1")
    for other in (card(), card(campaign_id="camp_2"), card(campaign_id="camp_none")):
        problem(engine.post("art-cards", other), 409, "artcard_taken")


def test_campaign_that_the_world_does_not_have_is_not_found(make_api, tenant, world, problem):
    engine = make_api("engine", "read", headers={"X-Site-ID": world.slug})
    start(ensure_world(tenant_id=tenant.pk, slug="second"), "camp_there")
    start(ensure_world(tenant_id=ensure_tenant(slug="rival").pk, slug="ashfall"), "camp_theirs")
    for campaign_id in ("camp_none", "camp_there", "camp_theirs"):
        problem(engine.post("art-cards", card(campaign_id=campaign_id)), 404, "campaign_not_found")
    for campaign_id in ("", "a b", "a\x00b", "x" * 121, None, 5):
        problem(engine.post("art-cards", card(campaign_id=campaign_id)), 400, "artcard_invalid")
    assert ArtCard.objects.count() == 0
    for path in ("art-cards", "art-cards/suggest"):
        asked = {"scene_id": "scn_042", "campaign_id": "a b"}
        problem(engine.get(path, asked), 400, "parameter_invalid")


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
    made = engine.post("art-cards", card(entities=ENTITIES)).json()["card"]["id"]
    rival = ensure_tenant(slug="rival")
    ensure_world(tenant_id=rival.pk, slug="ashfall")
    ensure_world(tenant_id=tenant.pk, slug="second")
    for stranger in (make_api("engine", "read", of=rival), make_api("engine", "read", headers={"X-Site-ID": "second"})):
        assert stranger.get("art-cards").json()["cards"] == []
        problem(stranger.get(f"art-cards/{made}"), 404, "artcard_not_found")
        assert stranger.get("art-cards/suggest", {"scene_id": "scn_042"}).json()["image_ids"] == []
        assert stranger.post("art-cards", card(scene_id="mine")).status_code == 201


def test_reader_writes_nothing(api, problem):
    problem(api.post("art-cards", card()), 403, "scope_missing")


COPY = """
    INSERT INTO episodes_artcard (tenant_id, world_id, image_id, scene_id, cdn_url, prompt_text, npc_ids, location_ids,
        visual_tags, added_tags, tag_source, style_preset, is_safe, body_hash, made_at, embedding_model, embedding_vec)
    SELECT tenant_id, world_id, 'x', 's', '', 'p', '{{}}', '{{}}', visual_tags, '{{}}', 'given', 's', true, '', now(),
        {}
    FROM episodes_artcard
"""
CARD_OF_ONE_TAG = """
    INSERT INTO episodes_artcard (tenant_id, world_id, image_id, scene_id, cdn_url, prompt_text, npc_ids, location_ids,
        visual_tags, added_tags, tag_source, style_preset, is_safe, body_hash, made_at)
    SELECT tenant_id, world_id, 'x', 's', '', 'p', '{}', '{}', '{a}', '{}', 'given', 's', true, '', now()
    FROM episodes_artcard
"""
CARD_OF_CAMPAIGN = """
    INSERT INTO episodes_artcard (tenant_id, world_id, image_id, scene_id, campaign_id, cdn_url, prompt_text, npc_ids,
        location_ids, visual_tags, added_tags, tag_source, style_preset, is_safe, body_hash, made_at)
    SELECT tenant_id, world_id, 'x', 's', 'camp_none', '', 'p', '{}', '{}', visual_tags, '{}', 'given', 's', true, '',
        now()
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
        (CARD_OF_CAMPAIGN, "art_card_campaign_known"),
        (COPY.format("'m', NULL"), "art_card_embedding_whole"),
        (COPY.format("'', '{0.5}'"), "art_card_embedding_whole"),
        (COPY.format("'m', '{}'"), "art_card_embedding_whole"),
        (COPY.format("'m', array_fill(0.5::float8, ARRAY[4097])"), "art_card_embedding_whole"),
        (COPY.format("'m', '{0.5,NaN}'"), "art_card_embedding_finite"),
        (COPY.format("'m', '{-Infinity}'"), "art_card_embedding_finite"),
        (COPY.format("'m', '{0.5,NULL}'"), "art_card_embedding_finite"),
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
