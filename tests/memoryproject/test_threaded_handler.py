"""Under ASGI a request has one thread for all its middleware and its view."""

from __future__ import annotations

import asyncio
import threading

import pytest
from asgiref.sync import SyncToAsync
from asgiref.testing import ApplicationCommunicator
from django.http import HttpResponse
from django.urls import path

from memoryproject.middleware import Middleware
from memoryproject.threaded_handler import ThreadedHandler

SEEN: list[tuple[str, int]] = []


def note(place):
    SEEN.append((place, threading.get_ident()))


class NoteThread(Middleware):
    def __call__(self, request):
        note("before")
        response = self.get_response(request)
        note("behind")
        return response

    def process_view(self, request, view, args, kwargs):
        note("view found")


def answer(request):
    note("view")
    if request.GET:
        raise ValueError("of a view")
    return HttpResponse(b"done")


urlpatterns = [path("note", answer)]


@pytest.fixture
def handler(settings):
    SEEN.clear()
    settings.ROOT_URLCONF = __name__
    settings.MIDDLEWARE = [f"{__name__}.NoteThread", "django.middleware.common.CommonMiddleware"]
    return ThreadedHandler()


async def ask(handler, query=b""):
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/note",
        "query_string": query,
        "headers": [(b"host", b"testserver")],
    }
    client = ApplicationCommunicator(handler, scope)
    await client.send_input({"type": "http.request", "body": b""})
    return [await client.receive_output(5), await client.receive_output(5)]


def test_middleware_and_view_run_on_one_thread_beside_the_loop(handler):
    start, body = asyncio.run(ask(handler))
    assert (start["status"], body["body"]) == (200, b"done")
    assert [place for place, _ in SEEN] == ["before", "view found", "view", "behind"]
    threads = {thread for _, thread in SEEN}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_more_middleware_takes_no_more_changes_of_thread(handler, settings, monkeypatch):
    changes = []
    change = SyncToAsync.__call__
    monkeypatch.setattr(SyncToAsync, "__call__", lambda *args, **kwargs: changes.append(1) or change(*args, **kwargs))
    asyncio.run(ask(handler))
    few = len(changes)
    changes.clear()
    settings.MIDDLEWARE = settings.MIDDLEWARE * 4
    asyncio.run(ask(ThreadedHandler()))
    assert 0 < len(changes) == few


def test_requests_at_once_have_threads_of_their_own(handler):
    async def ask_twice():
        return await asyncio.gather(ask(handler), ask(handler))

    assert [start["status"] for start, _ in asyncio.run(ask_twice())] == [200, 200]
    assert len({thread for _, thread in SEEN}) == 2


def test_a_view_that_fails_is_answered(handler, settings):
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False
    start, _ = asyncio.run(ask(handler, b"fail=1"))
    assert start["status"] == 500
    assert SEEN[-1][0] == "behind"
