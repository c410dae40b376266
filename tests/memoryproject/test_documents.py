"""What the documents promise is true of the code."""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = sorted((ROOT / "memoryproject" / "settings").glob("*.py"))


def test_every_variable_that_settings_read_is_described():
    described = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", (ROOT / "docs" / "configuration.md").read_text()))
    read = {name for path in SETTINGS for name in re.findall(r"read_\w+\(\s*\"([A-Z][A-Z0-9_]+)\"", path.read_text())}
    assert len(read) > 20
    assert read - described == set()


def test_every_variable_of_the_example_is_described():
    described = (ROOT / "docs" / "configuration.md").read_text()
    names = re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert [name for name in names if f"`{name}`" not in described and name != "POSTGRES_PASSWORD"] == []


def test_compose_runs_commands_that_exist_and_starts_after_the_migrations():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert set(services) == {"db", "redis", "migrate", "web", "worker", "beat", "encoder"}
    assert services["migrate"]["command"] == ["python", "manage.py", "migrate", "--noinput"]
    for name in ("web", "worker", "beat"):
        assert services[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
        assert services[name]["environment"]["MEMORY37_PROCESS"] == name
        assert "DATABASE_URL" in services[name]["environment"]
    assert services["encoder"]["profiles"] == ["encoder"]
    assert services["encoder"]["command"][2] in get_commands()


def test_the_image_starts_what_the_project_has():
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert 'CMD ["python", "-m", "memoryproject.web"]' in dockerfile
    assert "USER memory37" in dockerfile
    assert (ROOT / "memoryproject" / "web.py").is_file()


def test_requirements_are_pinned():
    for name in ("requirements.txt", "requirements-dev.txt"):
        lines = [line for line in (ROOT / name).read_text().splitlines() if line and not line.startswith(("#", "-r"))]
        assert len(lines) > 20
        assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[^\s;]+( ; .*)?", line)] == []
