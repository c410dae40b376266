"""A fact type for how a player wants to be spoken to, of short values alone."""

import django.db.models.lookups
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0015_evidence_span"),
        ("tenancy", "0006_world_npc_review"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="facttombstone",
            name="fact_tombstone_type_guaranteed",
        ),
        migrations.RemoveConstraint(
            model_name="userfact",
            name="user_fact_type_guaranteed",
        ),
        migrations.AlterField(
            model_name="facttombstone",
            name="type",
            field=models.CharField(
                choices=[
                    ("body_params", "Body Params"),
                    ("budget", "Budget"),
                    ("allergy", "Allergy"),
                    ("hard_ban", "Hard Ban"),
                    ("onboarding_style", "Onboarding Style"),
                    ("life_event", "Life Event"),
                    ("instruction", "Instruction"),
                ],
                max_length=32,
            ),
        ),
        migrations.AlterField(
            model_name="userfact",
            name="type",
            field=models.CharField(
                choices=[
                    ("body_params", "Body Params"),
                    ("budget", "Budget"),
                    ("allergy", "Allergy"),
                    ("hard_ban", "Hard Ban"),
                    ("onboarding_style", "Onboarding Style"),
                    ("life_event", "Life Event"),
                    ("instruction", "Instruction"),
                ],
                max_length=32,
            ),
        ),
        migrations.AddConstraint(
            model_name="facttombstone",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "type__in",
                        [
                            "body_params",
                            "budget",
                            "allergy",
                            "hard_ban",
                            "onboarding_style",
                            "life_event",
                            "instruction",
                        ],
                    )
                ),
                name="fact_tombstone_type_guaranteed",
            ),
        ),
        migrations.AddConstraint(
            model_name="userfact",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "type__in",
                        [
                            "body_params",
                            "budget",
                            "allergy",
                            "hard_ban",
                            "onboarding_style",
                            "life_event",
                            "instruction",
                        ],
                    )
                ),
                name="user_fact_type_guaranteed",
            ),
        ),
        migrations.AddConstraint(
            model_name="userfact",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("type", "instruction"), _negated=True),
                    django.db.models.lookups.LessThanOrEqual(
                        models.Func(
                            models.F("value_sealed"), function="octet_length", output_field=models.IntegerField()
                        ),
                        831,
                    ),
                    _connector="OR",
                ),
                name="user_fact_instruction_is_short",
            ),
        ),
    ]
