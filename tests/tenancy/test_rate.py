from __future__ import annotations

import time

import pytest

from memoryproject.redis import build_key, get_redis
from tenancy.actions.rate import count_request
from tenancy.core.caller import Caller


def make_caller(limit: int | None, key_id: int = 1) -> Caller:
    return Caller(1, "studio", None, key_id, "abcd", frozenset({"read"}), requests_per_minute=limit)


def store_windows(key_id: int, *, age: int, current: int, previous: int) -> None:
    """Pretend that the key called in windows before this one; waits out the end of a window."""
    while time.time() % 60 > 55:
        time.sleep(0.2)
    window = int(time.time() // 60) - age
    get_redis().hset(build_key("rate", key_id), mapping={"window": window, "current": current, "previous": previous})


def test_requests_up_to_the_limit_pass_and_the_next_is_refused(redis):
    verdicts = [count_request(make_caller(3)) for _ in range(4)]
    assert [verdict.is_allowed for verdict in verdicts] == [True, True, True, False]
    assert [verdict.remaining for verdict in verdicts] == [2, 1, 0, 0]
    assert 1 <= verdicts[-1].retry_after_seconds <= 120
    assert 60 <= verdicts[0].reset_seconds <= 120


def test_a_refused_request_does_not_count(redis):
    for _ in range(5):
        count_request(make_caller(2))
    assert int(redis.hget(build_key("rate", 1), "current")) == 2


def test_keys_are_counted_apart(redis):
    assert count_request(make_caller(1, key_id=1)).is_allowed
    assert count_request(make_caller(1, key_id=2)).is_allowed
    assert not count_request(make_caller(1, key_id=1)).is_allowed


def test_the_previous_minute_weighs_by_what_still_overlaps(redis):
    store_windows(1, age=1, current=100, previous=0)
    share_left = 1 - (time.time() % 60) / 60
    verdict = count_request(make_caller(100))
    assert verdict.remaining == pytest.approx(100 - 100 * share_left, abs=3)


def test_an_older_minute_weighs_nothing(redis):
    store_windows(1, age=2, current=100, previous=100)
    assert count_request(make_caller(100)).remaining == 99


def test_after_waiting_as_told_the_next_request_passes(redis):
    store_windows(1, age=1, current=60, previous=0)
    caller = make_caller(60)
    verdict = count_request(caller)
    while verdict.is_allowed:
        verdict = count_request(caller)
    assert verdict.retry_after_seconds <= 2
    time.sleep(verdict.retry_after_seconds)
    assert count_request(caller).is_allowed


def test_without_a_rate_of_its_own_a_key_has_the_installations(redis, settings):
    settings.API_REQUESTS_PER_MINUTE = 5
    assert count_request(make_caller(None)).limit == 5


def test_the_counter_expires(redis):
    count_request(make_caller(5))
    assert 0 < redis.pttl(build_key("rate", 1)) <= 120_000
