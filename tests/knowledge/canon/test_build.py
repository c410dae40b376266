"""A build may be killed at any point, run twice at once, or be overtaken by a discard."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from knowledge.canon.actions import (
    Edit,
    batch_writes,
    build,
    build_release,
    discard_release,
    publish_release,
    record_gate,
    retry_release,
    roll_back,
)
from knowledge.canon.models import Release, ReleaseEdit
from knowledge.errors import ReleaseNotReady
from tests.knowledge.canon.house import Canon, make_article, make_canon

EXPECTED = {"dragon": "Blue scales.", "tower": "Nine floors.", "gate": "Iron.", "moat": "Water."}


class Killed(BaseException):
    """As SIGKILL: nothing of ours catches it."""


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(build, "EDITS_A_BATCH", 1)


def prepare(canon: Canon) -> Release:
    """A release of five edits on a rolled-back base, started and not yet built."""
    canon.load(dragon="Red scales.", tower="Ten floors.", well="Deep water.")
    canon.publish(canon.edit("dragon", "Green scales."), canon.edit("well", None))
    roll_back(canon.index.pk, to_number=1)
    return canon.start(
        canon.edit("dragon", "Blue scales."),
        canon.edit("tower", "Nine floors."),
        canon.edit("well", None),
        canon.edit("gate", "Iron."),
        canon.edit("moat", "Water."),
    )


def finish(canon: Canon, release: Release) -> None:
    """Build to the end; the release is as one built in one go."""
    built = build_release(release.pk)
    assert (built.state, built.edits_done) == ("staged", 5)
    canon.check({1: canon.bodies(1), 2: {"dragon": "Green scales.", "tower": "Ten floors."}, 3: EXPECTED})


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("step", ["undo_abandoned_releases", "plan_batch", "write_batch", "_finish"])
@pytest.mark.parametrize("call", [0, 2])
def test_killed_build_is_resumed(canon: Canon, monkeypatch, step, call):
    release = prepare(canon)
    whole, calls = getattr(build, step), []

    def die(*arguments, **options):
        calls.append(step)
        if len(calls) > call:
            raise Killed
        return whole(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(build, step, die)
        if call and step in {"undo_abandoned_releases", "_finish"}:
            build_release(release.pk)
        else:
            with pytest.raises(Killed):
                build_release(release.pk)
            assert canon.bodies(1) == {"dragon": "Red scales.", "tower": "Ten floors.", "well": "Deep water."}
    finish(canon, release)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("step", ["copy_passages", "_add_lexeme_counts", "_close_passages"])
def test_build_killed_inside_a_batch_leaves_nothing_of_it(canon: Canon, monkeypatch, step):
    release = prepare(canon)
    with monkeypatch.context() as patch:
        patch.setattr(batch_writes, step, lambda *_: (_ for _ in ()).throw(Killed()))
        with pytest.raises(Killed):
            build_release(release.pk)
        before = canon.rows()
        with pytest.raises(Killed):
            build_release(release.pk)
        assert canon.rows() == before
    finish(canon, release)


def test_staged_release_is_not_built_again(canon: Canon):
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    before = canon.rows()
    assert build_release(release.pk).pk == release.pk
    assert canon.rows() == before


def test_progress_is_told_after_each_batch(canon: Canon, small_batches):
    told: list[tuple[int, int]] = []
    build_release(prepare(canon).pk, on_progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


@pytest.mark.usefixtures("small_batches")
def test_discard_stops_a_build_under_way(canon: Canon):
    canon.load(dragon="Red scales.")
    before = canon.rows()
    release = canon.start(canon.edit("gate", "Iron."), canon.edit("moat", "Water."))
    with pytest.raises(ReleaseNotReady):
        build_release(release.pk, on_progress=lambda *_: discard_release(release.pk))
    assert canon.rows() == before
    release.refresh_from_db()
    assert (release.state, release.error) == ("discarded", "")


def test_failures_without_progress_use_up_the_attempts_and_a_retry_goes_on(canon: Canon, monkeypatch):
    release = prepare(canon)
    with monkeypatch.context() as patch:
        patch.setattr(build, "plan_batch", lambda *_: (_ for _ in ()).throw(RuntimeError("broken\x00disk")))
        for state in ("building", "building", "failed"):
            with pytest.raises(RuntimeError):
                build_release(release.pk)
            release.refresh_from_db()
            assert (release.state, release.error) == (state, "RuntimeError: brokendisk")
        with pytest.raises(ReleaseNotReady):
            build_release(release.pk)
    retry_release(release.pk)
    finish(canon, release)


def test_only_a_failed_release_is_retried(canon: Canon):
    with pytest.raises(ReleaseNotReady):
        retry_release(canon.load(dragon="Red scales.").pk)


def in_threads(*works) -> list[object]:
    """What each work returned or raised, all run at once, each on its own connection."""
    barrier = threading.Barrier(len(works))

    def run(work):
        barrier.wait(10)
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        futures = [pool.submit(run, work) for work in works]
    return [future.exception() or future.result() for future in futures]


@pytest.mark.django_db(transaction=True)
def test_two_builders_at_once_build_one_release(monkeypatch):
    monkeypatch.setattr(build, "EDITS_A_BATCH", 2)
    canon = make_canon()
    canon.load(**{f"article_{number}": "Words." for number in range(10)})
    release = canon.start(*(canon.edit(f"article-{number}", f"Other words {number}.") for number in range(10)))
    outcomes = in_threads(*[lambda: build_release(release.pk).state] * 2)
    assert outcomes == ["staged", "staged"]
    assert not ReleaseEdit.objects.filter(release=release, state="pending").exists()
    canon.check({2: {f"article-{number}": f"Other words {number}." for number in range(10)}})


@pytest.mark.django_db(transaction=True)
def test_two_swaps_at_once_publish_once():
    canon = make_canon()
    canon.load(dragon="Red scales.")
    release = canon.stage(canon.edit("dragon", "Green scales."))
    record_gate(release.pk, state="passed")
    outcomes = in_threads(*[lambda: publish_release(release.pk).number] * 2)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["ReleaseNotReady", "int"]


@pytest.mark.django_db(transaction=True)
def test_two_starts_at_once_make_one_release():
    canon = make_canon()
    works = [
        lambda slug=slug: canon.start(Edit(None, make_article(slug, "Words.")), first_load=True).number
        for slug in ("one", "two")
    ]
    outcomes = in_threads(*works)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["ReleaseInProgress", "int"]


def test_a_changed_field_raises_the_major_version_though_the_words_stay(canon: Canon):
    def versions(number):
        rows = canon.passages(number).order_by("document__id", "chunk__ordinal")
        return list(rows.values_list("chunk__version", flat=True))

    text = "An old bridge of grey stone."
    first = canon.publish(canon.edit("bridge", text, fields={"arches": 9}), first_load=True)
    assert versions(first.number) == ["1.0.0"]
    wider = canon.publish(canon.edit("bridge", text, fields={"arches": 12}))
    assert versions(wider.number) == ["2.0.0"], "9 to 12 arches"
    assert versions(first.number) == ["1.0.0"]
    same = canon.publish(canon.edit("bridge", text, fields={"arches": 12}, tags=["seen"]))
    assert versions(same.number) == ["2.0.1"]
    gained = canon.publish(canon.edit("bridge", text, fields={"arches": 12, "toll": True}, tags=["seen"]))
    assert versions(gained.number) == ["3.0.0"]
    worded = canon.publish(canon.edit("bridge", f"{text} It sways.", fields={"arches": 12, "toll": True}))
    assert versions(worded.number) == ["3.1.0"]
    assert {bytes(row.embedding_hash) for row in canon.passages(first.number)} == {
        bytes(row.embedding_hash) for row in canon.passages(gained.number)
    }, "nothing was embedded again"
