"""One edit for all articles that a filter chooses: previewed, then one change request."""

from __future__ import annotations

import pytest

from knowledge.canon.selectors.revisions import read_article
from reviews.change_requests.actions.bulk import create_bulk_edit
from reviews.change_requests.core.bulk_edits import BulkEdit
from reviews.change_requests.selectors.bulk_edits import ArticleFilter, preview_bulk_edit
from reviews.errors import InvalidField, ItemsChanged, NothingToChange
from reviews.lorebooks.core.articles import make_entry
from reviews.models import ChangeRequest
from tests.factories.canon import article
from tests.factories.change_requests import Selmar

pytestmark = pytest.mark.django_db


@pytest.fixture
def city(selmar: Selmar) -> Selmar:
    selmar.publish(
        article("bell", "The bell rings.", type="item", tags=["tower", "old"], fields={"lorebook": ["order=5", "x=1"]}),
        article("gate", "Ворота и колокол.", language="ru", tags=["old"]),
        article("well", "A well.", tags=["water"], audience=["npc:mira"]),
        article("inn", "The inn."),
    )
    return selmar


@pytest.mark.parametrize(
    ("chosen", "slugs"),
    [
        (ArticleFilter(), ["bell", "gate", "inn", "well"]),
        (ArticleFilter(types=("item",)), ["bell"]),
        (ArticleFilter(language="ru"), ["gate"]),
        (ArticleFilter(tags=("old",)), ["bell", "gate"]),
        (ArticleFilter(tags=("old", "tower")), ["bell"]),
        (ArticleFilter(slugs=("well", "inn", "nothing")), ["inn", "well"]),
        (ArticleFilter(text="КОЛОКОЛ"), ["gate"]),
        (ArticleFilter(text="bell", types=("place",)), []),
        (ArticleFilter(book="gate"), []),
    ],
)
def test_a_filter_chooses_by_all_of_its_conditions(city: Selmar, chosen: ArticleFilter, slugs: list[str]):
    preview = preview_bulk_edit(city.index.pk, chosen, BulkEdit(add_tags=("new",)))
    assert [each.slug for each in preview.documents] == slugs


def test_an_edit_changes_what_it_names_and_nothing_else(city: Selmar):
    edit = BulkEdit(
        add_tags=("new", "old"), remove_tags=("tower",), type="place", audience=("npc:oda",), settings=("order=9", "x=")
    )
    request = create_bulk_edit(
        actor=city.editor,
        domain_index_id=city.index.pk,
        chosen=ArticleFilter(slugs=("bell",)),
        edit=edit,
        title="Bells",
    )
    content = request.items.get().content
    live = city.live("bell").revision
    assert (content["tags"], content["type"], content["audience"]) == (["old", "new"], "place", ["npc:oda"])
    assert content["fields"] == {"lorebook": ["order=9"]}
    assert (content["body"], content["title"]) == (live.body, live.title)


def test_an_article_with_its_first_setting_is_still_found_by_its_title(city: Selmar):
    preview = preview_bulk_edit(city.index.pk, ArticleFilter(slugs=("inn",)), BulkEdit(settings=("order=9",)))
    edited = preview.documents[0].article
    assert make_entry(edited).keys == make_entry(read_article(city.live("inn").revision)).keys
    assert make_entry(edited).order == 9


def test_articles_that_have_it_already_are_left_out(city: Selmar):
    preview = preview_bulk_edit(city.index.pk, ArticleFilter(), BulkEdit(add_tags=("old",)))
    assert [each.slug for each in preview.documents] == ["inn", "well"]
    with pytest.raises(NothingToChange):
        create_bulk_edit(
            actor=city.editor,
            domain_index_id=city.index.pk,
            chosen=ArticleFilter(tags=("old",)),
            edit=BulkEdit(add_tags=("old",)),
            title="x",
        )


def test_what_would_not_be_valid_is_named_and_nothing_is_written(city: Selmar):
    preview = preview_bulk_edit(city.index.pk, ArticleFilter(), BulkEdit(add_tags=("two words",)))
    assert preview.problem_count == 4
    before = ChangeRequest.objects.count()
    with pytest.raises(InvalidField) as refused:
        create_bulk_edit(
            actor=city.editor,
            domain_index_id=city.index.pk,
            chosen=ArticleFilter(),
            edit=BulkEdit(add_tags=("two words",)),
            title="x",
        )
    assert "bell" in refused.value.detail
    assert ChangeRequest.objects.count() == before


def test_what_changed_since_the_preview_is_not_swept_along(city: Selmar):
    edit = BulkEdit(add_tags=("new",))
    shown = preview_bulk_edit(city.index.pk, ArticleFilter(), edit).fingerprint
    city.publish(article("inn", "The inn burnt down."))
    with pytest.raises(ItemsChanged):
        create_bulk_edit(
            actor=city.editor,
            domain_index_id=city.index.pk,
            chosen=ArticleFilter(),
            edit=edit,
            title="x",
            expected_fingerprint=shown,
        )
