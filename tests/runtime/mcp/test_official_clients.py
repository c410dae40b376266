"""The other official clients against the running endpoint: Python 1.x and TypeScript. `make clients` installs them."""

import os
import shutil
import subprocess

import pytest
from django.conf import settings

pytestmark = pytest.mark.slow

CLIENTS = settings.BASE_DIR / "qa" / "clients"
PYTHON_1 = CLIENTS / "python1" / ".venv" / "bin" / "python"
TYPESCRIPT = CLIENTS / "typescript"


def lack(reason):
    """Skips with the reason; in CI, which installs everything, fails."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason} .ci/run installs it.")
    pytest.skip(reason)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_typescript_sdk_reads_answers_and_errors(rpc):
    node = shutil.which("node")
    if node is None:
        lack("Node.js is not installed, so the official TypeScript SDK can not run.")
    if not (TYPESCRIPT / "node_modules" / "@modelcontextprotocol").is_dir():
        lack("The official TypeScript SDK is not installed: run `make clients`.")
    told = run(node, str(TYPESCRIPT / "mcp_client.mjs"), rpc.url, rpc.key)
    assert told.count("ok ") == 14, told
    assert "WRONG" not in told


def test_the_python_sdk_1_reads_answers_and_errors(rpc):
    if not PYTHON_1.exists():
        lack("Version 1 of the official Python SDK is not installed: run `make clients`.")
    told = run(str(PYTHON_1), str(CLIENTS / "mcp_client.py"), rpc.url, rpc.key)
    assert told.startswith("mcp 1.")
    assert "rule_lookup_needs_one" in told
