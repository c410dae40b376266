"""The test database comes from a template, and tests that commit leave its initial rows behind."""

from __future__ import annotations

import threading
import time

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection, connections, transaction
from django.db.backends.postgresql.creation import DatabaseCreation

from tenancy.models import World
from tests import template_database
from tests.database import close_after
from tests.factories.canon import make_article, publish
from tests.factories.tenants import make_world
from tests.initial_rows import read_initial_rows, restore_rows
from tests.template_database import TemplateCreation

PREFIX = "memory37_try_"


@pytest.fixture
def other(django_db_setup, django_db_blocker, monkeypatch):
    """A connection of its own, whose templates have a table instead of migrations, and how often they were built."""
    django_db_blocker.unblock()
    database = f"{connection.settings_dict['NAME']}_other"
    test = {**connection.settings_dict["TEST"], "NAME": database}
    monkeypatch.setitem(settings.DATABASES, "other", {**connection.settings_dict, "TEST": test})
    wrapper = connections["other"]
    built: list[str] = []

    def migrate(creation, **options):
        name = creation._get_test_db_name()
        built.append(name)
        with creation._nodb_cursor() as cursor:
            cursor.execute(f'CREATE DATABASE "{name}"')
        creation._point_at(name)
        with creation.connection.cursor() as cursor:
            cursor.execute(f"CREATE TABLE build AS SELECT {len(built)} AS number")
        return name

    prefix = f"{PREFIX}{database}_"[:48]
    monkeypatch.setattr(template_database, "PREFIX", prefix)
    monkeypatch.setattr(template_database, "compute_digest", lambda _: "a")
    monkeypatch.setattr(template_database, "may_restore", lambda _: False)
    monkeypatch.setattr(DatabaseCreation, "create_test_db", migrate)
    wrapper.built = built
    yield wrapper
    wrapper.close()
    with wrapper._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{database}"')
        for name in list_templates(wrapper):
            template_database._drop(cursor, name)
    del connections["other"]
    django_db_blocker.restore()


def create(wrapper, **options):
    TemplateCreation(wrapper, **options).create_test_db(serialize=False)
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT number FROM build")
        return cursor.fetchone()[0]


def list_templates(wrapper):
    with wrapper._nodb_cursor() as cursor:
        cursor.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %s) ORDER BY 1", [template_database.PREFIX]
        )
        return [row[0] for row in cursor.fetchall()]


def test_a_template_is_built_once_and_copied_ever_after(other):
    assert [create(other), create(other), create(other)] == [1, 1, 1]
    assert len(other.built) == 1


def test_create_db_builds_the_template_anew_but_once_in_a_run(other, monkeypatch):
    monkeypatch.setattr(template_database, "RUN", "monday")
    create(other)
    monkeypatch.setattr(template_database, "RUN", "tuesday")
    assert create(other, rebuild=True) == 2
    assert create(other, rebuild=True) == 2, "a second worker of the run takes what the first has built"


def test_another_digest_is_another_template_and_those_not_used_for_longest_go(other, monkeypatch):
    for digest in "abcade":
        monkeypatch.setattr(template_database, "compute_digest", lambda _, digest=digest: digest)
        create(other)
    assert [name[-1] for name in list_templates(other)] == ["a", "d", "e"]
    assert len(other.built) == 5


def test_a_build_that_was_killed_is_never_copied(other):
    with other._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{template_database.PREFIX}unfinished"')
    assert create(other) == 1
    assert [name.removeprefix(template_database.PREFIX) for name in list_templates(other)] == ["a"]


def test_the_digest_follows_migrations_and_permissions(db, tmp_path, monkeypatch):
    migration = tmp_path / "0001_initial.py"
    migration.write_text("operations = []")
    monkeypatch.setattr(template_database, "_list_migration_files", lambda: [migration])
    with connection.cursor() as cursor:
        before = template_database.compute_digest(cursor)
        assert template_database.compute_digest(cursor) == before
        migration.write_text("operations = [1]")
        changed = template_database.compute_digest(cursor)
        monkeypatch.setattr(template_database, "_list_permissions", lambda: [["knowledge.Release", "release"]])
        assert len({before, changed, template_database.compute_digest(cursor)}) == 3


def test_every_migration_is_in_the_digest():
    names = {(path.parent.parent.name, path.name[:5]) for path in template_database._list_migration_files()}
    assert {("knowledge", "0001_"), ("auth", "0001_"), ("tenancy", "0001_")} <= names


@pytest.mark.django_db(transaction=True)
def test_initial_rows_come_back_past_triggers_and_sequences_go_on():
    initial = read_initial_rows(connection)
    publish(make_world(), make_article("tower", "The tower is tall."))
    permission = Permission.objects.order_by("pk").last()
    Permission.objects.all().delete()
    ContentType.objects.create(pk=10_000, app_label="none", model="none")
    restore_rows(connection, initial)
    assert read_initial_rows(connection) == initial
    assert Permission.objects.order_by("pk").last() == permission
    first = make_world("again", tenant="again")
    restore_rows(connection, initial)
    assert make_world("again", tenant="again").pk > first.pk


@pytest.mark.django_db(transaction=True)
def test_rows_in_another_order_are_the_same_rows_and_other_rows_are_not():
    initial = read_initial_rows(connection)
    moved = Permission.objects.order_by("pk").first()
    Permission.objects.filter(pk=moved.pk).update(name=moved.name)
    assert read_initial_rows(connection).copies != initial.copies
    assert read_initial_rows(connection) == initial
    Permission.objects.filter(pk=moved.pk).update(name="renamed")
    assert read_initial_rows(connection) != initial


@pytest.mark.django_db(transaction=True)
def test_initial_rows_wait_for_a_late_request_and_lock_nothing_meanwhile():
    """A request that holds a row of one table may still write to another: neither side ends in a deadlock."""
    initial = read_initial_rows(connection)
    world = make_world()
    holds, wrote = threading.Event(), threading.Event()

    def answer_late():
        with transaction.atomic():
            World.objects.select_for_update(of=("self",)).get(pk=world.pk)
            holds.set()
            time.sleep(0.3)
            Permission.objects.update(name="renamed")
        wrote.set()

    late = threading.Thread(target=lambda: close_after(answer_late))
    late.start()
    assert holds.wait(20)
    restore_rows(connection, initial)
    assert wrote.is_set()
    late.join(20)
    assert read_initial_rows(connection) == initial


@pytest.mark.django_db(transaction=True)
def test_a_test_that_commits_begins_with_the_rows_of_the_template():
    """Whatever ran before it: content types and permissions are there, tables that tests write are empty."""
    assert read_initial_rows(connection) == connection.creation.initial_rows
