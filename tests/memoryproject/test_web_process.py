"""The real web process over real sockets, with its parts there and gone."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from devtools.demo.ports import find_free_port
from memoryproject.metrics import CONTENT_TYPE

pytestmark = pytest.mark.slow

NOWHERE = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none", "REDIS_URL": "redis://127.0.0.1:9/0"}


@contextlib.contextmanager
def run_web_processes(log_path: Path) -> Iterator[Callable[..., httpx.Client]]:
    """Starts a web process with more variables; returns a client of it. All end with the block, without a traceback."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(**variables: str) -> httpx.Client:
        port = find_free_port("127.0.0.1", 19000 + os.getpid() % 1000 + len(processes))
        with log_path.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "memoryproject.web", "--port", str(port)],
                env={**os.environ, "DJANGO_SETTINGS_MODULE": "memoryproject.settings", "WEB_WORKERS": "1", **variables},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        processes.append(process)
        client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
        deadline = time.monotonic() + 60
        while True:
            try:
                client.get("/healthz")
            except httpx.TransportError:
                assert process.poll() is None, log_path.read_text()
                assert time.monotonic() < deadline
                time.sleep(0.1)
            else:
                return client

    yield start
    for process in processes:
        process.terminate()
        assert process.wait(timeout=30) in {0, -signal.SIGTERM}
    assert "Traceback" not in log_path.read_text()


@pytest.fixture
def start_web(tmp_path) -> Iterator[Callable[..., httpx.Client]]:
    """Starts a web process with more variables, for one test; returns a client of it."""
    with run_web_processes(tmp_path / "web.log") as start:
        yield start


@pytest.fixture(scope="module")
def metrics_directory(tmp_path_factory) -> Path:
    """Where the shared process adds its metrics to those of others; made by it."""
    return tmp_path_factory.mktemp("shared") / "metrics" / "made"


@pytest.fixture(scope="module")
def web(metrics_directory, tmp_path_factory) -> Iterator[httpx.Client]:
    """A process that tests share who only send requests: to start one takes ten seconds of computing."""
    with run_web_processes(tmp_path_factory.mktemp("web") / "web.log") as start:
        yield start(MAX_BODY_BYTES="2000", PROMETHEUS_MULTIPROC_DIR=str(metrics_directory))


def test_the_web_process_answers_problems_with_request_ids_and_refuses_large_bodies(web):
    missing = web.get("/api/v1/nowhere", headers={"X-Request-ID": "r-7"})
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    assert missing.headers["X-Request-ID"] == "r-7" == missing.json()["request_id"]
    large = web.post("/api/v1/nowhere", content=b"x" * 2001)
    assert (large.status_code, large.json()["code"]) == (413, "body_too_large")
    streamed = web.post("/api/v1/nowhere", content=iter([b"x" * 1500, b"x" * 501]))
    assert (streamed.status_code, streamed.json()["code"]) == (413, "body_too_large")
    assert web.get("/metrics").headers["Content-Type"] == CONTENT_TYPE


@pytest.mark.parametrize("told", [True, False])
def test_a_body_of_three_megabytes_is_refused_and_never_reset(web, told):
    """Over a plain socket, as a client that sends all before it reads."""
    for _ in range(5):
        with socket.create_connection((web.base_url.host, web.base_url.port or 80), timeout=20) as client:
            length = b"Content-Length: 3000000\r\n" if told else b"Transfer-Encoding: chunked\r\n"
            client.sendall(
                b"POST /api/v1/context HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + length + b"\r\n"
            )
            for _ in range(30):
                part = b"x" * 100_000
                client.sendall(part if told else b"186a0\r\n" + part + b"\r\n")
            client.sendall(b"" if told else b"0\r\n\r\n")
            answer = b""
            while data := client.recv(65536):
                answer += data
        assert answer.startswith(b"HTTP/1.1 413"), answer[:200]
        assert b"body_too_large" in answer


