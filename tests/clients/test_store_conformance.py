"""The conformance suite of stores, on LangGraph's two and on ours."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from django.conf import settings
from langgraph.store.memory import InMemoryStore
from memory37_langgraph import Memory37Client
from memory37_store_conformance import Capability, Subject, list_cases, list_disagreements, run

from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_tenant
from tests.clients import stores
from tests.clients.transport import DjangoTransport

CASES = list_cases()
QUESTIONS = list_disagreements()
ASYNC_PREFIXES = ("an_item_", "a_deleted_", "answers_", "of_two_", "a_label_with", "namespaces_are", "all_members",
                  "the_item_", "a_get_puts", "a_search_puts")  # fmt: skip
"""One case of each method is enough to see that the async side is the same: it sends the same calls."""
BOTH_SIDES = [(each, side) for each in CASES for side in ("sync", "async")
              if side == "sync" or each.name.startswith(ASYNC_PREFIXES)]  # fmt: skip
IDS = [f"{each.name}-{side}" for each, side in BOTH_SIDES]


@pytest.fixture(scope="module")
def open_postgres():
    with ExitStack() as stack:
        yield stores.make_postgres(stack)


@pytest.fixture
def ours(db, redis):
    tenant = ensure_tenant(slug="studio", name="Studio")
    key = issue_api_key(tenant_id=tenant.pk, name="agent", scopes=["notebook"], requests_per_minute=1_000_000).text
    transport = DjangoTransport()
    client = Memory37Client("http://memory37.test", key, transport=transport, async_transport=transport)
    with stores.open_memory37(client) as subject:
        yield subject


def check(case, side, subject):
    if not case.fits(subject):
        pytest.skip("the store can't do that")
    if side == "sync":
        case.check(subject)
        return
    with stores.by_async_side(subject) as twin:
        case.check(twin)


def test_the_suite_is_large_enough():
    assert len(CASES) >= 100
    assert {need for each in CASES for need in each.needs} == set(Capability)


def test_every_case_holds_for_the_store_in_memory():
    for case, side in BOTH_SIDES:
        with stores.open_memory() as subject:
            if case.fits(subject):
                try:
                    check(case, side, subject)
                except AssertionError as error:
                    raise AssertionError(f"{case.name} ({side})") from error


def test_every_case_holds_for_the_store_in_postgres(open_postgres):
    for case, side in BOTH_SIDES:
        with open_postgres() as subject:
            try:
                check(case, side, subject)
            except AssertionError as error:
                raise AssertionError(f"{case.name} ({side})") from error


@pytest.mark.parametrize(("case", "side"), BOTH_SIDES, ids=IDS)
def test_a_case_holds_for_our_store(ours, case, side):
    check(case, side, ours)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each.name)
def test_what_stores_disagree_about_is_as_described(question, ours, open_postgres):
    seen = {}
    with stores.open_memory() as memory, open_postgres() as postgres:
        for subject in (memory, postgres, ours):
            if question.needs <= subject.capabilities:
                seen[type(subject.store).__name__] = question.observe(subject)
    assert seen == dict(question.seen)
    assert len(set(seen.values())) > 1


class Forgetful(InMemoryStore):
    """A store that keeps nothing."""

    def batch(self, ops):
        return [None for _ in ops]


def test_a_store_that_keeps_nothing_is_found_out():
    from contextlib import nullcontext

    report = run(lambda: nullcontext(Subject(Forgetful(), frozenset())))
    assert not report.is_conformant
    assert len(report.failed) > 50
    assert len(report.skipped) == sum(1 for case in CASES if case.needs)


def test_a_conformant_store_is_reported_so():
    report = run(stores.open_memory)
    assert report.is_conformant, report.failed
    assert report.observed["truth_and_one"] == "one,true"


def test_the_page_tells_what_was_seen():
    page = (settings.BASE_DIR / "clients" / "langgraph" / "CONFORMANCE.md").read_text(encoding="utf-8")
    assert f"{len(CASES)} cases" in page
    for each in QUESTIONS:
        answers = [each.seen.get(name, "–") for name in ("InMemoryStore", "PostgresStore", "Memory37Store")]
        assert f"| {each.question} | {' | '.join(answers)} |" in page
