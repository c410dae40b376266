"""Claims: a batch belongs to one worker, for a while."""

from __future__ import annotations

import redis as redis_client
from structlog.testing import capture_logs

from knowledge.search import backlog
from knowledge.search.backlog import EmbeddingReport, claim_rows


def test_what_one_worker_claimed_another_does_not_get(redis):
    with claim_rows("Message", [1, 2, 3]) as first, claim_rows("Message", [2, 3, 4]) as second:
        assert (first, second) == ([1, 2, 3], [4])
    with claim_rows("Message", [1, 2, 3, 4]) as later:
        assert later == [1, 2, 3, 4]


def test_claims_of_other_kinds_are_apart(redis):
    with claim_rows("Message", [1]), claim_rows("Summary", [1]) as other:
        assert other == [1]


def test_a_killed_workers_claim_ends_by_itself(redis):
    with claim_rows("Message", [1]):
        [key] = redis.scan_iter(match="*embedding-claim*")
        assert 0 < redis.ttl(key) <= backlog.CLAIM_SECONDS


def test_a_claim_that_ended_too_early_does_not_free_anothers(redis):
    with claim_rows("Message", [1]):
        [key] = redis.scan_iter(match="*embedding-claim*")
        redis.set(key, "another worker")
    assert redis.get(key) == b"another worker"


def test_without_redis_all_is_given_out(monkeypatch):
    def fail():
        raise redis_client.ConnectionError

    monkeypatch.setattr(backlog, "get_redis", fail)
    with capture_logs() as lines, claim_rows("Message", [1, 2]) as claimed:
        assert claimed == [1, 2]
    assert [line["event"] for line in lines] == ["embedding_not_claimed"]


def test_reports_add_up():
    total = EmbeddingReport(done=1, taken=2) + EmbeddingReport(failed=1, taken=1)
    assert (total.done, total.failed, total.taken) == (1, 1, 3)
