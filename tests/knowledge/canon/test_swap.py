"""The swap, the way back, the gate and the canary share."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from knowledge.canon.actions import (
    allow_canary,
    discard_release,
    publish_release,
    record_gate,
    roll_back,
    set_canary_percent,
)
from knowledge.canon.models import Alias, CanaryOverride, DomainIndex, GateState, Publication, Release
from knowledge.errors import (
    GateClosed,
    InvalidCanaryShare,
    InvalidGateState,
    ReleaseNotReady,
    StageIsStale,
    UnknownRelease,
)
from tests.database import assert_refused
from tests.knowledge.canon.house import Canon, make_canon


def alias_numbers(canon: Canon) -> dict[str, int]:
    return dict(Alias.objects.filter(domain_index=canon.index).values_list("name", "release__number"))


def test_stage_is_not_seen_by_latest_until_the_swap(canon: Canon):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    assert alias_numbers(canon) == {"latest": 1, "stage": 2}
    record_gate(release.pk, state="passed")
    assert publish_release(release.pk).published_at is not None
    assert alias_numbers(canon) == {"latest": 2}


@pytest.mark.parametrize("gate", ["pending", "running", "failed"])
def test_closed_gate_blocks_the_swap(canon: Canon, gate):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    if gate != "pending":
        record_gate(release.pk, state=gate)
    with pytest.raises(GateClosed):
        publish_release(release.pk)
    assert alias_numbers(canon) == {"latest": 1, "stage": 2}


def test_failed_gate_opens_by_an_override_with_a_reason(canon: Canon):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    record_gate(release.pk, state="failed")
    with pytest.raises(InvalidGateState):
        record_gate(release.pk, state="overridden", reason="  ")
    record_gate(release.pk, state="overridden", reason="The query is wrong.")
    assert publish_release(release.pk).gate_reason == "The query is wrong."


@pytest.mark.parametrize("state", ["overridden", "exempt", "pending", "nonsense"])
def test_gate_does_not_jump(canon: Canon, state):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    with pytest.raises(InvalidGateState):
        record_gate(release.pk, state=state, reason="because")


def test_stage_built_on_what_is_no_longer_live_is_stale(canon: Canon):
    canon.load(dragon="Red scales.")
    canon.publish(canon.edit("dragon", "Green scales."))
    release = canon.stage(canon.edit("dragon", "Blue scales."))
    record_gate(release.pk, state="passed")
    roll_back(canon.index.pk, to_number=1)
    with pytest.raises(StageIsStale) as refusal:
        publish_release(release.pk)
    assert refusal.value.extra == {"base": 2, "live": 1}


def test_release_is_published_once(canon: Canon):
    release = canon.load(dragon="Red scales.")
    with pytest.raises(ReleaseNotReady):
        publish_release(release.pk)


def test_release_that_is_still_building_is_not_published(canon: Canon):
    release = canon.start(canon.edit("dragon", "Red scales."), first_load=True)
    with pytest.raises(ReleaseNotReady):
        publish_release(release.pk)


def test_rollback_goes_to_published_releases_only(canon: Canon):
    canon.load(dragon="Red scales.")
    canon.stage(canon.edit("dragon", "Green scales."))
    with pytest.raises(ReleaseNotReady):
        roll_back(canon.index.pk, to_number=2)
    with pytest.raises(ReleaseNotReady):
        roll_back(canon.index.pk, to_number=1)
    with pytest.raises(UnknownRelease):
        roll_back(canon.index.pk, to_number=7)


def test_rollback_can_be_taken_back(canon: Canon):
    canon.load(dragon="Red scales.")
    canon.publish(canon.edit("dragon", "Green scales."))
    roll_back(canon.index.pk, to_number=1)
    assert roll_back(canon.index.pk, to_number=2).number == 2
    assert alias_numbers(canon) == {"latest": 2}


def test_canary_share_needs_a_stage_and_ends_with_it(canon: Canon):
    canon.load(dragon="Red scales.")
    with pytest.raises(ReleaseNotReady):
        set_canary_percent(canon.index.pk, percent=10)
    release = canon.stage(canon.edit("dragon", "Green scales."))
    record_gate(release.pk, state=GateState.PASSED)
    assert set_canary_percent(canon.index.pk, percent=10).canary_percent == 10
    discard_release(release.pk)
    canon.index.refresh_from_db()
    assert canon.index.canary_percent == 0


@pytest.mark.parametrize("percent", [-1, 100, 101])
def test_canary_share_is_a_percentage(canon: Canon, percent):
    with pytest.raises(InvalidCanaryShare):
        set_canary_percent(canon.index.pk, percent=percent)


@pytest.mark.parametrize("gate", [GateState.PENDING, GateState.RUNNING, GateState.FAILED])
def test_no_session_reads_a_release_whose_gate_is_not_open(canon: Canon, gate: GateState):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    Release.objects.filter(pk=release.pk).update(gate_state=gate)
    with pytest.raises(GateClosed):
        set_canary_percent(canon.index.pk, percent=1)
    with pytest.raises(IntegrityError, match="domain_index_canary_through_gate"), transaction.atomic():
        DomainIndex.objects.filter(pk=canon.index.pk).update(canary_percent=1)
    release.refresh_from_db()
    allow_canary(release, reason="A player waits for the mended riddle.", author="owner")
    assert set_canary_percent(canon.index.pk, percent=99).canary_percent == 99


def test_share_of_all_sessions_is_refused_by_the_database_too(canon: Canon):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    record_gate(release.pk, state=GateState.PASSED)
    with pytest.raises(IntegrityError, match="domain_index_canary_percent_range"), transaction.atomic():
        DomainIndex.objects.filter(pk=canon.index.pk).update(canary_percent=100)


def test_gate_that_closes_again_takes_the_sessions_back_unless_an_owner_said_otherwise(canon: Canon):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    record_gate(release.pk, state=GateState.PASSED)
    set_canary_percent(canon.index.pk, percent=20)
    record_gate(release.pk, state=GateState.RUNNING)
    canon.index.refresh_from_db()
    assert canon.index.canary_percent == 0
    release.refresh_from_db()
    allow_canary(release, reason="Watch it all the same.", author="owner")
    set_canary_percent(canon.index.pk, percent=20)
    record_gate(release.pk, state=GateState.FAILED)
    canon.index.refresh_from_db()
    assert canon.index.canary_percent == 20


def test_share_ends_with_its_stage_past_the_orm(canon: Canon):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    record_gate(release.pk, state=GateState.PASSED)
    set_canary_percent(canon.index.pk, percent=20)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM knowledge_alias WHERE name = 'stage'")
    canon.index.refresh_from_db()
    assert canon.index.canary_percent == 0


def test_word_of_an_owner_has_a_reason_and_stays(canon: Canon):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    with pytest.raises(IntegrityError, match="canary_override_has_reason"), transaction.atomic():
        allow_canary(release, reason="", author="owner")
    allow_canary(release, reason="Because.", author="owner")
    with pytest.raises(IntegrityError, match="canary_override_append_only"), transaction.atomic():
        CanaryOverride.objects.all().delete()


def test_published_release_is_not_discarded(canon: Canon):
    release = canon.load(dragon="Red scales.")
    with pytest.raises(ReleaseNotReady):
        discard_release(release.pk)


@pytest.mark.parametrize("size", [1, 60])
def test_swap_and_rollback_cost_the_same_at_any_size(canon: Canon, size, django_assert_num_queries):
    canon.load(**{f"article_{number}": "Words." for number in range(size)})
    release = canon.stage(*(canon.edit(f"article-{number}", "Other words.") for number in range(size)))
    record_gate(release.pk, state="passed")
    with django_assert_num_queries(13):
        publish_release(release.pk)
    with django_assert_num_queries(9):
        roll_back(canon.index.pk, to_number=1)


def test_database_refuses_a_range_that_is_empty(canon: Canon):
    canon.load(dragon="Red scales.")
    for table in ("publication", "lorepassage"):
        assert_refused("range_not_empty", f"UPDATE knowledge_{table} SET removed_in = added_in")


def test_database_refuses_two_open_publications_of_a_slug_or_a_document(canon: Canon):
    canon.load(dragon="Red scales.", tower="Ten floors.")
    row = Publication.objects.get(domain_index=canon.index, slug="dragon")
    columns = "tenant_id, domain_index_id, document_id, revision_id, {}, title, type, names, rule_id, audience"
    columns += ", tags, mentions"
    for constraint, slug, document in (
        ("publication_slug_unique_when_open", "slug", canon.documents["tower"]),
        ("publication_one_open_per_document", "'another'", row.document_id),
    ):
        chosen = columns.format(slug).replace("document_id", str(document), 1)
        assert_refused(
            constraint,
            f"INSERT INTO knowledge_publication ({columns.format('slug')}, added_in) SELECT {chosen}, 2 "
            "FROM knowledge_publication WHERE id = %s",
            [row.pk],
        )


def test_database_refuses_a_second_stage(canon: Canon):
    canon.load(dragon="Red scales.")
    canon.stage(canon.edit("dragon", "Green scales."))
    assert_refused(
        "release_one_stage_at_a_time",
        "UPDATE knowledge_release SET state = 'building' WHERE domain_index_id = %s AND number = 1",
        [canon.index.pk],
    )


def test_database_refuses_to_publish_past_the_gate(canon: Canon):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    assert_refused(
        "release_published_through_gate",
        "UPDATE knowledge_release SET state = 'published', published_at = now() WHERE id = %s",
        [release.pk],
    )


def test_database_refuses_latest_on_a_release_that_is_not_published(canon: Canon):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    assert_refused(
        "alias_latest_is_published",
        "UPDATE knowledge_alias SET release_id = %s WHERE domain_index_id = %s AND name = 'latest'",
        [release.pk, canon.index.pk],
    )


def test_database_refuses_an_alias_to_another_worlds_release(canon: Canon):
    canon.load(dragon="Red scales.")
    foreign = make_canon().load(dragon="Blue scales.")
    assert_refused(
        "alias_release_same_domain_index",
        "UPDATE knowledge_alias SET release_id = %s WHERE domain_index_id = %s",
        [foreign.pk, canon.index.pk],
    )


def test_database_refuses_to_change_a_revision(canon: Canon):
    canon.load(dragon="Red scales.")
    assert_refused("revision_is_immutable", "UPDATE knowledge_lorerevision SET body = 'Other.'")
    assert Release.objects.filter(domain_index=canon.index).count() == 1
