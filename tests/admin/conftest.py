"""Worlds with people who may sign in to the admin site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.messages import get_messages
from django.contrib.staticfiles import finders
from django.db import connections
from django.test import Client

from reviews.core.actor import Actor
from tests.factories import people
from tests.factories.canon import article
from tests.factories.change_requests import Selmar, make_selmar

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

SITE = "http://testserver"
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "woff2": "font/woff2"}


@pytest.fixture
def selmar(db: None) -> Selmar:
    """A world with one published article and staff of every role."""
    return make_staffed_world("selmar")


@pytest.fixture
def rival(db: None) -> Selmar:
    """Another tenant's world."""
    return make_staffed_world("rival")


@pytest.fixture
def bell(selmar: Selmar) -> Selmar:
    """The world with one live article."""
    selmar.publish(article("bell", "The bronze bell rings."))
    return selmar


@pytest.fixture
def sign_in() -> Callable[[Actor], Client]:
    """A browser of that person."""

    return lambda actor: people.sign_in(get_user_model().objects.get(pk=actor.user_id))


@pytest.fixture(scope="module")
def close_connections(browser: Browser) -> Iterator[None]:
    """Under the browser's event loop Django has connections of its own, which nobody else closes."""
    yield
    connections.close_all()


def make_staffed_world(slug: str) -> Selmar:
    """A world whose people are staff."""
    world = make_selmar(slug)
    get_user_model().objects.filter(username__startswith=f"{slug}-").update(is_staff=True)
    return world


@pytest.fixture
def visit(page: Page, sign_in: Callable[[Actor], Client]) -> Callable[[Actor], Page]:
    """Signs a person in, and opens pages of theirs. Django's test client answers: no server runs."""

    def sign(actor: Any) -> Page:
        client, connection = sign_in(actor), connections["default"]

        def answer(route: Route) -> None:
            # Playwright calls in a context of its own, where Django would open another connection.
            connections["default"] = connection
            _answer(client, route)

        page.route("**/*", answer)
        return page

    return sign


def _answer(client: Client, route: Route) -> None:
    asked = route.request
    path = asked.url.removeprefix(SITE)
    if path.startswith("/static/"):
        found = finders.find(path.removeprefix("/static/").partition("?")[0])
        kind = TYPES.get(path.partition("?")[0].rpartition(".")[2], "application/octet-stream")
        route.fulfill(path=found, content_type=kind) if found else route.fulfill(status=404)
        return
    headers = {"Accept": asked.headers.get("accept", "*/*"), "Referer": asked.headers.get("referer", "")}
    if asked.method == "POST":
        kind = asked.headers["content-type"]
        told = client.generic("POST", path, asked.post_data_buffer or b"", content_type=kind, headers=headers)
    else:
        told = client.get(path, headers=headers)
    while told.status_code in (301, 302):
        told = client.get(told.headers["Location"])
    route.fulfill(status=told.status_code, body=told.content, headers={"content-type": told.headers["Content-Type"]})


def read_messages(response: Any) -> str:
    """The messages that a response leaves for the next page."""
    return " ".join(str(each) for each in get_messages(response.wsgi_request))
