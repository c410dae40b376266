"""Queries that found nothing are counted per domain and bounded."""

import redis as redis_client

from knowledge.search import zero_hits


def test_commonest_come_first_and_domains_stay_apart(redis):
    for query in ["rare", "common", "common"]:
        zero_hits.record_zero_hit(1, query)
    zero_hits.record_zero_hit(2, "elsewhere")
    assert [(row.query, row.count) for row in zero_hits.list_zero_hits(1)] == [("common", 2), ("rare", 1)]


def test_list_is_bounded(redis, monkeypatch):
    monkeypatch.setattr(zero_hits, "KEEP_QUERIES", 3)
    for number in range(5):
        zero_hits.record_zero_hit(1, f"q{number}")
    assert len(zero_hits.list_zero_hits(1)) == 3


def test_forgotten_query_is_gone(redis):
    zero_hits.record_zero_hit(1, "once")
    zero_hits.forget_zero_hit(1, "once")
    assert zero_hits.list_zero_hits(1) == []


def test_without_redis_a_search_does_not_fail(monkeypatch):
    def gone():
        raise redis_client.ConnectionError("gone")

    monkeypatch.setattr(zero_hits, "get_redis", gone)
    zero_hits.record_zero_hit(1, "query")
    assert zero_hits.list_zero_hits(1) == []
