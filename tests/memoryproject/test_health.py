from __future__ import annotations

import time

import pytest
from django.db import connection
from django.db.backends.postgresql.base import DatabaseWrapper as PostgresWrapper
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from memoryproject import health, heartbeats
from memoryproject.redis import get_redis


def test_healthz_touches_no_database():
    response = Client().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_readyz_names_every_part():
    response = Client().get("/readyz")
    assert response.status_code == 200, response.json()
    checks = response.json()["checks"]
    assert set(checks) == {"database", "pgvector", "migrations", "redis", "worker", "scheduler"}
    assert checks["pgvector"].startswith("0.")


@pytest.mark.django_db
def test_readyz_tells_of_a_missing_worker_and_stays_ready(redis, monkeypatch):
    response = Client().get("/readyz")
    assert (response.status_code, response.json()["status"]) == (200, "degraded")
    assert response.json()["missing"] == ["worker", "scheduler"]
    assert response.json()["checks"]["worker"] == "missing"
    for kind in heartbeats.KINDS:
        heartbeats.beat(kind)
    ready = Client().get("/readyz").json()
    assert (ready["status"], ready["missing"], ready["checks"]["worker"]) == ("ready", [], "1 alive")
    assert 'memory37_alive_processes{kind="worker"} 1.0' in Client().get("/metrics").content.decode()
    later = time.time() + heartbeats.ALIVE_SECONDS + 1
    monkeypatch.setattr(heartbeats.time, "time", lambda: later)
    assert Client().get("/readyz").json()["missing"] == ["worker", "scheduler"]


@pytest.mark.django_db
def test_probes_answer_any_host():
    assert Client(headers={"host": "10.1.2.3"}).get("/readyz").status_code == 200


@pytest.mark.django_db
def test_readyz_says_that_redis_is_gone(settings, monkeypatch):
    get_redis.cache_clear()
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:9/0")
    monkeypatch.setattr(settings, "REDIS_CONNECTION_OPTIONS", {"socket_timeout": 0.5})
    try:
        response = Client().get("/readyz")
    finally:
        get_redis.cache_clear()
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"
    assert response.json()["checks"] == {**response.json()["checks"], "database": "ok", "redis": "unavailable"}
    assert "127.0.0.1" not in response.content.decode()


@pytest.mark.django_db
def test_readyz_says_that_the_database_is_gone(monkeypatch):
    nowhere = {**connection.settings_dict, "HOST": "127.0.0.1", "PORT": "9"}
    monkeypatch.setattr(health, "connection", PostgresWrapper(nowhere, alias="default"))
    response = Client().get("/readyz")
    assert response.status_code == 503
    assert response.json()["checks"] == {
        "database": "unavailable",
        "redis": "ok",
        "worker": "missing",
        "scheduler": "missing",
    }
    assert "127.0.0.1" not in response.content.decode()


@pytest.mark.django_db
def test_readyz_says_that_a_migration_is_missing():
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    response = Client().get("/readyz")
    assert response.status_code == 503
    assert response.json()["checks"]["migrations"] == "1 not applied"


@pytest.mark.parametrize(
    ("version", "ok"), [("0.8.0", True), ("0.10.1", True), ("1.0", True), ("0.7.4", False), ("", False)]
)
def test_old_or_missing_pgvector_is_not_ready(version, ok):
    assert health._describe_pgvector(version).ok is ok


@pytest.mark.django_db
def test_metrics_count_requests_by_route():
    client = Client()
    client.get("/api/v1/nowhere")
    families = {
        family.name: family for family in text_string_to_metric_families(client.get("/metrics").content.decode())
    }
    counts = [
        sample.value
        for sample in families["memory37_http_request_seconds"].samples
        if sample.name.endswith("_count") and sample.labels == {"method": "GET", "route": "unmatched", "status": "404"}
    ]
    assert counts
    assert counts[0] >= 1


@pytest.mark.django_db
def test_metrics_want_their_token(settings):
    settings.METRICS_TOKEN = "s3cret-token"
    assert Client().get("/metrics").status_code == 401
    assert Client(headers={"Authorization": "Bearer nope"}).get("/metrics").status_code == 401
    assert Client(headers={"Authorization": "Bearer s3cret-token"}).get("/metrics").status_code == 200


def test_metrics_are_off_in_production_without_a_token(settings):
    settings.PRODUCTION = True
    assert Client().get("/metrics").status_code == 404
