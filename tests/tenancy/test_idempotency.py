from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from tenancy.actions.idempotency import Answer, delete_old_answers, hash_request, run_idempotent
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.errors import IdempotencyKeyReused, InvalidIdempotencyKey
from tenancy.models import IdempotencyRecord, World


def run(tenant, write, *, key="k1", body=None, world_id=1, path="POST /x"):
    return run_idempotent(
        tenant_id=tenant.pk, key=key, method_and_path=path, world_id=world_id, body=body or {"a": 1}, write=write
    )


def test_a_repeat_gets_the_stored_answer_and_writes_nothing(tenant):
    calls = []

    def write():
        calls.append(1)
        return Answer(201, {"id": 7})

    assert run(tenant, write) == Answer(201, {"id": 7})
    assert run(tenant, write) == Answer(201, {"id": 7}, replayed=True)
    assert len(calls) == 1


@pytest.mark.parametrize("other", [{"body": {"a": 2}}, {"world_id": 2}, {"path": "POST /y"}])
def test_the_same_key_with_another_request_is_a_conflict(tenant, other):
    run(tenant, lambda: Answer(201, {}))
    with pytest.raises(IdempotencyKeyReused):
        run(tenant, lambda: Answer(201, {}), **other)


def test_tenants_do_not_share_keys(tenant):
    run(tenant, lambda: Answer(201, {"of": "studio"}))
    rival = ensure_tenant(slug="rival")
    assert run(rival, lambda: Answer(201, {"of": "rival"})).body == {"of": "rival"}


def test_the_order_of_members_does_not_make_another_request():
    one = hash_request(method_and_path="POST /x", world_id=1, body={"a": 1, "b": {"c": 2, "d": 3}})
    two = hash_request(method_and_path="POST /x", world_id=1, body={"b": {"d": 3, "c": 2}, "a": 1})
    assert one == two


def test_a_write_that_fails_stores_nothing_and_may_be_sent_again(tenant):
    def fail():
        ensure_world(tenant_id=tenant.pk, slug="half-made")
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError):
        run(tenant, fail)
    assert not IdempotencyRecord.objects.exists()
    assert not World.objects.filter(slug="half-made").exists()
    assert run(tenant, lambda: Answer(200, {})).replayed is False


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\t", "ключ", "nul\0", "line\n"])
def test_a_key_out_of_form_is_refused(tenant, key):
    with pytest.raises(InvalidIdempotencyKey):
        run(tenant, lambda: Answer(200, {}), key=key)


def test_answers_older_than_a_day_are_deleted(tenant):
    run(tenant, lambda: Answer(200, {}), key="old")
    IdempotencyRecord.objects.update(created_at=timezone.now() - timedelta(hours=25))
    run(tenant, lambda: Answer(200, {}), key="new")
    assert delete_old_answers() == 1
    assert IdempotencyRecord.objects.get().key == "new"


@pytest.mark.django_db(transaction=True)
def test_twins_at_the_same_time_write_once():
    tenant = ensure_tenant(slug="studio")
    is_inside, may_finish = threading.Event(), threading.Event()
    answers: dict[str, Answer] = {}

    def write_slowly():
        is_inside.set()
        assert may_finish.wait(10)
        ensure_world(tenant_id=tenant.pk, slug="made-once")
        return Answer(201, {"by": "first"})

    def run_in_thread(name, write):
        try:
            answers[name] = run(tenant, write)
        finally:
            connection.close()

    first = threading.Thread(target=run_in_thread, args=("first", write_slowly))
    second = threading.Thread(target=run_in_thread, args=("second", lambda: Answer(201, {"by": "second"})))
    first.start()
    assert is_inside.wait(10)
    second.start()
    second.join(0.5)
    assert second.is_alive(), "the twin waits for the first"
    may_finish.set()
    first.join(10)
    second.join(10)
    assert answers["first"] == Answer(201, {"by": "first"})
    assert answers["second"] == Answer(201, {"by": "first"}, replayed=True)
    assert World.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_when_the_first_twin_fails_the_second_writes():
    tenant = ensure_tenant(slug="studio")
    is_inside, may_finish = threading.Event(), threading.Event()
    answers = {}

    def fail_slowly():
        is_inside.set()
        assert may_finish.wait(10)
        raise RuntimeError("broken")

    def run_first():
        try:
            with pytest.raises(RuntimeError):
                run(tenant, fail_slowly)
        finally:
            connection.close()

    def run_second():
        try:
            answers["second"] = run(tenant, lambda: Answer(201, {"by": "second"}))
        finally:
            connection.close()

    first, second = threading.Thread(target=run_first), threading.Thread(target=run_second)
    first.start()
    assert is_inside.wait(10)
    second.start()
    may_finish.set()
    first.join(10)
    second.join(10)
    assert answers["second"] == Answer(201, {"by": "second"})
