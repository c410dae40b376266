"""What /metrics says of labels, breakers and the gate; shares are left out below thirty."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from prometheus_client.parser import text_string_to_metric_families

from factcheck.extraction.actions.breakers import judge_review_breaker
from factcheck.extraction.metrics import count_call, count_review, count_run
from reviews.quality import metrics
from reviews.quality.selectors.counts import count_open_samples
from tests.factcheck.extraction.rows import make_batch_facts, make_deltas, make_player, make_run
from tests.factories.people import make_member
from tests.reviews.quality.rows import label_many, make_samples

pytestmark = pytest.mark.django_db


def read(client, name):
    families = text_string_to_metric_families(client.get("/metrics").content.decode())
    return {
        tuple(sorted(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
        if sample.name == name
    }


def test_open_samples_are_counted_by_their_index(user):
    make_samples(make_run(user), 2)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        # Of two samples both indexes cost the same; of a year of closed ones this one alone is short.
        cursor.execute("DROP INDEX extraction_sample_stratum")
    with CaptureQueriesContext(connection) as queries:
        assert [(tenant, count) for tenant, count, _ in count_open_samples()] == [("studio", 2)]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {queries.captured_queries[-1]['sql']}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "extraction_sample_open" in plan, plan


def test_error_rates_are_told_from_thirty_reviews_on(user, rob, client):
    name = "memory37_extraction_review_error_rate"
    where = (("language", "en"), ("tenant", "studio"))
    label_many(user, rob, 28, 1)
    assert read(client, name) == {}
    assert read(client, "memory37_extraction_reviewed") == {where: 29}
    label_many(user, rob, 0, 1, probability=0.01)
    assert read(client, name)[where] == pytest.approx((10 + 100) / (290 + 100))
    assert 0 < read(client, f"{name}_lower")[where] < 2 / 30


def test_what_the_gate_refused_and_players_denied_is_told_from_thirty_on(user, client):
    run = make_run(user)
    make_batch_facts(run, 10)
    make_deltas(run, 19, verdict="rejected_subject")
    assert read(client, "memory37_validator_rejection_rate") == {}
    make_deltas(run, 1, verdict="rejected_subject")
    assert read(client, "memory37_validator_rejection_rate") == {(("tenant", "studio"),): pytest.approx(2 / 3)}
    assert read(client, "memory37_extraction_denied_rate") == {}
    make_batch_facts(run, 20)
    assert read(client, "memory37_extraction_denied_rate") == {(("tenant", "studio"),): 0}


def test_breakers_and_the_queue_are_told(user, rob, client):
    judge_review_breaker(None, tenant_id=user.tenant_id, language="ar", outcomes=[True] * 20)
    where = (("kind", "reviews"), ("language", "ar"), ("tenant", "studio"))
    assert read(client, "memory37_extraction_breaker_open") == {where: 1}
    make_samples(make_run(user), 3)
    label_many(user, rob, 1, 0)
    queue = read(client, "memory37_extraction_review_queue")
    assert queue[(("tenant", "studio"),)] in (3, 4)
    assert read(client, "memory37_extraction_review_oldest_seconds")[(("tenant", "studio"),)] >= 0


def test_tenants_that_do_not_extract_are_left_out(redis, client):
    user = make_player("quiet", extraction="off")
    label_many(user, make_member(user.tenant, "sam"), 30, 9)
    assert read(client, "memory37_extraction_reviewed") == {}


def test_runs_calls_and_labels_are_counted(user, client):
    run = make_run(user)
    before = read(client, "memory37_validator_gate_total").get((("result", "rejected_echo"),), 0)
    count_run(run, [*make_deltas(run, 2), *make_deltas(run, 1, verdict="rejected_echo")])
    count_call("offline", input_tokens=900, output_tokens=100, cost=0.5)
    count_review("not_meant", "ar")
    assert read(client, "memory37_validator_gate_total")[(("result", "rejected_echo"),)] == before + 1
    assert read(client, "memory37_batch_extraction_deltas_total")[(("operation", "add"),)] >= 3
    assert read(client, "memory37_batch_extraction_tokens_total")[(("kind", "input"),)] >= 900
    assert read(client, "memory37_extraction_review_total")[(("language", "ar"), ("verdict", "not_meant"))] >= 1


def test_a_failed_run_is_counted_by_its_code(user, client):
    count_run(make_run(user, state="failed", failed=1, nothing=0, error_code="model_unusable"))
    assert read(client, "memory37_batch_extraction_errors_total")[(("code", "model_unusable"),)] >= 1


def test_without_a_database_the_other_metrics_still_come(user, client, monkeypatch):
    def fail(*more):
        raise DatabaseError

    monkeypatch.setattr(metrics, "list_review_rates", fail)
    monkeypatch.setattr("factcheck.extraction.selectors.figures.list_rejection_shares", fail)
    assert read(client, "memory37_extraction_reviewed") == {}
    assert client.get("/metrics").status_code == 200
