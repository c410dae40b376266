"""Documents and rules as readers may see them, in any release."""

from __future__ import annotations

import pytest

from knowledge.canon.actions import Edit
from knowledge.canon.selectors.documents import get_document, list_backlinks, list_documents
from knowledge.canon.selectors.history import diff_releases, get_release, list_history, list_releases
from knowledge.canon.selectors.rules import find_rule
from knowledge.errors import InvalidQuery, UnknownDocument, UnknownDomain, UnknownRelease, UnknownRule
from tests.knowledge.canon.house import Canon, make_article, make_canon

GUILD = ("public", "npc:keeper", "faction:guild")


@pytest.fixture
def linked(canon: Canon) -> Canon:
    canon.publish(
        Edit(None, make_article("tower", "See [[vault]], [[dragon|the worm]] and [[nowhere]].", tags=["north"])),
        Edit(None, make_article("dragon", "Sleeps in the [[tower]].", type="character", language="ru")),
        Edit(None, make_article("vault", "Below the [[tower]].", audience=["faction:guild"])),
        first_load=True,
    )
    return canon


def test_document_has_chunks_with_versions_and_tokens(linked: Canon):
    view = get_document(linked.resolve(), "dragon")
    assert (view.summary.title, view.summary.revision_number, view.release_number) == ("Dragon", 1, 1)
    assert [(chunk.text, chunk.version) for chunk in view.chunks] == [("Sleeps in the [[tower]].", "1.0.0")]
    assert view.token_count == view.chunks[0].token_count > 3


def test_secret_looks_like_nothing_to_those_who_may_not_know_it(linked: Canon):
    release = linked.resolve()
    with pytest.raises(UnknownDocument) as secret:
        get_document(release, "vault")
    with pytest.raises(UnknownDocument) as absent:
        get_document(release, "nowhere")
    assert secret.value.detail.replace("vault", "nowhere") == absent.value.detail
    mentions = {mention.slug: mention.title is not None for mention in get_document(release, "tower").mentions}
    assert mentions == {"vault": False, "dragon": True, "nowhere": False}
    assert [link.slug for link in get_document(release, "tower").backlinks] == ["dragon"]
    assert [row.slug for row in list_documents(release).documents] == ["dragon", "tower"]


@pytest.mark.parametrize("audience", [GUILD, None])
def test_those_who_may_know_a_secret_see_it(linked: Canon, audience):
    release = linked.resolve()
    assert get_document(release, "vault", audience=audience).summary.audience == ("faction:guild",)
    view = get_document(release, "tower", audience=audience)
    assert [(mention.slug, mention.title) for mention in view.mentions] == [
        ("vault", "Vault"),
        ("dragon", "Dragon"),
        ("nowhere", None),
    ]
    assert [link.slug for link in view.backlinks] == ["dragon", "vault"]


def test_old_release_answers_with_the_old_text(linked: Canon):
    linked.publish(linked.edit("dragon", "Flew away."), linked.edit("tower", None))
    assert get_document(linked.resolve(1), "dragon").body == "Sleeps in the [[tower]]."
    assert get_document(linked.resolve(), "dragon").body == "Flew away."
    assert get_document(linked.resolve(1), "tower").summary.slug == "tower"
    with pytest.raises(UnknownDocument):
        get_document(linked.resolve(), "tower")


def test_other_worlds_documents_are_unknown(linked: Canon):
    other = make_canon()
    other.load(sheep="White.")
    with pytest.raises(UnknownDocument):
        get_document(linked.resolve(), "sheep")
    assert list_backlinks(other.resolve(), "tower") == ()


@pytest.mark.parametrize("slug", ["", "a\x00b", "\ud800", "x" * 100_000])
def test_odd_slugs_are_unknown(linked: Canon, slug):
    with pytest.raises(UnknownDocument):
        get_document(linked.resolve(), slug)


def test_documents_are_filtered_and_paged(canon: Canon):
    edits = [
        Edit(None, make_article(f"d-{n}", "Words.", type="place" if n % 2 else "item", tags=[f"t{n}"], language="ru"))
        for n in range(7)
    ]
    canon.publish(*edits, first_load=True)
    release = canon.resolve()
    page = list_documents(release, limit=3)
    assert [row.slug for row in page.documents] == ["d-0", "d-1", "d-2"]
    rest = list_documents(release, limit=4, after=page.next_after)
    assert [row.slug for row in rest.documents] == ["d-3", "d-4", "d-5", "d-6"]
    assert rest.next_after is None
    assert [row.slug for row in list_documents(release, type="place").documents] == ["d-1", "d-3", "d-5"]
    assert [row.slug for row in list_documents(release, tags=["t4"]).documents] == ["d-4"]
    assert [row.slug for row in list_documents(release, title_contains="d 6").documents] == ["d-6"]
    assert list_documents(release, language="en").documents == ()
    with pytest.raises(InvalidQuery):
        list_documents(release, limit=0)


@pytest.mark.parametrize("size", [2, 40])
def test_reads_take_the_same_number_of_queries_at_any_size(canon: Canon, size, django_assert_num_queries):
    canon.load(hub="[[article-0]]", **{f"article_{number}": "See [[hub]]." for number in range(size)})
    release = canon.resolve()
    with django_assert_num_queries(4):
        assert len(get_document(release, "hub").backlinks) == size
    with django_assert_num_queries(1):
        list_documents(release)
    with django_assert_num_queries(3):
        list_releases(world_id=canon.world.pk, domain="lore")


