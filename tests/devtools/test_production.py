"""A process that is told where PostgreSQL and Redis are loads nothing of developers' tools."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHOW_LOADED = """
import sys
import django
django.setup()
import memoryproject.asgi, memoryproject.celery, memoryproject.web
from django.db import connection
from memoryproject.redis import get_redis
connection.vendor, get_redis()
print(sorted(name for name in sys.modules if name.startswith("devtools.")))
"""


def list_loaded(tmp_path, **variables):
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    fixed = {"DJANGO_SETTINGS_MODULE": "memoryproject.settings", "MEMORY37_DATA_DIR": str(tmp_path)}
    process = subprocess.run(
        [sys.executable, "-c", SHOW_LOADED],
        env={**kept, **fixed, "MEMORY37_PROCESS": "command", **variables},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


@pytest.mark.slow
def test_production_loads_no_tool_of_developers(tmp_path):
    loaded = list_loaded(
        tmp_path,
        DATABASE_URL="postgresql://db/memory37",
        REDIS_URL="redis://redis:6379/0",
        SECRET_KEY="s" * 60,
    )
    assert loaded == "[]"


@pytest.mark.slow
def test_a_machine_without_services_loads_them_from_wheels(tmp_path):
    assert "devtools.embedded.redis_connection" in list_loaded(tmp_path)
