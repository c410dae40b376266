"""Independent operations are applied in runs: the same tables, with the models rendered once a run."""

from __future__ import annotations

import pytest
from django.contrib.postgres.indexes import GinIndex
from django.db import connection, migrations, models
from django.db.migrations.state import ProjectState, StateApps

from memoryproject.batched_migrations import BatchedMigration, list_runs

pytestmark = pytest.mark.django_db
COLUMNS = """
    SELECT table_name, column_name, concat_ws(' ', data_type, is_nullable)
        FROM information_schema.columns WHERE table_name LIKE 'trial_%'
    UNION ALL SELECT tablename, 'index', indexdef FROM pg_indexes WHERE tablename LIKE 'trial_%'
    UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
        FROM pg_constraint WHERE conrelid::regclass::text LIKE 'trial_%'
    ORDER BY 1, 2, 3
"""


def create(name, **fields):
    return migrations.CreateModel(name, [("id", models.BigAutoField(primary_key=True)), *fields.items()])


OPERATIONS = [
    create("Tower"),
    create("Bell", tower=models.ForeignKey("trial.Tower", models.CASCADE)),
    create("Rope", bell=models.ForeignKey("trial.Bell", models.CASCADE), strands=models.JSONField(default=list)),
    migrations.AddIndex("rope", GinIndex("strands", name="rope_strands")),
    migrations.AddIndex("bell", models.Index(fields=["tower", "id"], name="bell_tower")),
    migrations.AddField("tower", "height", models.IntegerField(default=1)),
    migrations.AddConstraint("tower", models.CheckConstraint(condition=models.Q(height__gt=0), name="tower_stands")),
    migrations.AddConstraint("bell", models.UniqueConstraint(fields=["tower", "id"], name="bell_once")),
    migrations.AddIndex("tower", models.Index(fields=["height"], name="tower_height")),
    migrations.RemoveConstraint("tower", "tower_stands"),
    migrations.RemoveConstraint("bell", "bell_once"),
    migrations.AlterField("tower", "height", models.BigIntegerField(default=1)),
    migrations.AlterField("bell", "tower", models.ForeignKey("trial.Tower", models.CASCADE, null=True)),
    migrations.AddConstraint("tower", models.CheckConstraint(condition=models.Q(height__gt=1), name="tower_stands")),
]


def apply(base, monkeypatch):
    """What the database holds after the migration, and how often models were rendered for it."""
    rendered = []
    render = StateApps.render_multiple
    monkeypatch.setattr(StateApps, "render_multiple", lambda apps, states: rendered.append(1) or render(apps, states))
    migration = type("Migration", (base,), {"operations": OPERATIONS})("0001_trial", "trial")
    with connection.schema_editor() as editor:
        state = migration.apply(ProjectState(), editor)
    assert set(state.apps.all_models["trial"]) == {"tower", "bell", "rope"}
    assert migration.operations == OPERATIONS
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        return cursor.fetchall(), len(rendered)


def test_the_tables_are_those_of_django_and_models_are_rendered_once_a_run(monkeypatch):
    found = []
    for base in (migrations.Migration, BatchedMigration):
        with monkeypatch.context() as patch:
            found.append(apply(base, patch))
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE trial_rope, trial_bell, trial_tower")
    (one_by_one, often), (batched, seldom) = found
    assert batched == one_by_one
    assert len(batched) > 15
    assert seldom < often


def test_only_what_is_independent_goes_together_and_the_order_stays():
    runs = list(list_runs(OPERATIONS))
    assert [len(run) for run in runs] == [3, 2, 1, 3, 2, 2, 1]
    assert [operation for run in runs for operation in run] == OPERATIONS


def test_a_field_that_is_altered_twice_is_altered_step_by_step():
    steps = [migrations.AlterField("tower", "height", kind()) for kind in (models.BigIntegerField, models.FloatField)]
    assert list(list_runs(steps)) == [[step] for step in steps]


def test_a_migration_that_fails_keeps_its_operations_and_leaves_nothing(monkeypatch):
    wrong = [*OPERATIONS, migrations.RunSQL("SELECT nothing_of_the_kind")]
    migration = type("Migration", (BatchedMigration,), {"operations": wrong})("0001_trial", "trial")
    with pytest.raises(Exception, match="nothing_of_the_kind"), connection.schema_editor() as editor:
        migration.apply(ProjectState(), editor)
    assert migration.operations == wrong
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        assert cursor.fetchall() == []


def test_sql_that_is_only_collected_names_each_operation():
    migration = type("Migration", (BatchedMigration,), {"operations": OPERATIONS})("0001_trial", "trial")
    with connection.schema_editor(collect_sql=True) as editor:
        migration.apply(ProjectState(), editor, collect_sql=True)
    assert sum("-- Create model" in line for line in editor.collected_sql) == 3
