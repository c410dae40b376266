from __future__ import annotations

import asyncio
import json
import logging

import pytest
from django.test import AsyncClient, Client

from memoryproject.log_format import describe_error
from memoryproject.request_log import choose_request_id, describe_caller, get_request_id, record_request
from tests.memoryproject.urls_for_problems import database_error

pytestmark = pytest.mark.urls("tests.memoryproject.urls_for_problems")


@pytest.fixture
def log_lines(caplog):
    """The lines that the configured handler would write, as objects."""
    formatter = next(handler for handler in logging.getLogger().handlers if handler.name == "console").formatter

    def read() -> list[dict]:
        return [json.loads(formatter.format(record)) for record in caplog.records]

    caplog.set_level(logging.INFO)
    return read


@pytest.mark.parametrize("offered", ["a", "0e8f-77", "trace:1/2+3=", "x" * 128])
def test_a_plain_request_id_is_kept(offered):
    assert choose_request_id(offered) == offered


@pytest.mark.parametrize("offered", [None, "", "x" * 129, "two words", "новый", "a\nb", "<script>", "a\n"])
def test_any_other_request_id_is_replaced(offered):
    chosen = choose_request_id(offered)
    assert chosen != offered
    assert len(chosen) == 32


def test_access_log_says_who_asked_which_path_and_never_the_query(log_lines):
    Client().get("/plain?q=my+secret+diary", headers={"X-Request-ID": "r-1"})
    (line,) = [line for line in log_lines() if line["logger"] == "memory37.access"]
    assert (line["method"], line["path"], line["status"], line["request_id"]) == ("GET", "/plain", 200, "r-1")
    assert line["ms"] >= 0
    assert "diary" not in json.dumps(line)


def test_the_caller_is_in_the_access_log_and_gone_afterwards(log_lines):
    with record_request(method="GET", path="/x", offered_id="r-2") as record:
        describe_caller(tenant="studio", key_prefix="m37_ab")
        record.status = 204
        assert get_request_id() == "r-2"
    assert get_request_id() == ""
    logging.getLogger("later").warning("later")
    access, later = log_lines()
    assert (access["tenant"], access["key_prefix"], access["status"]) == ("studio", "m37_ab", 204)
    assert "tenant" not in later
    assert "request_id" not in later


def test_an_unforeseen_error_is_logged_with_its_place_and_request_id(log_lines):
    Client(raise_request_exception=False).get("/api/v1/fail/surprise", headers={"X-Request-ID": "r-3"})
    (line,) = [line for line in log_lines() if line["event"] == "unhandled_error"]
    assert line["request_id"] == "r-3"
    assert line["error"] == "builtins.RuntimeError: a surprise with a detail"
    assert any("urls_for_problems.py" in frame for frame in line["stack"])


def test_database_errors_are_logged_without_the_row_they_quote(log_lines):
    import django.db

    assert describe_error(database_error(django.db.DataError, "22012")) == "django.db.utils.DataError (22012)"
    Client(raise_request_exception=False).get("/api/v1/fail/our-bug")
    Client(raise_request_exception=False).get("/page-fail/our-bug")
    assert "diary" not in json.dumps(log_lines())


async def _ask(path: str):
    return await AsyncClient().get(path, headers={"X-Request-ID": "r-4"})


def test_the_request_id_reaches_views_under_asgi():
    import asyncio

    response = asyncio.run(_ask("/api/v1/fail/missing"))
    assert response.json()["request_id"] == "r-4" == response.headers["X-Request-ID"]


def test_a_client_that_hangs_up_is_not_logged_as_our_failure():
    with pytest.raises(asyncio.CancelledError), record_request(method="GET", path="/x", offered_id=None) as record:
        raise asyncio.CancelledError
    assert record.status == 499
