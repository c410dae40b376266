"""The database past the ORM: what it refuses, and what calls on connections of their own see."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from django.db import IntegrityError, connection, connections, transaction

T = TypeVar("T")


def assert_refused(rule: str, statement: str, parameters: Sequence[Any] = ()) -> str:
    """The database's refusal of a statement, which names the rule (a regular expression)."""
    with pytest.raises(IntegrityError, match=rule) as caught, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)
    return str(caught.value)


def check_constraints() -> None:
    """Ask at once what waits for the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def close_after(call: Callable[[], T]) -> T:
    """What a call returns on another thread; its connections are closed behind it."""
    try:
        return call()
    finally:
        connections.close_all()


def run_apart(*calls: Callable[[], Any], at_once: bool = False) -> list[Any]:
    """What the calls return, each on a thread and a connection of its own; begun in the same moment if `at_once`."""
    barrier = threading.Barrier(len(calls) if at_once else 1)

    def run(call: Callable[[], Any]) -> Any:
        barrier.wait(20)
        return close_after(call)

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(run, call) for call in calls]]
