"""The compiled version: picked up within seconds, kept when the next one is broken, free in between."""

import datetime
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from prometheus_client import REGISTRY

from factcheck.instant import registry as module
from factcheck.instant.core.pattern_rows import PatternSet
from factcheck.instant.core.patterns import CompiledPatterns
from factcheck.instant.registry import CompiledVersion, Registry, get_compiled
from factcheck.models import InstantPattern, PatternPack, PatternVersion
from factcheck.patterns.actions.patterns import switch_pattern_set_off, switch_pattern_set_on
from tenancy.models import Tenant

NOW = datetime.datetime(2026, 2, 10, 12, 0, tzinfo=datetime.UTC)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pattern_set(transactional_db):
    """Tables with one small pattern set: versions compile in no time."""
    pattern_set = PatternPack.objects.create(name="own")
    InstantPattern.objects.create(
        pack=pattern_set, name="first", type="allergy", language="en", pattern="dust makes me sneeze",
        key_rule="concept", key="dust",
    )  # fmt: skip
    return pattern_set


def keys(version: CompiledVersion, text: str, tenant_id: int = 1) -> list[str]:
    return [fact.key for fact in version.extract(text, tenant_id=tenant_id, user_key="u", now=NOW)]


def sample(name: str) -> float:
    return REGISTRY.get_sample_value(name) or 0.0


@pytest.mark.django_db(transaction=True)
def test_empty_tables_serve_what_ships_as_version_zero():
    version = Registry().get()
    assert version.version == 0
    assert keys(version, "I'm allergic to nuts") == ["nuts"]


def test_two_processes_pick_an_edit_up_within_seconds(pattern_set, clock):
    mine, theirs = Registry(clock=clock), Registry(clock=clock)
    with ThreadPoolExecutor(1) as other:
        assert keys(other.submit(theirs.get).result(), "Dust makes me sneeze") == ["dust"]
        old = mine.get()
        InstantPattern.objects.update(pattern="dust makes me cough")
        clock.now += 1.9
        assert mine.get() is old
        clock.now += 0.2
        for registry, call in ((mine, mine.get), (theirs, lambda: other.submit(theirs.get).result())):
            call()
            registry.finish(10)
            new = call()
            assert new.version > old.version
            assert keys(new, "Dust makes me sneeze") == []
            assert keys(new, "Dust makes me cough") == ["dust"]
        other.submit(connections.close_all).result()
    assert sample("memory37_pattern_set_version") == new.version


def test_within_the_interval_no_query_is_made_and_after_it_one(pattern_set, clock):
    registry = Registry(clock=clock)
    registry.get()
    with CaptureQueriesContext(connection) as queries:
        for _ in range(50):
            registry.get()
    assert len(queries) == 0
    clock.now += 2.1
    with CaptureQueriesContext(connection) as queries:
        for _ in range(50):
            registry.get()
    assert len(queries) == 1


def test_broken_row_past_validation_keeps_the_last_good_version(pattern_set, clock):
    registry = Registry(clock=clock)
    good = registry.get()
    failures = sample("memory37_pattern_set_failures_total")
    InstantPattern.objects.update(pattern="(unclosed")
    for _ in range(3):
        clock.now += 3
        registry.get()
        registry.finish(10)
    assert registry.get() is good
    assert sample("memory37_pattern_set_failures_total") == failures + 1
    InstantPattern.objects.update(pattern="pollen makes me sneeze")
    clock.now += 3
    registry.get()
    registry.finish(10)
    assert registry.get().version > good.version


def test_first_version_that_is_broken_gives_way_to_what_ships(pattern_set):
    InstantPattern.objects.update(pattern="(unclosed")
    assert keys(Registry().get(), "I'm allergic to nuts") == ["nuts"]


def test_old_version_serves_while_the_new_one_compiles(pattern_set, clock, monkeypatch):
    registry = Registry(clock=clock)
    old = registry.get()
    release, real = threading.Event(), module.compile_configuration

    def slow(configuration):
        release.wait(10)
        return real(configuration)

    monkeypatch.setattr(module, "compile_configuration", slow)
    InstantPattern.objects.update(pattern="pollen makes me sneeze")
    clock.now += 3
    assert registry.get() is old
    clock.now += 3
    assert registry.get() is old
    release.set()
    registry.finish(10)
    assert registry.get() is not old


