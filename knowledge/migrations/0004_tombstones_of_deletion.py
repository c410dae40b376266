"""Tombstones tell deletions from forgetting; of those that are there nobody knows, so they stay as they were decided."""

from django.db import migrations, models

KEEP_DECIDED = "UPDATE knowledge_facttombstone SET deleted_to = holds_to"


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0003_agent_store"),
        ("tenancy", "0001_squashed_0009_notebook_scope"),
    ]

    operations = [
        migrations.AddField(
            model_name="facttombstone",
            name="deleted_to",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunSQL(KEEP_DECIDED, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="facttombstone",
            constraint=models.CheckConstraint(
                condition=models.Q(deleted_to__isnull=True) | models.Q(deleted_to__lte=models.F("holds_to")),
                name="fact_tombstone_deletion_held",
            ),
        ),
    ]
