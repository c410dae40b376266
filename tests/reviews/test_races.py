"""Two at once, over two connections: one wins, the other is told why not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections, transaction

from knowledge.canon.models import Release, ReleaseState
from knowledge.errors import ReleaseInProgress, ReleaseNotReady
from memoryproject.errors import DomainError
from reviews import tasks
from reviews.change_requests.actions.drafts import save_item
from reviews.change_requests.actions.review import approve_change_request, submit_change_request
from reviews.change_requests.selectors.items import get_items_hash
from reviews.errors import ItemsFrozen, NothingToStage, StaleItems, WrongState
from reviews.models import AuditEntry, ChangeState
from reviews.releases.actions.releases import roll_back_release, swap_release
from reviews.releases.actions.stage import stage_approved
from tests.factories.canon import article
from tests.factories.change_requests import Selmar, make_selmar

pytestmark = pytest.mark.django_db(transaction=True)
WAIT_SECONDS = 20
BLOCKED_BY_ME = """
    SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
"""


@pytest.fixture
def selmar(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Selmar:
    monkeypatch.setattr(tasks.stage_release, "delay", lambda _release_id: None)
    return make_selmar()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


def run_apart(pool: ThreadPoolExecutor, action: Callable[[], Any]) -> Future[Any]:
    """The action on a thread with a connection of its own; its domain error is its result."""

    def call() -> Any:
        try:
            return action()
        except DomainError as error:
            return error
        finally:
            connections.close_all()

    return pool.submit(call)


def run_both(pool: ThreadPoolExecutor, one: Callable[[], Any], two: Callable[[], Any]) -> tuple[Any, Any]:
    """What came of two actions that start at the same moment."""
    barrier = threading.Barrier(2)

    def after_barrier(action: Callable[[], Any]) -> Callable[[], Any]:
        def call() -> Any:
            barrier.wait(WAIT_SECONDS)
            return action()

        return call

    futures = [run_apart(pool, after_barrier(action)) for action in (one, two)]
    return futures[0].result(WAIT_SECONDS), futures[1].result(WAIT_SECONDS)


def wait_until_blocked(future: Future[Any]) -> None:
    """Return once another connection waits for a lock of this one; fail if the action ends without waiting."""
    for _ in range(WAIT_SECONDS * 20):
        assert not future.done(), future.result()
        with connection.cursor() as cursor:
            cursor.execute(BLOCKED_BY_ME)
            if cursor.fetchone()[0]:
                return
        threading.Event().wait(0.05)
    raise AssertionError("the action never waited")


def test_two_approvals_at_once_leave_one(selmar: Selmar, pool: ThreadPoolExecutor):
    request = selmar.submitted(article("bell"))
    outcomes = run_both(
        pool,
        lambda: selmar.approve(request, selmar.reviewer),
        lambda: selmar.approve(request, selmar.owner),
    )
    assert sorted(isinstance(outcome, WrongState) for outcome in outcomes) == [False, True]
    assert AuditEntry.objects.filter(action="change_request.approved").count() == 1


def test_edit_waits_for_the_submission_and_finds_the_items_frozen(selmar: Selmar, pool: ThreadPoolExecutor):
    request = selmar.draft(article("bell"))
    item = request.items.get()
    with transaction.atomic():
        submit_change_request(actor=selmar.editor, change_request_id=request.pk)
        edit = run_apart(
            pool,
            lambda: save_item(
                actor=selmar.editor, change_request_id=request.pk, item_id=item.pk, content=article("bell", "Late.")
            ),
        )
        wait_until_blocked(edit)
    assert isinstance(edit.result(WAIT_SECONDS), ItemsFrozen)


def test_approval_waits_for_a_swap_and_sees_what_it_made_stale(selmar: Selmar, pool: ThreadPoolExecutor):
    selmar.publish(article("bell", "One."))
    request = selmar.submitted(article("bell", "Mine."))
    _, release = selmar.staged(article("bell", "Theirs."))
    with transaction.atomic():
        swap_release(actor=selmar.reviewer, release_id=release.pk)
        approval = run_apart(pool, lambda: selmar.approve(request))
        wait_until_blocked(approval)
    assert isinstance(approval.result(WAIT_SECONDS), StaleItems)


def test_swap_waits_for_an_approval_under_way(selmar: Selmar, pool: ThreadPoolExecutor):
    selmar.publish(article("bell", "One."))
    request = selmar.submitted(article("bell", "Mine."))
    _, release = selmar.staged(article("bell", "Theirs."))
    with transaction.atomic():
        approve_change_request(
            actor=selmar.reviewer, change_request_id=request.pk, expected_items_hash=get_items_hash(request)
        )
        swap = run_apart(pool, lambda: swap_release(actor=selmar.reviewer, release_id=release.pk))
        wait_until_blocked(swap)
    assert isinstance(swap.result(WAIT_SECONDS), Release)
    with pytest.raises(StaleItems):
        stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk)


def test_two_swaps_at_once_leave_one(selmar: Selmar, pool: ThreadPoolExecutor):
    request, release = selmar.staged(article("bell"))
    outcomes = run_both(
        pool,
        lambda: swap_release(actor=selmar.reviewer, release_id=release.pk),
        lambda: swap_release(actor=selmar.owner, release_id=release.pk),
    )
    assert sorted(isinstance(outcome, ReleaseNotReady) for outcome in outcomes) == [False, True]
    request.refresh_from_db()
    assert request.state == ChangeState.LIVE
    assert AuditEntry.objects.filter(action="release.swapped").count() == 1


def test_swap_and_roll_back_at_once_take_turns(selmar: Selmar, pool: ThreadPoolExecutor):
    first, one = selmar.publish(article("bell", "One."))
    selmar.publish(article("bell", "Two."))
    _, release = selmar.staged(article("bell", "Three."))
    swap, back = run_both(
        pool,
        lambda: swap_release(actor=selmar.reviewer, release_id=release.pk),
        lambda: roll_back_release(
            actor=selmar.owner, domain_index_id=selmar.index.pk, to_number=one.number, reason="Back"
        ),
    )
    assert isinstance(back, Release)
    assert isinstance(swap, Release) or swap.code == "stage_stale"
    assert selmar.body("bell") == "One."
    first.refresh_from_db()
    assert first.state == ChangeState.LIVE


def test_two_who_stage_at_once_start_one_release(selmar: Selmar, pool: ThreadPoolExecutor):
    selmar.approved(article("bell"))
    outcomes = run_both(
        pool,
        lambda: stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk),
        lambda: stage_approved(actor=selmar.owner, domain_index_id=selmar.index.pk),
    )
    assert sum(isinstance(outcome, NothingToStage | ReleaseInProgress | WrongState) for outcome in outcomes) == 1
    assert Release.objects.count() == 1


def test_two_workers_on_one_release_stage_it_once(selmar: Selmar, pool: ThreadPoolExecutor):
    selmar.approved(*[article(f"place-{number}") for number in range(5)])
    release = stage_approved(actor=selmar.reviewer, domain_index_id=selmar.index.pk)
    run_both(pool, lambda: tasks.stage_release(release.pk), lambda: tasks.stage_release(release.pk))
    release.refresh_from_db()
    assert (release.state, release.document_count, release.passage_count) == (ReleaseState.STAGED, 5, 5)
    verdicts = AuditEntry.objects.filter(action__in=["release.gate_passed", "release.gate_failed"])
    assert [entry.action for entry in verdicts] == ["release.gate_passed"]
