"""The demo as a newcomer meets it: one command, pasted requests, Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from memoryproject.embedded.places import postgres_data_dir, redis_socket_path
from runtime.demo.ports import find_free_port

ROOT = Path(__file__).resolve().parents[2]
DEMO = [sys.executable, "manage.py", "demo"]


@dataclass
class Demo:
    """A demo that runs in a data directory of its own."""

    process: subprocess.Popen[str]
    environment: dict[str, str]
    data_dir: Path
    output_path: Path
    url: str

    def read_output(self) -> str:
        return self.output_path.read_text()

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip

    def ask(self, path: str) -> dict:
        answer = subprocess.run(["curl", "-s", f"{self.url}{path}"], capture_output=True, text=True, check=True)
        return json.loads(answer.stdout)


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    """Not one of pytest's: each of its runs closes their parent directory to PostgreSQL's system user."""
    with tempfile.TemporaryDirectory(prefix="memory37-demo-") as name:
        yield Path(name)


@pytest.fixture(scope="module")
def demo(data_dir) -> Iterator[Demo]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    environment = {**kept, "MEMORY37_DATA_DIR": str(data_dir), "EMBEDDED_POSTGRES_DURABLE": "false"}
    port = find_free_port("127.0.0.1", 18000 + os.getpid() % 1000)
    output_path = data_dir / "output.txt"
    with output_path.open("w") as output:
        process = subprocess.Popen(
            [*DEMO, "--port", str(port)], cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT, text=True
        )
    running = Demo(process, environment, data_dir, output_path, f"http://localhost:{port}")
    try:
        deadline = time.monotonic() + 300
        while "Ctrl-C ends it" not in running.read_output():
            assert process.poll() is None, running.read_output()
            assert time.monotonic() < deadline, running.read_output()
            time.sleep(0.2)
        yield running
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=60)


def find_processes(data_dir: Path) -> list[str]:
    """Command lines of living processes that belong to this data directory, by argument or environment."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        try:
            command = process.info["cmdline"] or []
            words = [*command, process.environ().get("MEMORY37_DATA_DIR", "")]
        except psutil.Error:
            continue
        if process.info["status"] != psutil.STATUS_ZOMBIE and any(str(data_dir) in word for word in words):
            found.append(" ".join(command))
    return found


@pytest.mark.journey
def test_the_printed_commands_answer_when_pasted(demo):
    commands = re.findall(r"^(?:for q in|curl) .*$", demo.read_output(), re.MULTILINE)
    assert len(commands) == 3
    searches, rule, claim = (
        subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout
        for command in commands
    )
    answers = [json.loads(line) for line in searches.splitlines() if line]
    found = [answer["hits"][0]["document"] for answer in answers]
    assert [(hit["slug"], hit["language"]) for hit in found] == [
        ("moon-bridge", "en"),
        ("moon-bridge-ru", "ru"),
        ("salt-gate", "ar"),
        ("moon-bridge-zh", "zh"),
    ]
    assert json.loads(rule)["rule"]["slug"] == "clasped"
    assert json.loads(claim)["verdict"] == "false"


@pytest.mark.journey
def test_another_command_attaches_to_the_running_services(demo):
    shown = demo.run("showmigrations", "sessions")
    assert "[X] 0001_initial" in shown.stdout, shown.stderr
    assert demo.ask("/readyz")["status"] == "ready"


@pytest.mark.journey
def test_a_second_demo_says_plainly_that_one_runs(demo):
    second = demo.run("demo")
    assert second.returncode == 1
    assert f"A demo already runs here: {demo.url} (process {demo.process.pid})" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.journey
def test_a_killed_web_process_comes_back(demo):
    (web,) = [child for child in psutil.Process(demo.process.pid).children() if "memoryproject.web" in child.cmdline()]
    web.kill()
    deadline = time.monotonic() + 60
    while f"web ended (code {-signal.SIGKILL})" not in demo.read_output():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    while subprocess.run(["curl", "-sf", f"{demo.url}/readyz"], capture_output=True, check=False).returncode != 0:
        assert time.monotonic() < deadline
        time.sleep(0.2)


@pytest.mark.journey
def test_ctrl_c_ends_everything_cleanly(demo):
    demo.process.send_signal(signal.SIGINT)
    assert demo.process.wait(timeout=60) == 0
    output = demo.read_output()
    assert output.rstrip().endswith("Stopped.")
    assert "Traceback" not in output
    assert not (postgres_data_dir(demo.data_dir) / "postmaster.pid").exists()
    deadline = time.monotonic() + 5  # PostgreSQL removes its files a moment before it ends
    while (left := find_processes(demo.data_dir)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []
    assert not redis_socket_path(demo.data_dir).exists()
