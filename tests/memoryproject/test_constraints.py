"""One table from rules of the database to domain errors, and nobody reads the words of an error instead."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction

from memoryproject.constraints import (
    atomic_write,
    find_constraint,
    is_unique_violation,
    list_constraint_errors,
    register_constraint_errors,
)
from memoryproject.errors import ConflictError
from reviews.errors import CONSTRAINT_ERRORS
from tenancy.models import Tenant

APPS = ("memoryproject", "tenancy", "knowledge", "npcs", "episodes", "factcheck", "reviews", "runtime")
READ_BY_WORDS = {
    "knowledge/search/embedding/openai_compatible.py": "an endpoint that does not know `dimensions` says so in words",
    "memoryproject/outages.py": "PostgreSQL has no code of its own for NUL in JSON",
}


@pytest.fixture
def made_up(db):
    """A rule that refuses tenants with an empty name, and whose error is registered as a conflict."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tenancy_tenant ADD CONSTRAINT made_up_rule CHECK (name <> 'refused')")
    known = dict(list_constraint_errors())
    register_constraint_errors({"made_up_rule": (ConflictError, "It can't be called that.")})
    yield
    from memoryproject import constraints

    constraints._ERRORS.clear()
    constraints._ERRORS.update(known)


def test_the_apps_have_joined_the_table():
    known = list_constraint_errors()
    assert CONSTRAINT_ERRORS.items() <= known.items()
    assert {"disposition_scale_holds_values", "graph_entity_not_same", "event_node_range_free"} <= known.keys()


def test_every_name_is_one_of_a_rule_of_the_database(db):
    with connection.cursor() as cursor:
        cursor.execute("SELECT conname FROM pg_constraint UNION SELECT indexname FROM pg_indexes")
        names = {name for (name,) in cursor.fetchall()}
        cursor.execute("SELECT prosrc FROM pg_proc WHERE prorettype = 'trigger'::regtype")
        sources = " ".join(source for (source,) in cursor.fetchall())
    raised = set(re.findall(r"'([a-z_]+)'", sources))
    assert "npc_same_tenant" in raised
    assert sorted(list_constraint_errors().keys() - names - raised) == []


def test_a_rule_of_the_table_is_raised_as_its_error_and_undoes_the_write(made_up):
    with pytest.raises(ConflictError, match="can't be called that"), atomic_write():
        Tenant.objects.bulk_create([Tenant(slug="kept", name="kept"), Tenant(slug="refused", name="refused")])
    assert not Tenant.objects.exists()


def test_another_rule_stays_what_it_is(db):
    Tenant.objects.create(slug="one", name="one")
    with pytest.raises(IntegrityError) as refused, atomic_write():
        Tenant.objects.create(slug="one", name="two")
    assert is_unique_violation(refused.value)
    assert find_constraint(refused.value).startswith("tenancy_tenant_slug")


def test_an_error_that_bears_no_name_has_none(db):
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        Tenant.objects.create(slug="one", name=None)
    assert find_constraint(refused.value) == ""
    assert not is_unique_violation(refused.value)


def test_nobody_reads_the_words_of_an_error():
    found = {
        path.relative_to(settings.BASE_DIR).as_posix()
        for app in APPS
        for path in Path(settings.BASE_DIR / app).rglob("*.py")
        if re.search(r" in str\((error|exc|exception)\)", path.read_text(encoding="utf-8"))
    }
    assert found == set(READ_BY_WORDS)
