"""What a release refuses before anything is built; a refusal changes nothing."""

from __future__ import annotations

import pytest

from knowledge.canon.actions import Edit, discard_release, start_release
from knowledge.canon.models import LoreDocument, LoreRevision, Release, ReleaseEdit
from knowledge.errors import (
    DocumentEditedTwice,
    EmptyRelease,
    NotFirstLoad,
    NotLive,
    ReleaseInProgress,
    SlugTaken,
    StaleBase,
    UnknownDocument,
    UnknownDomain,
)
from tests.knowledge.canon.house import Canon, make_article, make_canon


def refuse(canon: Canon, error: type[Exception], *edits: Edit, **options):
    """Start a release, see it refused and nothing written; the refusal."""
    tables = (Release, ReleaseEdit, LoreDocument, LoreRevision)
    before = [table.objects.count() for table in tables]
    with pytest.raises(error) as caught:
        canon.start(*edits, **options)
    assert [table.objects.count() for table in tables] == before
    return caught.value


def test_second_release_waits_until_the_first_is_published_or_discarded(canon: Canon):
    canon.load(dragon="Red scales.")
    staged = canon.stage(canon.edit("dragon", "Green scales."))
    refusal = refuse(canon, ReleaseInProgress, canon.edit("tower", "Ten floors."))
    assert refusal.extra == {"release": 2, "state": "staged"}
    discard_release(staged.pk)
    assert canon.start(canon.edit("tower", "Ten floors.")).number == 3


def test_stale_base_names_slug_and_both_revisions(canon: Canon):
    canon.load(dragon="Red scales.")
    stale = canon.edit("dragon", "Blue scales.")
    canon.publish(canon.edit("dragon", "Green scales."))
    refusal = refuse(canon, StaleBase, stale)
    assert refusal.extra == {"slug": "dragon", "base_revision": 1, "live_revision": 2}


def test_edit_of_a_live_document_without_a_base_is_stale(canon: Canon):
    canon.load(dragon="Red scales.")
    edit = Edit(canon.documents["dragon"], make_article("dragon", "Blue scales."), None)
    assert refuse(canon, StaleBase, edit).extra["live_revision"] == 1


def test_edit_of_a_retired_document_from_its_last_revision_is_stale(canon: Canon):
    canon.load(dragon="Red scales.", tower="Ten floors.")
    stale = canon.edit("dragon", "Blue scales.")
    canon.publish(canon.edit("dragon", None))
    assert refuse(canon, StaleBase, stale).extra["live_revision"] is None


def test_slug_of_an_untouched_document_is_taken(canon: Canon):
    canon.load(dragon="Red scales.")
    refusal = refuse(canon, SlugTaken, Edit(None, make_article("dragon", "Another.", title="The Other Dragon")))
    assert refusal.extra == {"slug": "dragon", "titles": ["The Other Dragon", "Dragon"]}


def test_two_edits_of_one_release_do_not_share_a_slug(canon: Canon):
    twins = [Edit(None, make_article("dragon", "One.", title=title)) for title in ("A", "B")]
    assert refuse(canon, SlugTaken, *twins).extra["titles"] == ["A", "B"]


def test_slug_that_an_abandoned_release_used_is_free(canon: Canon):
    from knowledge.canon.actions import roll_back

    canon.load(dragon="Red scales.")
    canon.publish(canon.edit("tower", "Ten floors."))
    roll_back(canon.index.pk, to_number=1)
    del canon.documents["tower"]
    canon.publish(canon.edit("tower", "Another tower."))
    assert canon.bodies(3) == {"dragon": "Red scales.", "tower": "Another tower."}


def test_document_is_not_edited_twice(canon: Canon):
    canon.load(dragon="Red scales.")
    refuse(canon, DocumentEditedTwice, canon.edit("dragon", "Blue."), canon.edit("dragon", "Green."))


def test_retired_document_is_not_retired_again(canon: Canon):
    canon.load(dragon="Red scales.", tower="Ten floors.")
    canon.publish(canon.edit("dragon", None))
    refuse(canon, NotLive, canon.edit("dragon", None))


def test_nothing_is_not_retired(canon: Canon):
    refuse(canon, NotLive, Edit(None, None))


def test_document_of_another_world_is_unknown(canon: Canon):
    other = make_canon()
    other.load(dragon="Red scales.")
    edit = Edit(other.documents["dragon"], make_article("dragon", "Mine."), other.edit("dragon", "x").base_revision_id)
    refuse(canon, UnknownDocument, edit)


def test_release_without_edits_is_refused(canon: Canon):
    refuse(canon, EmptyRelease)


def test_rebuild_of_nothing_is_refused(canon: Canon):
    refuse(canon, EmptyRelease, rebuild=True)


def test_first_load_goes_into_an_empty_domain_only(canon: Canon):
    canon.load(dragon="Red scales.")
    refuse(canon, NotFirstLoad, canon.edit("tower", "Ten floors."), first_load=True)


def test_unknown_domain_index_is_refused(db):
    with pytest.raises(UnknownDomain):
        start_release(domain_index_id=10**9, edits=[])


def test_source_that_breaks_off_leaves_nothing(canon: Canon):
    def articles():
        yield Edit(None, make_article("dragon", "Red scales."))
        raise RuntimeError("the file ends here")

    with pytest.raises(RuntimeError):
        start_release(domain_index_id=canon.index.pk, edits=articles(), first_load=True)
    assert not Release.objects.filter(domain_index=canon.index).exists()
    assert not LoreDocument.objects.filter(domain_index=canon.index).exists()


def test_same_article_again_reuses_the_revision(canon: Canon):
    canon.load(dragon="Red scales.")
    edit = canon.edit("dragon", "Green scales.")
    discard_release(canon.stage(edit).pk)
    canon.publish(edit)
    numbers = LoreRevision.objects.filter(document_id=canon.documents["dragon"]).values_list("number", flat=True)
    assert sorted(numbers) == [1, 2]


def test_length_pivot_is_measured_by_the_first_release_and_kept(canon: Canon):
    first = canon.load(short="One two three.", long="One two three four five six seven.")
    second = canon.publish(canon.edit("short", "Word " * 200))
    third = canon.publish(rebuild=True)
    assert 15 < first.length_pivot < 21
    assert second.length_pivot == first.length_pivot
    assert third.length_pivot > 50


@pytest.mark.parametrize("size", [1, 40])
def test_edits_are_written_by_the_same_number_of_queries(canon: Canon, size, django_assert_num_queries):
    edits = [Edit(None, make_article(f"article-{number}", "Words.")) for number in range(size)]
    canon.load(first="Words.")
    with django_assert_num_queries(14):
        start_release(domain_index_id=canon.index.pk, edits=edits)
