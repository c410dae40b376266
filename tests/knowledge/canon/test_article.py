"""What an article may hold, and the one form that it is kept in."""

from __future__ import annotations

import pytest

from knowledge.canon.core.article import Article, Relation, parse_article
from knowledge.canon.models import LoreRevision
from knowledge.canon.selectors.revisions import read_article
from knowledge.errors import InvalidArticle
from tests.knowledge.canon.house import Canon

MINIMAL = {"slug": "dragon", "title": "Dragon", "type": "character", "language": "en", "body": "Red."}
FULL = {
    **MINIMAL,
    "tags": ["north"],
    "aliases": ["The Worm"],
    "rule_id": "MON-01",
    "audience": ["npc:keeper", "faction:guild"],
    "fields": {"height_metres": 3.0, "born": "1201-03-04", "home": "[[tower]]", "factions": ["guild"]},
    "field_labels": {"height_metres": ["tall", "рост"]},
    "relations": [{"type": "translation_of", "to": "drakon"}, {"type": "located_in", "to": "north-hills"}],
    "source": "Bestiary, p. 3",
    "body": "Lives in the [[tower|old tower]].\r\n\r\n`[[code]]` Eats [[sheep]] and [[sheep]]. I am [[dragon]].\n",
}


def errors_of(content) -> list[dict[str, str]]:
    with pytest.raises(InvalidArticle) as refusal:
        parse_article(content)
    return refusal.value.extra["errors"]


def test_minimal_article_gets_defaults():
    assert parse_article(MINIMAL) == Article("dragon", "Dragon", "character", "en", "Red.")


def test_full_article_is_read():
    article = parse_article(FULL)
    assert article.relations == (Relation("translation_of", "drakon"), Relation("located_in", "north-hills"))
    assert article.translation_of == "drakon"
    assert article.audience == ("npc:keeper", "faction:guild")
    assert "\r" not in article.body
    assert isinstance(article.fields["height_metres"], int)


def test_content_read_back_is_the_same_article():
    article = parse_article(FULL)
    again = parse_article(article.as_content())
    assert again == article
    assert again.content_hash() == article.content_hash()


def test_order_of_members_does_not_change_the_hash():
    assert parse_article(dict(reversed(FULL.items()))).content_hash() == parse_article(FULL).content_hash()


@pytest.mark.parametrize("member", [name for name in FULL if name != "slug"])
def test_every_member_changes_the_hash(member):
    other = {**FULL, member: MINIMAL.get(member)}
    if member not in MINIMAL:
        del other[member]
    elif FULL[member] == MINIMAL[member]:
        other[member] = {"title": "Other", "type": "place", "language": "ru"}[member]
    assert parse_article(other).content_hash() != parse_article(FULL).content_hash()


def test_mentions_come_from_body_fields_and_relations_once_and_not_from_code():
    assert parse_article(FULL).mentions() == ("tower", "sheep", "drakon", "north-hills")


@pytest.mark.parametrize(
    ("member", "value", "path"),
    [
        ("slug", "Dragon", "slug"),
        ("slug", "dragon\n", "slug"),
        ("slug", "", "slug"),
        ("title", "  ", "title"),
        ("title", "x" * 201, "title"),
        ("type", "Big Type", "type"),
        ("type", "x" * 33, "type"),
        ("language", "english language", "language"),
        ("tags", ["a b"], "tags[0]"),
        ("tags", ["a\x07b"], "tags[0]"),
        ("tags", ["a", "a"], "tags"),
        ("audience", [], "audience"),
        ("audience", "secret", "audience"),
        ("fields", {"Height": 3}, "fields"),
        ("fields", {"height": float("nan")}, "fields.height"),
        ("relations", [{"type": "leads"}], "relations[0]"),
        ("body", "a\x00b", "body"),
        ("body", "a\ud800b", "body"),
        ("body", " \n", "body"),
        ("body", 7, "body"),
    ],
)
def test_bad_member_is_named(member, value, path):
    assert {error["path"] for error in errors_of({**MINIMAL, member: value})} == {path}


def test_all_mistakes_are_named_at_once():
    assert [error["path"] for error in errors_of({**MINIMAL, "slug": "No", "type": "No"})] == ["slug", "type"]


def test_unknown_and_missing_members_are_refused():
    assert "colour" in errors_of({**MINIMAL, "colour": "red"})[0]["message"]
    assert "body" in errors_of({key: value for key, value in MINIMAL.items() if key != "body"})[0]["message"]


@pytest.mark.parametrize("content", [[], "text", None, 7])
def test_what_is_not_an_object_is_refused(content):
    assert len(errors_of(content)) == 1


def test_revision_gives_back_the_article_that_it_was_made_from(canon: Canon):
    from knowledge.canon.actions import Edit

    article = parse_article(FULL)
    canon.publish(Edit(None, article), first_load=True)
    revision = LoreRevision.objects.get(document__domain_index=canon.index)
    assert read_article(revision) == article
    assert read_article(revision).content_hash() == bytes(revision.content_hash)
