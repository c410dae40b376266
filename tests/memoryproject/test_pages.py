from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import browsers

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_superuser_signs_in_and_reads_the_api_documentation_offline(page, live_server, django_user_model):
    django_user_model.objects.create_superuser("owner", password="correct horse battery")
    foreign: list[str] = []
    page.on("request", lambda request: request.url.startswith(live_server.url) or foreign.append(request.url))
    page.goto(f"{live_server.url}/admin/")
    page.fill("input[name=username]", "owner")
    page.fill("input[name=password]", "correct horse battery")
    page.click("button[type=submit]")
    page.wait_for_url(f"{live_server.url}/admin/")
    page.goto(f"{live_server.url}/api/docs/")
    page.wait_for_selector(".swagger-ui .info .title", timeout=60_000)
    assert [url for url in foreign if not url.startswith("data:")] == []


@pytest.fixture
def run_browser_test(tmp_path):
    """Runs one test marked ``browser`` on a machine without Chromium."""

    def run(**variables: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "test_one.py").write_text(
            "import pytest\n@pytest.mark.browser\ndef test_page(): pass\ndef test_other(): pass\n"
        )
        code = (
            "import sys, pytest; sys.path.insert(0, sys.argv[1])\n"
            "from tests import browsers, conftest; conftest.find_chromium = lambda: None\n"
            "sys.exit(pytest.main(['-p', 'tests.conftest', '-q', '--rootdir', sys.argv[2], '-c', '/dev/null',"
            " '-p', 'no:django', '-p', 'no:cacheprovider', sys.argv[2]]))"
        )
        return subprocess.run(
            [sys.executable, "-c", code, str(ROOT), str(tmp_path)],
            env={"PATH": "/usr/bin:/bin", "MEMORY37_DATA_DIR": str(tmp_path / "data"), **variables,
                 "DJANGO_SETTINGS_MODULE": "memoryproject.settings", "PYTEST_XDIST_WORKER": "gw0"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def test_without_chromium_the_last_lines_say_that_browser_tests_did_not_run(run_browser_test):
    shown = run_browser_test()
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "1 passed, 1 deselected" in shown.stdout
    assert any("Browser tests did NOT run" in line for line in shown.stdout.splitlines()[-4:])


def test_ci_without_chromium_fails(run_browser_test):
    shown = run_browser_test(CI="true")
    assert shown.returncode != 0
    assert "No Chromium for the browser tests" in shown.stdout + shown.stderr


def test_a_chromium_of_playwright_is_found_where_the_system_has_none(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert browsers.find_chromium() is None
    binary = tmp_path / "chromium-1200" / "chrome-linux64" / "chrome"
    binary.parent.mkdir(parents=True)
    binary.touch()
    assert browsers.find_chromium() == str(binary)
