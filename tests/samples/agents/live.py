"""The agent in LangGraph against a live server: what tests within a process can't see."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

from django.conf import settings
from memory37_langgraph import Memory37Client, Memory37Store

from tests.loopback_openai import serve_openai

PATH = settings.BASE_DIR / "samples" / "agents" / "langgraph_agent.py"
PATIENCE_SECONDS = 60


def speak(body):
    """A model that remembers a lamp, and orders what it is asked to buy."""
    said = body["messages"][-1]["content"]
    if "buy" in said.casefold():
        return 'A good idea.\nBUY: {"what": "a brass lamp", "price": 12}'
    return "Noted.\nREMEMBER: She reads by a brass lamp at night"


def answer_question(client, thread, value):
    """A person answers the one question of a thread."""
    [question] = client.request("GET", f"threads/{thread}/interrupts")["data"]
    path = f"threads/{thread}/interrupts/{question['interrupt_id']}/resume"
    return client.request("POST", path, json={"value": value})


def check_killed_agent(url: str, key: str) -> None:
    """One process of the agent is killed while it waits for a person; another one goes on where it stopped."""
    with serve_openai(chat=speak) as model:
        environment = {
            **os.environ, "M37": url, "AGENT_KEY": key, "OPENAI_BASE_URL": model.url, "OPENAI_MODEL": "loopback",
            "PYTHONPATH": str(settings.BASE_DIR / "clients" / "langgraph" / "src"),
        }  # fmt: skip
        command = [sys.executable, str(PATH), "--thread", "shop-1", "--user", "reader-7"]
        _kill_while_it_waits([*command, "--say", "Buy me a lamp."], environment)
        with Memory37Client(url, key) as client:
            answer_question(client, "shop-1", {"approved": True})
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
            )
            assert (done.returncode, done.stdout) == (0, "I bought a brass lamp for 12.\n"), done.stderr
            [order] = Memory37Store(client).search(("orders", "reader-7"))
        assert order.value == {"what": "a brass lamp", "price": 12, "note": ""}
        assert len(model.requests) == 1


def _kill_while_it_waits(command, environment):
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    watch = threading.Timer(PATIENCE_SECONDS, process.kill)
    watch.start()
    assert process.stdout.readline() == b"waiting: Buy a brass lamp for 12?\n"
    watch.cancel()
    process.kill()
    assert process.wait() == -signal.SIGKILL
    process.stdout.close()
