"""How fast texts get their vectors."""

import pytest

from knowledge.search import embedding_rate
from knowledge.search.embedding_rate import estimate_seconds, get_embeddings_per_second, record_embedded


@pytest.fixture
def clock(monkeypatch, redis):
    now = {"seconds": 1_000_000.0}
    monkeypatch.setattr(embedding_rate.time, "time", lambda: now["seconds"])
    return now


def test_without_a_vector_made_lately_nothing_is_estimated(clock):
    assert (get_embeddings_per_second(), estimate_seconds(10), estimate_seconds(0)) == (None, None, 0.0)
    record_embedded(50)
    clock["seconds"] += 400
    assert estimate_seconds(10) is None


def test_the_rate_counts_from_the_first_vector_of_the_last_minutes(clock):
    record_embedded(40)
    clock["seconds"] += 20
    record_embedded(20)
    assert get_embeddings_per_second() == pytest.approx(3.0)
    assert estimate_seconds(300) == 100.0


def test_nothing_done_is_not_recorded(clock):
    record_embedded(0)
    assert get_embeddings_per_second() is None
