"""What the guides tell people to run works, and what they list is whole."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from runtime.demo.load import load_sample_world
from tests.journeys.conftest import answers, running, wait_for

ROOT = Path(settings.BASE_DIR)
GUIDES = ROOT / "docs" / "guides"
INTEGRATORS = sorted(GUIDES.glob("integrators*.md"))
CURL_THAT_FAILS = 'set -e; curl() { command curl --fail-with-body "$@"; echo; }\n'


def read_blocks(path, language):
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def read_integrators_guides():
    return "\n".join(path.read_text(encoding="utf-8") for path in INTEGRATORS)


def read_operations():
    document = yaml.safe_load((ROOT / "docs" / "openapi.yaml").read_text(encoding="utf-8"))
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
    with running(["memoryproject.web", "--port", str(port)], tmp_path / "web.log", process="web"):
        wait_for(lambda: answers(f"{url}/readyz"), f"web: {tmp_path / 'web.log'}")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        names = {"KEY": "read", "EDITOR_KEY": "editor", "ENGINE_KEY": "engine"}
        keys = {name: sample.keys[scope] for name, scope in names.items()}
        yield {**os.environ, "PATH": path, "M37": url, **keys}


@pytest.mark.journey
@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_every_command_of_the_integrators_guides_succeeds(service):
    blocks = [block for path in INTEGRATORS for block in read_blocks(path, "sh")]
    assert sum(block.count("curl") for block in blocks) >= 15
    for block in blocks:
        done = subprocess.run(
            ["bash", "-c", f"{CURL_THAT_FAILS}{block}"],
            cwd=ROOT, env=service, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"


def test_the_guide_names_every_operation():
    told = read_integrators_guides()
    for path, method in read_operations():
        called = re.escape(path).replace(r"\{", "{").replace(r"\}", "}")
        called = re.sub(r"\{[^}]*\}", r"[^/\"?\\s]+", called)
        assert re.search(rf"\$M37{called}[\"?]", told), f"{method} {path}"


def test_the_guide_lists_every_code_of_the_openapi_document():
    listed = set(re.findall(r"`([a-z_0-9]+)`", read_integrators_guides()))
    codes = {
        example["value"]["code"]
        for operation in read_operations().values()
        for status, response in operation["responses"].items()
        if int(status) >= 400
        for media in response["content"].values()
        for example in media["examples"].values()
    }
    assert len(codes) > 30
    assert codes <= listed, sorted(codes - listed)


@pytest.mark.parametrize(
    "path", [*sorted(GUIDES.glob("*.md")), ROOT / "docs" / "metrics.md"], ids=lambda path: path.name
)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{path.name}: {target}"
