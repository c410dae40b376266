from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from devtools.supervisor import ChildSpec, Supervisor, read_last_lines
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"
)
WITH_GRANDCHILD = (
    "import subprocess, sys, time; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
    "print(p.pid, flush=True); time.sleep(60)"
)


def build_spec(tmp_path: Path, code: str, name: str = "child") -> ChildSpec:
    return ChildSpec(name=name, command=[sys.executable, "-c", code], log_path=tmp_path / f"{name}.log")


@pytest.fixture
def supervise(tmp_path):
    supervisors: list[Supervisor] = []

    def build(*codes: str, said: list[str] | None = None) -> Supervisor:
        specs = [build_spec(tmp_path, code, f"child{place}") for place, code in enumerate(codes)]
        supervisor = Supervisor(specs, announce=(said if said is not None else []).append)
        supervisors.append(supervisor)
        supervisor.start()
        return supervisor

    yield build
    for supervisor in supervisors:
        supervisor.stop(timeout_seconds=0)


def test_a_crashed_child_is_started_again_after_a_pause(supervise):
    said: list[str] = []
    supervisor = supervise("import sys; print('oops', flush=True); sys.exit(3)", said=said)
    child = supervisor.children[0]
    first_pid = child.process.pid
    wait_for(lambda: not child.is_running())
    assert read_last_lines(child.spec.log_path) == "oops"
    supervisor.tick()
    assert "child0 ended (code 3); starting it again in 1 s" in said[0]
    supervisor.tick()
    assert child.process.pid == first_pid
    child.restart_at = time.monotonic()
    supervisor.tick()
    assert child.process.pid != first_pid


def test_the_pause_doubles_up_to_a_limit_and_a_steady_run_resets_it(supervise):
    child = supervise("pass").children[0]
    assert [child.plan_restart() for _ in range(7)] == [1, 2, 4, 8, 16, 30, 30]
    child.started_at = time.monotonic() - 61
    assert child.plan_restart() == 1


def test_stop_ends_willing_and_stubborn_children(supervise):
    supervisor = supervise("import time; time.sleep(60)", STUBBORN)
    wait_for(lambda: read_last_lines(supervisor.children[1].spec.log_path) == "deaf")
    supervisor.stop(timeout_seconds=0.3)
    assert [child.process.returncode for child in supervisor.children] == [-signal.SIGTERM, -signal.SIGKILL]


def test_stop_leaves_no_grandchild(supervise):
    supervisor = supervise(WITH_GRANDCHILD)
    grandchild = int(wait_for(lambda: read_last_lines(supervisor.children[0].spec.log_path)))
    supervisor.stop(timeout_seconds=5)
    wait_for(lambda: not psutil.pid_exists(grandchild) or psutil.Process(grandchild).status() == psutil.STATUS_ZOMBIE)


def test_children_end_when_their_supervisor_is_killed(tmp_path):
    code = """
import sys, time
from pathlib import Path
from devtools.supervisor import ChildSpec, Supervisor
spec = ChildSpec(name="c", command=[sys.executable, "-c", "import time; time.sleep(60)"], log_path=Path(sys.argv[1]))
supervisor = Supervisor([spec], announce=print)
supervisor.start()
print(supervisor.children[0].process.pid, flush=True)
time.sleep(60)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code, tmp_path / "c.log"], stdout=subprocess.PIPE, cwd=Path.cwd()
    ) as parent:
        child = int(parent.stdout.readline())
        assert psutil.pid_exists(child)
        parent.kill()
    wait_for(lambda: not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE)
