"""What an NPC passes on to others, as part of its persona."""

import django.db.models.expressions
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("npcs", "0005_rollback_indexes"),
        ("tenancy", "0008_labeller"),
    ]

    operations = [
        migrations.AddField(
            model_name="npcpersona",
            name="relations",
            field=models.JSONField(
                blank=True, db_default=[], default=list, help_text="What it passes on to whom: told to the engine only."
            ),
        ),
        migrations.AddConstraint(
            model_name="npcpersona",
            constraint=models.CheckConstraint(
                condition=django.db.models.expressions.RawSQL(
                    "jsonb_typeof(relations) = 'array'", (), output_field=models.BooleanField()
                ),
                name="npc_persona_relations_listed",
            ),
        ),
    ]
