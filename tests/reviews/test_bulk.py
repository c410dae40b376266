"""Search and replace over live articles, and imports as change requests."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from knowledge.canon.core.article import parse_article
from knowledge.canon.models import Publication
from reviews.change_requests.actions.bulk import create_bulk_replace, create_change_requests_from_articles
from reviews.change_requests.selectors.bulk_replace import Replacement, preview_bulk_replace
from reviews.errors import InvalidField, InvalidPattern, ItemsChanged, NothingToChange, SlugInUse
from reviews.models import ChangeRequest, ChangeState
from tests.factories.canon import article
from tests.factories.change_requests import Selmar

pytestmark = pytest.mark.django_db


@pytest.fixture
def city(selmar: Selmar) -> Selmar:
    selmar.publish(
        article("bell", "The Moon Bridge has a bell. moon bridge.", aliases=["Moon bell"]),
        article("gate", "Лунный мост виден от ворот. ЛУННЫЙ мост."),
        article("well", "A well."),
    )
    return selmar


def test_preview_shows_every_hit_with_its_surroundings_and_writes_nothing(city: Selmar):
    requests = ChangeRequest.objects.count()
    preview = preview_bulk_replace(
        city.index.pk,
        Replacement("moon", "Sun", case_sensitive=False, fields=("body", "title", "aliases")),
    )
    assert (preview.document_count, preview.hit_count, preview.problem_count) == (1, 3, 0)
    hits = preview.documents[0].hits
    assert [(hit.field, hit.before, hit.after) for hit in hits] == [
        ("aliases", "Moon", "Sun"),
        ("body", "Moon", "Sun"),
        ("body", "moon", "Sun"),
    ]
    assert (hits[1].context_before, hits[1].context_after[:7]) == ("The ", " Bridge")
    assert ChangeRequest.objects.count() == requests


def test_case_is_folded_in_every_script(city: Selmar):
    fold = Replacement("лунный", "Солнечный", case_sensitive=False)
    assert preview_bulk_replace(city.index.pk, fold).hit_count == 2
    assert preview_bulk_replace(city.index.pk, replace(fold, case_sensitive=True)).hit_count == 0


def test_regex_groups_are_put_in_unharmed_in_any_script(city: Selmar):
    wanted = Replacement(r"(?i)(лунный) (?P<what>мост)", r"\g<what> «\1»", regex=True)
    request = create_bulk_replace(
        actor=city.editor, domain_index_id=city.index.pk, replacement=wanted, title="Rename the bridge"
    )
    item = request.items.get()
    assert item.content["body"] == "мост «Лунный» виден от ворот. мост «ЛУННЫЙ»."
    assert item.base_revision_id == city.live("gate").revision_id
    assert request.state == ChangeState.DRAFT


def test_literal_search_takes_nothing_for_a_pattern(city: Selmar):
    assert preview_bulk_replace(city.index.pk, Replacement(".", r"\1!")).hit_count == 5
    preview = preview_bulk_replace(city.index.pk, Replacement("A well.", r"\1"))
    assert preview.documents[0].article.body == r"\1"


@pytest.mark.parametrize(
    ("search", "replacement"),
    [
        ("", "x"),
        ("(", "x"),
        ("(?=x)", "x"),
        ("x*", "y"),
        (r"\b", "y"),
        ("x", r"\1"),
        ("(x)", r"\g<no>"),
        ("x", r"\q"),
        ("x", "ends with \\"),
        ("x" * 1001, "y"),
        ("x", "y\x00"),
        ("\ud800", "y"),
        ("(((((x{1,100}){1,100}){1,100}){1,100}){1,100}){1,100}", "y"),
    ],
)
def test_hostile_patterns_are_refused(city: Selmar, search: str, replacement: str):
    with pytest.raises(InvalidPattern):
        preview_bulk_replace(city.index.pk, Replacement(search, replacement, regex=True))


def test_pattern_that_would_backtrack_for_ever_is_quick(selmar: Selmar):
    selmar.publish(article("bell", "a" * 20_000 + "!"))
    begun = time.monotonic()
    assert preview_bulk_replace(selmar.index.pk, Replacement(r"(a+)+$x", "b", regex=True)).hit_count == 0
    assert time.monotonic() - begun < 2


def test_request_is_refused_when_live_has_moved_since_the_preview(city: Selmar):
    wanted = Replacement("bell", "gong")
    preview = preview_bulk_replace(city.index.pk, wanted)
    city.publish(article("well", "A well with a bell."))
    with pytest.raises(ItemsChanged):
        create_bulk_replace(
            actor=city.editor,
            domain_index_id=city.index.pk,
            replacement=wanted,
            title="Gong",
            expected_fingerprint=preview.fingerprint,
        )


def test_replacement_that_breaks_an_article_is_shown_and_refused_whole(city: Selmar):
    wanted = Replacement("A well.", "")
    assert preview_bulk_replace(city.index.pk, wanted).problem_count == 1
    before = ChangeRequest.objects.count()
    with pytest.raises(InvalidField) as caught:
        create_bulk_replace(actor=city.editor, domain_index_id=city.index.pk, replacement=wanted, title="Empty it")
    assert caught.value.extra["articles"][0]["slug"] == "well"
    assert ChangeRequest.objects.count() == before


def test_replacement_without_a_hit_makes_no_request(city: Selmar):
    with pytest.raises(NothingToChange):
        create_bulk_replace(
            actor=city.editor, domain_index_id=city.index.pk, replacement=Replacement("zebra", "x"), title="None"
        )


def test_import_updates_creates_and_skips_what_is_the_same(city: Selmar):
    articles = [
        parse_article(article("well", "A well.")),
        parse_article(article("bell", "Another bell.")),
        parse_article(article("tower", "A tower.")),
        parse_article(article("quay", "A quay.")),
    ]
    counts = create_change_requests_from_articles(
        actor=city.editor, domain_index_id=city.index.pk, articles=iter(articles), title="Import", batch_size=3
    )
    assert (counts.created, counts.updated, counts.unchanged) == (2, 1, 1)
    assert len(counts.change_request_ids) == 2
    items = {
        item.slug: item for pk in counts.change_request_ids for item in ChangeRequest.objects.get(pk=pk).items.all()
    }
    assert {slug: item.operation for slug, item in items.items()} == {
        "bell": "update",
        "tower": "create",
        "quay": "create",
    }
    assert items["bell"].base_revision_id == Publication.objects.get(slug="bell").revision_id


def test_import_refuses_a_slug_that_comes_twice(selmar: Selmar):
    twice = [parse_article(article("bell")), parse_article(article("bell", "Else."))]
    with pytest.raises(SlugInUse):
        create_change_requests_from_articles(
            actor=selmar.editor, domain_index_id=selmar.index.pk, articles=twice, title="Import"
        )
    assert ChangeRequest.objects.count() == 0
