"""No migration breaks the version of the service that still runs while it is applied."""

from __future__ import annotations

import pytest
from django_migration_linter import MigrationLinter
from django_migration_linter.sql_analyser.analyser import analyse_sql_statements, get_sql_analyser_class

from tests.tree import APPS

pytestmark = pytest.mark.django_db
DATABASE = "postgresql"


def test_a_column_that_a_running_version_does_not_fill_is_refused():
    analyser = get_sql_analyser_class(DATABASE, analyser_string=DATABASE)
    errors, _, _ = analyse_sql_statements(analyser, ['ALTER TABLE "t" ADD COLUMN "c" integer NOT NULL;'])
    assert [error.code for error in errors] == ["NOT_NULL"]


def test_no_migration_behind_the_first_breaks_a_running_version():
    """The first of each app makes its tables, which no version runs on."""
    linter = MigrationLinter(
        include_apps=list(APPS), ignore_name_contains="squashed", analyser_string=DATABASE, no_cache=True
    )
    linter.lint_all_migrations()
    assert linter.nb_total
    assert not linter.has_errors