def test_database_that_does_not_answer_keeps_the_old_version(pattern_set, clock, monkeypatch):
    from django.db import OperationalError

    registry = Registry(clock=clock)
    old = registry.get()

    def fail() -> str:
        raise OperationalError("gone")

    monkeypatch.setattr(module, "find_stamp", fail)
    clock.now += 3
    assert registry.get() is old


def test_transactions_are_not_asked_and_what_they_roll_back_is_never_served(pattern_set, clock):
    registry = Registry(clock=clock)
    old = registry.get()
    clock.now += 3
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        InstantPattern.objects.update(pattern="pollen makes me sneeze")
        assert registry.get() is old
        transaction.set_rollback(True)
    assert len(queries) == 1
    registry.get()
    registry.finish(10)
    assert registry.get() is old


def test_tenant_switches_a_pattern_set_off_for_itself_alone(pattern_set, clock):
    tenants = [Tenant.objects.create(name=name, slug=name) for name in ("one", "two")]
    registry = Registry(clock=clock)
    registry.get()

    def told() -> list[list[str]]:
        clock.now += 3
        registry.get()
        registry.finish(10)
        return [keys(registry.get(), "Dust makes me sneeze", tenant.pk) for tenant in tenants]

    switch_pattern_set_off(tenant_id=tenants[0].pk, pack_id=pattern_set.pk)
    switch_pattern_set_off(tenant_id=tenants[0].pk, pack_id=pattern_set.pk)
    assert told() == [[], ["dust"]]
    switch_pattern_set_on(tenant_id=tenants[0].pk, pack_id=pattern_set.pk)
    assert told() == [["dust"], ["dust"]]


def test_pattern_set_that_is_off_keeps_its_macros_for_others(pattern_set, clock):
    PatternPack.objects.create(name="words", macros={"thing": "feathers"}, is_active=False)
    InstantPattern.objects.update(pattern="{thing} make me sneeze")
    assert keys(Registry(clock=clock).get(), "Feathers make me sneeze") == ["dust"]


def test_same_users_take_part_and_their_share_is_near_the_percent(clock, concepts_of_nothing):
    from tests.factcheck.instant.test_patterns import _row

    pattern = _row("dust makes me sneeze", key="dust", rollout_percent=30)
    version = CompiledVersion(1, CompiledPatterns([PatternSet("p", patterns=(pattern,))]), concepts_of_nothing)

    def sides(tenant_id: int) -> list[bool]:
        return [
            bool(version.extract("dust makes me sneeze", tenant_id=tenant_id, user_key=str(user), now=NOW))
            for user in range(10_000)
        ]

    first = sides(1)
    assert first == sides(1)
    assert 2_850 < sum(first) < 3_150
    assert first != sides(2)


@pytest.fixture
def concepts_of_nothing():
    from factcheck.instant.core.concepts import ConceptTable

    return ConceptTable([])


@pytest.mark.django_db(transaction=True)
def test_one_transaction_makes_one_version_and_each_way_of_writing_counts(pattern_set):
    def number() -> int:
        return PatternVersion.objects.get().number

    before = number()
    with transaction.atomic():
        InstantPattern.objects.update(priority=1)
        InstantPattern.objects.update(priority=2)
        PatternPack.objects.update(description="new")
    assert number() == before + 1
    with connection.cursor() as cursor:
        cursor.execute("UPDATE factcheck_instantpattern SET priority = 3")
        cursor.execute("DELETE FROM factcheck_instantpattern")
        cursor.execute("TRUNCATE factcheck_concept CASCADE")
    assert number() == before + 4
    with transaction.atomic():
        PatternPack.objects.update(description="newer")
        transaction.set_rollback(True)
    assert number() == before + 4


@pytest.mark.django_db
def test_process_wide_registry_serves():
    assert get_compiled().patterns.patterns
