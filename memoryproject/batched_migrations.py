"""Migrations that create many models at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import groupby

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from pgtrigger.migrations import AddTrigger

BATCHED = (
    (migrations.CreateModel,),
    (migrations.AddIndex, migrations.AddConstraint, AddTrigger),
    (migrations.RemoveConstraint,),
    (migrations.AlterField,),
)
"""Operations of one of these groups in a row may look at the state before the first and after the last of them: none
needs what another one has done.
"""


class BatchedMigration(migrations.Migration):
    """Renders the models once for each run of operations that are independent of each other.

    Django renders after every operation whatever is related to its model. Here all is related to a tenant: to create
    the tables of a new installation took 20 seconds, nearly all of it rendering.
    """

    def apply(
        self, project_state: ProjectState, schema_editor: BaseDatabaseSchemaEditor, collect_sql: bool = False
    ) -> ProjectState:
        """As Django does, run by run. SQL that is only collected, and what is no transaction, keeps to Django's way."""
        if collect_sql or not self.atomic:
            return super().apply(project_state, schema_editor, collect_sql)
        for run in list_runs(self.operations):
            if len(run) > 1:
                self._apply_run(run, project_state, schema_editor)
            else:
                part = copy(self)
                vars(part)["operations"] = run
                migrations.Migration.apply(part, project_state, schema_editor)
        return project_state

    def _apply_run(
        self, run: list[Operation], project_state: ProjectState, schema_editor: BaseDatabaseSchemaEditor
    ) -> None:
        before = project_state.clone()
        project_state.__dict__.pop("apps", None)  # until the run has ended there is nothing that Django could render
        project_state.is_delayed = False
        for operation in run:
            operation.state_forwards(self.app_label, project_state)
        for operation in run:
            operation.database_forwards(self.app_label, schema_editor, before, project_state)


def list_runs(operations: Sequence[Operation]) -> Iterator[list[Operation]]:
    """The operations in their order: those of one group in a row together where they may be, every other one alone."""
    for group, members in groupby(operations, key=_find_group):
        run = list(members)
        if group and not _changes_a_field_twice(run):
            yield run
        else:
            yield from ([operation] for operation in run)


def _find_group(operation: Operation) -> tuple[type[Operation], ...]:
    return next((group for group in BATCHED if type(operation) in group), ())


def _changes_a_field_twice(run: Sequence[Operation]) -> bool:
    fields = [(each.model_name_lower, each.name_lower) for each in run if isinstance(each, migrations.AlterField)]
    return len(set(fields)) < len(fields)
