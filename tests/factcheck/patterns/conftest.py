from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection, transaction

from factcheck.models import InstantPattern, PatternPack
from factcheck.patterns.actions.files import LoadReport, load_shipped_pattern_sets
from tests.initial_rows import copy_in, copy_out, may_restore


@pytest.fixture(scope="session")
def shipped_rows() -> dict[str, bytes]:
    """Tables and their rows after a load of what ships, as `COPY` gives them. Empty until the first load."""
    return {}


@pytest.fixture(scope="session")
def load_reports() -> list[LoadReport]:
    """What the load said whose rows are kept."""
    return []


@pytest.fixture
def loaded(db, shipped_rows, load_reports) -> LoadReport:
    """The shipped packs in the tables. A load takes over a second, so that one is made and its rows are copied."""
    if not shipped_rows:
        report = load_shipped_pattern_sets()
        if not may_restore(connection):
            return report
        load_reports.append(report)
        with connection.cursor() as cursor:
            shipped_rows.update((table, rows) for table in list_tables() if (rows := copy_out(cursor, table)))
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for table, rows in shipped_rows.items():
                cursor.execute(f"DELETE FROM {table}")
                copy_in(cursor, table, rows)
            cursor.execute("SET LOCAL session_replication_role = origin")
    return load_reports[-1]


def list_tables() -> Iterator[str]:
    """Tables of the app, histories among them."""
    for model in apps.get_app_config("factcheck").get_models(include_auto_created=True):
        yield connection.ops.quote_name(model._meta.db_table)


@pytest.fixture
def make_pattern(db):
    """An unsaved pattern in a pack of the installation's own."""

    def make(pattern: str = "i am allergic to unicorn dust", **options) -> InstantPattern:
        pattern_set, _ = PatternPack.objects.get_or_create(name=options.pop("pack", "own"))
        fields = {"name": "allergy.en.own", "type": "allergy", "language": "en", "key_rule": "concept", "key": "dust"}
        return InstantPattern(pack=pattern_set, pattern=pattern, **fields | options)

    return make
