"""What the guides tell people to run works, and what they list is whole."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from devtools.demo.load import load_sample_world
from episodes.models import ArtCard, Campaign, Conversation, EpisodicSummary, EventFact, ForgetReceipt, Message
from knowledge.canon.models import Publication, Release
from knowledge.facts.models import MemoryCorrection, UserFact
from npcs.models import DispositionEntry, NpcPersona
from reviews.models import ChangeRequest, GoldenQuery
from runtime.models import Trace
from tenancy.models import EndUser
from tests.clients.conformance import check_live
from tests.journeys.conftest import answers, running
from tests.openapi import inline_components, load_openapi
from tests.samples.agents.live import check_killed_agent
from tests.waiting import wait_for

ROOT = Path(settings.BASE_DIR)
GUIDES = ROOT / "docs" / "guides"
INTEGRATORS = [
    *sorted(GUIDES.glob("integrators*.md")), GUIDES / "lorebooks.md", GUIDES / "notebook.md", GUIDES / "threads.md",
]  # fmt: skip
SAMPLE = (
    EndUser, Conversation, Message, UserFact, MemoryCorrection, ForgetReceipt, Trace, Campaign, EpisodicSummary,
    EventFact, ArtCard, NpcPersona, DispositionEntry, Publication, Release, ChangeRequest, GoldenQuery,
)  # fmt: skip
MARK = "--- block"
CURL_THAT_FAILS = 'set -e; curl() { command curl --fail-with-body "$@"; echo; }\n'


def read_blocks(path, language):
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def read_integrators_guides():
    return "\n".join(path.read_text(encoding="utf-8") for path in INTEGRATORS)


def read_operations():
    document = inline_components(load_openapi())
    return {(path, method): each for path, group in document["paths"].items() for method, each in group.items()}


@pytest.fixture
def service(db, redis, tmp_path, settings):
    """The web process over the sample world; what the guide's commands find in their environment."""
    settings.DATA_DIR = tmp_path
    sample = load_sample_world()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with running(["memoryproject.web", "--port", str(port), "--workers", "1"], tmp_path / "web.log", process="web"):
        wait_for(lambda: answers(f"{url}/readyz"), f"web: {tmp_path / 'web.log'}")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        names = {"KEY": "read", "TENANT_KEY": "tenant"}
        names |= {f"{scope.upper()}_KEY": scope for scope in ("editor", "engine", "notebook")}
        keys = {name: sample.keys[scope] for name, scope in names.items()}
        yield {**os.environ, "PATH": path, "M37": url, **keys}


@pytest.mark.journey
@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_every_command_of_the_integrators_guides_succeeds_and_leaves_the_sample_as_it_is(service):
    before = read_sample()
    assert all(before.values()), {name: len(rows) for name, rows in before.items()}
    for path in INTEGRATORS:
        blocks = read_blocks(path, "sh")
        commands = "".join(f"echo '{MARK} {number}'\n{block}" for number, block in enumerate(blocks))
        done = subprocess.run(
            ["bash", "-c", f"{CURL_THAT_FAILS}{commands}"],
            cwd=ROOT, env=service, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, f"{path.name}: {done.stdout.rpartition(MARK)[2]}\n{done.stderr}"
        assert done.stdout.count(MARK) == len(blocks)
    # The example agent and both conformance suites run here as well: this journey has the server that they take.
    check_killed_agent(service["M37"], service["NOTEBOOK_KEY"])
    check_live(service["M37"])
    after = read_sample()
    for name, rows in before.items():
        assert {key: after[name].get(key) for key in rows} == rows, name


def read_sample() -> dict[str, dict[object, dict]]:
    """Every row of what the sample holds, by model and key."""
    return {model.__name__: {row[model._meta.pk.attname]: row for row in model.objects.values()} for model in SAMPLE}


def test_the_guide_names_every_operation():
    told = read_integrators_guides()
    for path, method in read_operations():
        called = re.escape(path).replace(r"\{", "{").replace(r"\}", "}")
        called = re.sub(r"\{[^}]*\}", r"[^/\"?\\s]+", called)
        assert re.search(rf"\$M37{called}[\"?]", told), f"{method} {path}"


@pytest.mark.parametrize(
    "path", [*sorted(GUIDES.glob("*.md")), ROOT / "docs" / "metrics.md"], ids=lambda path: path.name
)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{path.name}: {target}"
