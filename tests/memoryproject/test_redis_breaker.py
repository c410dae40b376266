"""A Redis that hangs: who waits for it, for how long, and when it is asked again."""

from __future__ import annotations

import copy
import re
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from memoryproject.redis import get_redis
from memoryproject.redis_breaker import Breaker

WAIT_SECONDS = 0.3


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


class Parrot(socketserver.BaseRequestHandler):
    """Says OK to every command until its server hangs."""

    def handle(self) -> None:
        while heard := self.request.recv(65536):
            if not self.server.hangs.is_set():
                self.request.sendall(b"+OK\r\n" * len(re.findall(rb"\*\d+\r\n", heard)))


@pytest.fixture
def parrot() -> Iterator[socketserver.ThreadingTCPServer]:
    """A server with an event `hangs`: once set, it keeps its connections and says no more."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Parrot) as server:
        server.daemon_threads, server.block_on_close, server.hangs = True, False, threading.Event()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def connect(port: int, breaker: Breaker) -> redis.Redis:
    options = {"socket_timeout": WAIT_SECONDS, "socket_connect_timeout": WAIT_SECONDS, "retry": breaker, "protocol": 2}
    return redis.Redis(connection_pool=redis.ConnectionPool.from_url(f"redis://127.0.0.1:{port}", **options))


def call(breaker: Breaker, do: Callable[[], object]) -> object:
    return breaker.call_with_retry(do, lambda *_: None)


def time_out() -> None:
    raise redis.TimeoutError("too slow")


def refuse() -> None:
    raise redis.ConnectionError("refused")


def test_only_the_first_call_waits_for_a_server_that_hangs(silent):
    client = connect(silent, Breaker(pause_seconds=60))
    with pytest.raises(redis.TimeoutError):
        client.get("a")
    start = time.monotonic()
    for ask in (lambda: client.get("a"), lambda: client.pipeline().get("a").execute(), lambda: client.eval("", 0)):
        with pytest.raises(redis.ConnectionError, match="left alone"):
            ask()
    assert time.monotonic() - start < WAIT_SECONDS


def test_after_the_pause_one_call_tries_while_others_are_refused():
    breaker = Breaker(pause_seconds=0.05)
    with pytest.raises(redis.TimeoutError):
        call(breaker, time_out)
    time.sleep(0.06)
    is_trying, may_end = threading.Event(), threading.Event()

    def answer_slowly() -> None:
        call(breaker, lambda: None)
        is_trying.set()
        call(breaker, lambda: may_end.wait(5))

    trying = threading.Thread(target=answer_slowly)
    breaker._pause_seconds = 60
    trying.start()
    assert is_trying.wait(5)
    with pytest.raises(redis.ConnectionError, match="left alone"):
        call(breaker, lambda: True)
    may_end.set()
    trying.join()
    assert call(breaker, lambda: True) is True


def test_a_try_that_times_out_begins_another_pause():
    breaker = Breaker(pause_seconds=0.05)
    for _ in range(2):
        with pytest.raises(redis.TimeoutError):
            call(breaker, time_out)
        with pytest.raises(redis.ConnectionError, match="left alone"):
            call(breaker, lambda: True)
        time.sleep(0.06)


def test_one_command_tries_though_connections_from_before_still_stand(parrot):
    breaker = Breaker(pause_seconds=0.05)
    client = connect(parrot.server_address[1], breaker)
    pool = client.connection_pool
    for connection in [pool.get_connection() for _ in range(4)]:
        pool.release(connection)
    assert client.get("a") == b"OK"
    parrot.hangs.set()
    with pytest.raises(redis.TimeoutError):
        client.get("a")
    pool._available_connections.reverse()
    breaker._pause_seconds = 60
    time.sleep(0.06)
    with ThreadPoolExecutor(4) as threads:
        errors = [type(asked.exception()) for asked in [threads.submit(client.get, "a") for _ in range(4)]]
    assert sorted(each.__name__ for each in errors) == ["ConnectionError"] * 3 + ["TimeoutError"]
    parrot.hangs.clear()
    breaker._open_until = 0.0
    assert [client.get("a") for _ in range(2)] == [b"OK", b"OK"]
    assert breaker._open_until is None


def test_what_began_before_a_pause_does_not_end_it():
    breaker = Breaker(pause_seconds=60)
    has_begun, may_end = threading.Event(), threading.Event()

    def answer_late() -> bool:
        has_begun.set()
        return may_end.wait(5)

    late = threading.Thread(target=call, args=(breaker, answer_late))
    late.start()
    assert has_begun.wait(5)
    with pytest.raises(redis.TimeoutError):
        call(breaker, time_out)
    may_end.set()
    late.join()
    with pytest.raises(redis.ConnectionError, match="left alone"):
        call(breaker, lambda: True)


@pytest.mark.parametrize("fail", [refuse, lambda: 1 / 0])
def test_a_server_that_refuses_is_asked_each_time(fail):
    breaker = Breaker(pause_seconds=60)
    with pytest.raises((redis.ConnectionError, ZeroDivisionError), match=r"refused|division"):
        call(breaker, fail)
    assert call(breaker, lambda: True) is True


def test_all_connections_of_the_process_share_one_breaker():
    pool = get_redis().connection_pool
    one, other = pool.make_connection(), pool.make_connection()
    assert isinstance(one.retry, Breaker)
    assert one.retry is other.retry
    assert copy.deepcopy(one.retry) is one.retry
