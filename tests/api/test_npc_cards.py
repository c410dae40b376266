"""NPCs as character cards: the public profile, its book, no secret for a key that only reads."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.files import convert_file, read_document, read_lore_file
from knowledge.lorebooks.png import read_payloads
from npcs.profiles.selectors.profiles import get_profile
from reviews.lorebooks.npc_cards import build_npc_card
from tenancy.actions.worlds import ensure_world
from tests.factories.canon import LORE, publish

SECRET = "she stole the ninth bell"
STATIC = {
    "name": "Mira",
    "persona": "She keeps the bells of Ashfall.",
    "archetype": "keeper",
    "names": {"ru": "Мира"},
    "secrets": [SECRET],
    "lore_refs": ["bell-tower", "hidden-vault"],
}
HIDDEN = ("stolen bells", "ninth bell", "owes nine", "hidden-vault", "Hidden Vault")


@pytest.fixture
def reader(make_api, world):
    publish(world, *LORE)
    assert make_api("engine").put("npcs/mira", {"static": STATIC}).status_code == 201
    return make_api("read")


@pytest.mark.parametrize(("target", "spec"), [("card_v2", "chara_card_v2"), ("card_v3", "chara_card_v3")])
def test_a_card_says_who_the_npc_is_and_what_lore_tells(reader, target, spec):
    answer = reader.get("cards/mira.json", {"target": target})
    assert answer.status_code == 200, answer.content
    document = json.loads(answer.content)
    assert (document["spec"], document["data"]["name"]) == (spec, "Mira")
    assert document["data"]["description"] == STATIC["persona"]
    assert document["data"]["extensions"]["memory37"]["id"] == "mira"
    book = read_document(document).book
    assert [each.memory37_id for each in book.entries] == ["bell-tower", "mira"]
    assert "Grey River" in book.entries[0].content or "grey-river" in book.entries[0].content


def test_a_picture_carries_both_versions(reader):
    answer = reader.get("cards/mira.png")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert set(read_payloads(answer.content)) == {"chara", "ccv3"}
    assert read_lore_file(answer.content).card.name == "Mira"


@pytest.mark.parametrize("path", ["cards/mira.json", "cards/mira.png", "cards/mira/losses"])
def test_a_reading_key_is_told_no_secret(reader, problem, path):
    answer = reader.get(path)
    text = answer.content.decode("latin-1")
    for payload in read_payloads(answer.content).values() if path.endswith("png") else ():
        text += payload.decode()
    assert [each for each in HIDDEN if each in text] == []
    problem(reader.get(path, {"secrets": "true"}), 403, "scope_missing")


def test_an_editor_s_card_has_what_the_npc_alone_may_know(reader, make_api):
    card = read_document(json.loads(make_api("read", "editor").get("cards/mira.json", {"secrets": "true"}).content))
    told = {each.memory37_id or each.content: each for each in card.book.entries}
    assert set(told) == {"bell-tower", "mira", "hidden-vault", SECRET}
    assert told[SECRET].is_constant


def test_losses_name_what_a_card_cannot_say(reader):
    answer = reader.get("cards/mira/losses", {"target": "card_v2"}).json()
    lost = {loss["field"] for loss in answer["losses"] if loss["outcome"] != "kept"}
    assert "npc.names" in lost
    assert (
        int(reader.get("cards/mira.json", {"target": "card_v2"})["X-Lorebook-Losses"])
        == answer["counts"]["dropped"] + (answer["counts"]["approximated"])
    )


@pytest.mark.parametrize("path", ["cards/mira.json", "cards/mira.png"])
def test_an_unchanged_card_is_not_sent_again(reader, make_api, path):
    tag = reader.get(path)["ETag"]
    answer = reader.get(path, If_None_Match=f'"x", W/{tag}')
    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag)
    assert (
        make_api("engine").put("npcs/mira", {"static": {**STATIC, "persona": "Gone."}}, If_Match="1").status_code == 200
    )
    assert reader.get(path, If_None_Match=tag).status_code == 200


def test_an_npc_without_lore_has_a_card_without_a_book(make_api, world):
    make_api("engine").put("npcs/oda", {"static": {"name": "Oda"}})
    document = json.loads(make_api("read").get("cards/oda.json").content)
    assert (document["data"]["name"], "character_book" in document["data"]) == ("Oda", False)


def test_unknown_npcs_and_those_of_other_worlds_are_not_found(reader, make_api, world, problem):
    problem(reader.get("cards/nobody.png"), 404, "npc_not_found")
    ensure_world(tenant_id=world.tenant_id, slug="other")
    other = make_api("read", headers={"X-Site-ID": "other"})
    problem(other.get("cards/mira.json"), 404, "npc_not_found")


def test_an_imported_card_keeps_its_greeting(make_api, world, reader):
    kept = {
        "book": "mira",
        "dialect": "character_book",
        "uid": "card",
        "index": 0,
        "file": {
            "document": {
                "spec": "chara_card_v2",
                "spec_version": "2.0",
                "data": {
                    "name": "Mira",
                    "description": "Old.",
                    "first_mes": "Hush, the bells.",
                    "x": 1,
                    "scenario": "Gone.",
                },
            },
            "path": ["data", "character_book", "entries"],
        },
    }
    mira = {**next(each for each in LORE if each["slug"] == "mira"), "lorebook_origin": kept}
    publish(world, mira)
    data = json.loads(reader.get("cards/mira.json", {"target": "card_v2"}).content)["data"]
    assert (data["first_mes"], data["description"], data["x"]) == ("Hush, the bells.", STATIC["persona"], 1)
    assert data["scenario"] == ""  # which the article does not say any more


def test_queries_do_not_grow_with_the_book(reader, world):
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            profile = get_profile(tenant_id=world.tenant_id, world_id=world.pk, npc_id="mira")
            file = build_npc_card(profile, world_id=world.pk, has_secrets=True)
        assert convert_file(file, FileFormat.CARD_V3).document
        return len(queries)

    few = count()
    more = ({**LORE[5], "slug": f"vault-{number}", "body": "A vault. [[grey-river]]"} for number in range(5))
    publish(world, *more)
    assert count() == few <= 7