def test_releases_are_listed_with_their_aliases(linked: Canon):
    linked.stage(linked.edit("dragon", "Flew away."), title="Autumn")
    newest, first = list_releases(world_id=linked.world.pk, domain="lore")
    assert (newest.number, newest.title, newest.aliases, newest.state) == (2, "Autumn", ("stage",), "staged")
    assert (first.number, first.aliases, first.document_count) == (1, ("latest",), 3)
    assert get_release(domain_index_id=linked.index.pk, number=2) == newest
    with pytest.raises(UnknownRelease):
        get_release(domain_index_id=linked.index.pk, number=3)
    with pytest.raises(UnknownDomain):
        list_releases(world_id=linked.world.pk, domain="nonsense")


def test_difference_of_two_releases(linked: Canon):
    linked.publish(linked.edit("dragon", "Flew away."), linked.edit("vault", None), linked.edit("gate", "Iron."))
    changes = diff_releases(domain_index_id=linked.index.pk, before=1, after=2)
    assert [(change.slug, change.kind) for change in changes] == [
        ("dragon", "changed"),
        ("gate", "added"),
        ("vault", "removed"),
    ]
    back = diff_releases(domain_index_id=linked.index.pk, before=2, after=1)
    assert [change.kind for change in back] == ["changed", "removed", "added"]
    assert {change.kind for change in diff_releases(domain_index_id=linked.index.pk, before=None, after=1)} == {"added"}


def test_rebuild_is_no_difference(linked: Canon):
    linked.publish(rebuild=True)
    assert diff_releases(domain_index_id=linked.index.pk, before=1, after=2) == ()


def test_history_of_a_document(linked: Canon):
    linked.publish(linked.edit("dragon", "Flew away."))
    entries = list_history(domain_index_id=linked.index.pk, document_id=linked.documents["dragon"])
    assert [(entry.document.revision_number, entry.document.since_release, entry.removed_in) for entry in entries] == [
        (2, 2, None),
        (1, 1, 2),
    ]


RULES = (
    ("grappled-condition", "Grappled [Condition]", {"type": "rule", "rule_id": "COND-01"}),
    ("skhvachennyy", "Схваченный [Состояние]", {"type": "rule", "rule_id": "COND-01", "language": "ru"}),
    ("prone", "Prone", {"type": "rule", "aliases": ["Lying down"]}),
    ("secret-grip", "Secret Grip", {"type": "rule", "rule_id": "X-1", "audience": ["faction:guild"]}),
)


@pytest.fixture
def rules(db) -> Canon:
    canon = make_canon("srd")
    edits = [
        Edit(None, make_article(slug, f"About {title}: speed is 0.", title=title, **rest))
        for slug, title, rest in RULES
    ]
    canon.publish(*edits, first_load=True)
    return canon


@pytest.mark.parametrize(
    ("term", "slug"),
    [
        ("grappled", "grappled-condition"),
        ("Grappled [Condition]", "grappled-condition"),
        ("GRAPPLING", "grappled-condition"),
        ("grappled condition", "grappled-condition"),
        ("grappled-condition", "grappled-condition"),
        ("схваченный", "skhvachennyy"),
        ("Схваченного", "skhvachennyy"),
        ("lying down", "prone"),
    ],
)
def test_rule_is_found_by_its_name(rules: Canon, term, slug):
    found = find_rule(rules.resolve(), term=term)
    assert (found.rule.summary.slug, found.matched_by) == (slug, "name")


def test_rule_is_found_by_search_when_no_name_fits(rules: Canon):
    found = find_rule(rules.resolve(), term="what does prone do to my speed")
    assert (found.rule.summary.slug, found.matched_by) == ("prone", "search")
    assert "secret-grip" not in [row.slug for row in found.candidates]


def test_rule_id_finds_the_translation_asked_for_and_lists_the_other(rules: Canon):
    found = find_rule(rules.resolve(), rule_id="cond-01", language="ru")
    assert found.rule.summary.slug == "skhvachennyy"
    assert [row.slug for row in found.candidates] == ["grappled-condition"]


def test_secret_rule_is_found_by_those_only_who_may_know_it(rules: Canon):
    release = rules.resolve()
    with pytest.raises(UnknownRule):
        find_rule(release, rule_id="X-1")
    assert find_rule(release, rule_id="X-1", audience=GUILD).rule.summary.slug == "secret-grip"
    assert find_rule(release, term="secret grip", audience=None).rule.summary.slug == "secret-grip"


@pytest.mark.parametrize("asked", [{}, {"term": " "}, {"term": "a", "rule_id": "B-1"}, {"term": "x" * 5000}])
def test_lookup_needs_a_term_or_a_number(rules: Canon, asked):
    with pytest.raises(InvalidQuery):
        find_rule(rules.resolve(), **asked)


@pytest.mark.parametrize("asked", [{"rule_id": "NO-9"}, {"rule_id": "a\x00"}, {"term": "qqqzzz"}, {"term": "\x00!"}])
def test_unknown_rule_says_so(rules: Canon, asked):
    with pytest.raises(UnknownRule):
        find_rule(rules.resolve(), **asked)