def read_command(process: psutil.Process) -> str:
    """The command line; empty of a process that has just ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def list_workers():
    """Processes that serve, by the process that keeps them."""
    parents = [each for each in psutil.Process().children() if "memoryproject.web" in read_command(each)]
    return [each.pid for parent in parents for each in parent.children() if "spawn_main" in read_command(each)]


def wait_for_workers(wanted, *, without):
    deadline = time.monotonic() + 90
    while len(set(list_workers()) - without) < wanted:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def measure_cpu_seconds():
    """CPU time of each worker that runs now, by its pid; the supervisor replaces one that it does not hear from."""
    used = {}
    for pid in list_workers():
        with contextlib.suppress(psutil.NoSuchProcess):
            used[pid] = round(sum(psutil.Process(pid).cpu_times()[:2]), 1)
    return used


def wait_until_idle(wanted):
    """Until so many workers have used no CPU for a second: they have started and wait for requests."""
    deadline = time.monotonic() + 90
    before = None
    while (now := measure_cpu_seconds()) != before or len(now) < wanted or min(now.values()) < 1:
        assert time.monotonic() < deadline
        before = now
        time.sleep(1)


def test_a_killed_web_process_is_not_seen_and_comes_back(start_web):
    web = start_web(WEB_WORKERS="2")
    killed: set[int] = set()
    wait_for_workers(2, without=killed)
    wait_until_idle(2)  # both have read their code: what is killed must not be the only one that serves
    killed.add(list_workers()[0])
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    for _ in range(30):
        assert httpx.get(f"{web.base_url}/healthz", timeout=10).status_code == 200
    wait_for_workers(2, without=killed)


def test_workers_of_one_machine_add_their_metrics_up(web, metrics_directory):
    def count() -> float:
        name = re.escape('memory37_http_request_seconds_count{method="GET",route="unmatched",status="404"} ')
        found = re.search(rf"^{name}(\S+)$", web.get("/metrics").text, re.MULTILINE)
        return float(found[1]) if found else 0.0

    before = count()
    web.get("/api/v1/nowhere")
    assert count() == before + 1.0
    assert list(metrics_directory.glob("*.db"))


def test_without_database_and_redis_the_process_lives_and_says_what_is_gone(start_web):
    web = start_web(**NOWHERE, DATABASE_POOL_TIMEOUT_SECONDS="1")
    assert web.get("/healthz").status_code == 200
    ready = web.get("/readyz")
    assert (ready.status_code, ready.headers["Retry-After"]) == (503, "5")
    assert ready.json()["checks"] == {"database": "unavailable", "redis": "unavailable"}
    started = time.monotonic()
    search = web.get(
        "/api/v1/lore/search", params={"q": "moon"}, headers={"Authorization": f"Bearer m37_{'a' * 8}_{'b' * 43}"}
    )
    assert (search.status_code, search.headers["Retry-After"]) == (503, "5")
    assert search.json()["code"] == "database_unavailable"
    assert time.monotonic() - started < 10


def test_embedded_services_end_with_the_web_process_that_started_them(start_web, tmp_path):
    web = start_web(MEMORY37_DATA_DIR=str(tmp_path / "data"), DATABASE_URL="", REDIS_URL="")
    assert web.get("/readyz").status_code in {200, 503}
    servers = _list_processes(tmp_path)
    assert {"postgres", "redis-server"} <= {name for _, name in servers}
    web_process = next(process for process in psutil.Process().children() if _has_data_in(process, tmp_path / "data"))
    web_process.terminate()
    web_process.wait(timeout=30)
    deadline = time.monotonic() + 20
    while _list_processes(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _list_processes(tmp_path) == []


def _has_data_in(process, data_dir):
    return "memoryproject.web" in process.cmdline() and process.environ().get("MEMORY37_DATA_DIR") == str(data_dir)


def _list_processes(folder):
    """Servers whose command line names the folder."""
    rows = [(row.info["pid"], row.info["cmdline"] or []) for row in psutil.process_iter(["pid", "cmdline"])]
    found = [(pid, Path(words[0]).name) for pid, words in rows if any(str(folder) in word for word in words)]
    return [(pid, name) for pid, name in found if name in {"postgres", "redis-server"}]
