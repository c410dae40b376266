"""The test database, copied from a template that holds every migration and stays between runs.

A template is named by a digest of all that shapes it. Whoever finds it missing builds it; every other process waits,
then copies it within a fraction of a second.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.creation import DatabaseCreation
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader
from django.test import TransactionTestCase

from tests.initial_rows import InitialRows, may_restore, read_initial_rows, restore_rows

PREFIX = "memory37_template_"
MAX_TEMPLATES = 3
"""Kept for a checkout that changes between branches; each has about 15 MB."""
BUILD_LOCK = 3_737_001
"""Advisory lock of the database ``postgres``, where only tests take locks."""
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"process-{os.getpid()}"
"""All workers of one run share it: they must not rebuild a template that another one copies."""
SHAPING_PACKAGES = ("Django", "django-pgtrigger", "pgvector", "django-simple-history")
"""Their code runs inside migrations, beside the migrations themselves."""


class TemplateCreation(DatabaseCreation):
    """Creates the test database as a copy of the template. ``rebuild`` makes the template anew first."""

    def __init__(self, connection: Any, *, rebuild: bool = False) -> None:
        super().__init__(connection)
        self._rebuild = rebuild
        self.initial_rows: InitialRows | None = None

    def create_test_db(
        self, verbosity: int = 1, autoclobber: bool = False, serialize: bool = True, keepdb: bool = False
    ) -> str:
        """Copy the template, and connect to the copy. Rows for ``serialized_rollback`` are read from it on demand."""
        name = self._get_test_db_name()
        self.connection.close()
        with self._nodb_cursor() as cursor:
            template = PREFIX + compute_digest(cursor)
            with _build_lock(cursor):
                if not _exists(cursor, template) or (self._rebuild and not _is_of_this_run(cursor, template)):
                    self._build(cursor, template, verbosity)
                _note_use(cursor, template)
                cursor.execute(f"DROP DATABASE IF EXISTS {self._quote_name(name)}")
                cursor.execute(f"CREATE DATABASE {self._quote_name(name)} TEMPLATE {self._quote_name(template)}")
        self._point_at(name)
        if serialize:
            self.connection._test_serialized_contents = self.serialize_db_to_string()
        self.initial_rows = read_initial_rows(self.connection) if may_restore(self.connection) else None
        return name

    def _build(self, cursor: CursorWrapper, template: str, verbosity: int) -> None:
        """Migrate under another name: a build that was killed is never taken for a template."""
        unfinished = f"{PREFIX}unfinished"
        _drop(cursor, template)
        _drop(cursor, unfinished)
        original, test = self.connection.settings_dict["NAME"], self.connection.settings_dict["TEST"]
        wanted = test.get("NAME")
        try:
            test["NAME"] = unfinished
            super().create_test_db(verbosity=verbosity, autoclobber=True, serialize=False)
        finally:
            self.connection.close()
            self.connection.close_pool()
            test["NAME"] = wanted
            self._point_at(original)
        quoted = self._quote_name(template)
        cursor.execute(f"ALTER DATABASE {self._quote_name(unfinished)} RENAME TO {quoted}")
        cursor.execute(f"ALTER DATABASE {quoted} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false")

    def _point_at(self, name: str) -> None:
        self.connection.close()
        settings.DATABASES[self.connection.alias]["NAME"] = name
        self.connection.settings_dict["NAME"] = name


def use_templates(connection: BaseDatabaseWrapper, *, rebuild: bool) -> None:
    """Create the test database from a template, and bring it back to its initial rows after tests that commit."""
    creation = connection.creation = TemplateCreation(connection, rebuild=rebuild)
    flush = TransactionTestCase._fixture_teardown

    def restore(test: TransactionTestCase) -> None:
        if creation.initial_rows is None or test.available_apps is not None:
            flush(test)
        else:
            restore_rows(connections[connection.alias], creation.initial_rows)

    TransactionTestCase._fixture_teardown = restore  # TestCase, which rolls back, has one of its own


def compute_digest(cursor: CursorWrapper) -> str:
    """Twelve characters that change with whatever shapes the template: migrations, models' permissions, versions."""
    digest = hashlib.sha256()
    for path in _list_migration_files():
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(json.dumps([*_list_versions(cursor), *_list_permissions()]).encode())
    return digest.hexdigest()[:12]


def _list_migration_files() -> list[Path]:
    """Every file beside the migrations of every app: Python, and SQL that they read."""
    files: list[Path] = []
    for app in sorted(apps.get_app_configs(), key=lambda app: app.label):
        name, _ = MigrationLoader.migrations_module(app.label)
        try:
            module = importlib.import_module(name) if name else None
        except ModuleNotFoundError:
            continue
        if module is not None and module.__file__:
            folder = Path(module.__file__).parent
            files += sorted(path for path in folder.rglob("*") if path.suffix in {".py", ".sql"})
    return files


def _list_versions(cursor: CursorWrapper) -> list[str]:
    cursor.execute(
        "SELECT current_setting('server_version') UNION ALL"
        " SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
    )
    return [row[0] for row in cursor.fetchall()] + [version(name) for name in SHAPING_PACKAGES]


def _list_permissions() -> list[list[Any]]:
    """What ``post_migrate`` writes: content types and permissions follow the models, not the migrations."""
    return [
        [model._meta.label, str(model._meta.verbose_name), list(model._meta.default_permissions)]
        + [list(map(str, permission)) for permission in model._meta.permissions]
        for model in sorted(apps.get_models(include_auto_created=True), key=lambda model: model._meta.label)
    ]


@contextmanager
def _build_lock(cursor: CursorWrapper) -> Iterator[None]:
    """One process builds or drops templates at a time. Ends with the connection if the process does."""
    cursor.execute("SELECT pg_advisory_lock(%s)", [BUILD_LOCK])
    try:
        yield
    finally:
        cursor.execute("SELECT pg_advisory_unlock(%s)", [BUILD_LOCK])


def _note_use(cursor: CursorWrapper, template: str) -> None:
    """Mark the template as used now, by this run, and drop those that were not used for longest."""
    cursor.execute("SELECT quote_literal(concat_ws(' ', to_char(now(), 'YYYY-MM-DD HH24:MI:SS.US'), %s))", [RUN])
    cursor.execute(f'COMMENT ON DATABASE "{template}" IS {cursor.fetchone()[0]}')
    cursor.execute(
        "SELECT datname FROM pg_database WHERE starts_with(datname, %s)"
        " ORDER BY shobj_description(oid, 'pg_database') DESC NULLS LAST OFFSET %s",
        [PREFIX, MAX_TEMPLATES],
    )
    for (stale,) in cursor.fetchall():
        _drop(cursor, stale)


def _is_of_this_run(cursor: CursorWrapper, template: str) -> bool:
    """Whether another worker of this run has made, or made anew, the template."""
    cursor.execute("SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s", [template])
    return str(cursor.fetchone()[0]).endswith(f" {RUN}")


def _exists(cursor: CursorWrapper, name: str) -> bool:
    cursor.execute("SELECT EXISTS (SELECT FROM pg_database WHERE datname = %s)", [name])
    return bool(cursor.fetchone()[0])


def _drop(cursor: CursorWrapper, name: str) -> None:
    if _exists(cursor, name):
        cursor.execute(f'ALTER DATABASE "{name}" WITH IS_TEMPLATE false')
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
