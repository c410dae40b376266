"""Triggers in migrations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class AddTriggers(Operation):
    """Creates all triggers that the models of an app were created with, as `CreateModel(options={"triggers": …})` says.

    One ``pgtrigger.migrations.AddTrigger`` for each would render every model anew, a tenth of a second a trigger.
    """

    reversible = True

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """The models have their triggers already."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Create them. Their SQL is interpolated already: `params=None` keeps `%` as it is."""
        for trigger in _list_triggers(app_label, to_state):
            schema_editor.execute(trigger.install_sql, params=None)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Drop them."""
        for trigger in reversed(_list_triggers(app_label, to_state)):
            schema_editor.execute(trigger.uninstall_sql, params=None)

    def describe(self) -> str:
        """What `migrate --plan` prints."""
        return "Create the triggers of all models"


def _list_triggers(app_label: str, state: ProjectState) -> Sequence[Any]:
    models = [model for (app, _), model in state.models.items() if app == app_label]
    return [trigger for model in models for trigger in model.options.get("triggers", ())]
