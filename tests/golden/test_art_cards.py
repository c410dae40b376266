"""A card in the shape of seed 000, 8.5.3, with every member of it: it is kept, and read back as it was sent."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories.npcs import write_npc

DIMS = 1024
CARD = {
    "image_id": "img_41aa",
    "scene_id": "scn_pier",
    "cdn_url": "https://cdn.example/pictures/img_41aa.webp",
    "prompt_text": "lantern pier at dawn, low fog, ferrywoman with a burnt sleeve, ropes drying on the rail",
    "entities": {"npc": ["npc_Oda"], "location": ["loc_lantern_pier"]},
    "visual_tags": ["dawn", "low-fog", "grey-rose", "wet-rope", "burnt-sleeve"],
    "style": {"preset": "woodcut", "seed": 7041},
    "moderation": {"safe": True},
    "created_at": "2026-03-01T06:12:05Z",
    "embedding": {
        "model": "text-embedding-3-large",
        "dims": DIMS,
        "vec": [((place * 37) % 101 - 50) / 997 for place in range(DIMS)],
    },
}


@pytest.fixture
def engine(make_api, world):
    write_npc(world, "npc_Oda", name="Oda")
    return make_api("engine", "read")


def test_card_of_the_design_is_kept_and_read_back_member_by_member(engine):
    made = engine.post("art-cards", CARD)
    assert made.status_code == 201, made.content
    path = f"/api/v1/art-cards/{made.json()['card']['id']}"
    whole = Client().get(path, headers={"Authorization": f"Bearer {engine.key}"}).json()
    assert {name: whole[name] for name in CARD} == CARD
    again = engine.post("art-cards", CARD)
    assert (again.status_code, again.json()["created"]) == (200, False)
