"""Both conformance suites against a live server: what a transport within the process can't see."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from langgraph.checkpoint.conformance import checkpointer_test, validate
from memory37_langgraph import Memory37Client, Memory37Saver
from memory37_store_conformance import list_cases

from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_tenant
from tests.clients.stores import open_memory37


def check_saver(client: Memory37Client) -> None:
    """Every capability that LangGraph's suite knows of a checkpointer is there."""

    @checkpointer_test(name="Memory37Saver")
    async def make():
        yield Memory37Saver(client)

    report = asyncio.run(validate(make))
    assert [each for result in report.results.values() for each in result.failures] == []
    assert report.passed_all()
    assert sum(result.tests_passed for result in report.results.values()) >= 81


def check_live(url: str) -> None:
    """The checkpointer by LangGraph's suite, the store by ours, each case in a tenant of its own."""
    with _open_client(url, "saver") as client:
        check_saver(client)
    for number, case in enumerate(list_cases()):
        with _open_client(url, f"store-{number}") as client, open_memory37(client) as subject:
            assert case.fits(subject), case.name
            try:
                case.check(subject)
            except AssertionError as error:
                raise AssertionError(case.name) from error


@contextmanager
def _open_client(url: str, slug: str) -> Iterator[Memory37Client]:
    tenant = ensure_tenant(slug=f"conformance-{slug}", name="Conformance")
    key = issue_api_key(tenant_id=tenant.pk, name="agent", scopes=["notebook"], requests_per_minute=1_000_000).text
    client = Memory37Client(url, key)
    try:
        yield client
    finally:
        client.close()
