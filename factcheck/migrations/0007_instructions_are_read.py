"""Lets patterns read standing instructions."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("factcheck", "0006_chinese_language"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="concept",
            name="concept_types_known",
        ),
        migrations.RemoveConstraint(
            model_name="instantpattern",
            name="instant_pattern_type_known",
        ),
        migrations.RemoveConstraint(
            model_name="instantpattern",
            name="instant_pattern_key_rule_known",
        ),
        migrations.RemoveConstraint(
            model_name="patternguard",
            name="pattern_guard_types_known",
        ),
        migrations.AlterField(
            model_name="concept",
            name="types",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("body_params", "body params"),
                        ("budget", "budget"),
                        ("allergy", "allergy"),
                        ("hard_ban", "hard ban"),
                        ("life_event", "life event"),
                        ("instruction", "instruction"),
                        ("event", "event"),
                        ("person", "person"),
                        ("brand", "brand"),
                    ],
                    max_length=32,
                ),
                help_text="Where its names count.",
                size=None,
            ),
        ),
        migrations.AlterField(
            model_name="historicalconcept",
            name="types",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("body_params", "body params"),
                        ("budget", "budget"),
                        ("allergy", "allergy"),
                        ("hard_ban", "hard ban"),
                        ("life_event", "life event"),
                        ("instruction", "instruction"),
                        ("event", "event"),
                        ("person", "person"),
                        ("brand", "brand"),
                    ],
                    max_length=32,
                ),
                help_text="Where its names count.",
                size=None,
            ),
        ),
        migrations.AlterField(
            model_name="historicalinstantpattern",
            name="key_rule",
            field=models.CharField(
                choices=[
                    ("size", "size"),
                    ("measure", "measure"),
                    ("money", "money"),
                    ("concept", "concept"),
                    ("phrase", "phrase"),
                    ("nearby", "nearby"),
                    ("event", "event"),
                    ("instruction", "instruction"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="historicalinstantpattern",
            name="type",
            field=models.CharField(
                choices=[
                    ("body_params", "body params"),
                    ("budget", "budget"),
                    ("allergy", "allergy"),
                    ("hard_ban", "hard ban"),
                    ("life_event", "life event"),
                    ("instruction", "instruction"),
                ],
                max_length=32,
            ),
        ),
        migrations.AlterField(
            model_name="historicalpatternguard",
            name="types",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("body_params", "body params"),
                        ("budget", "budget"),
                        ("allergy", "allergy"),
                        ("hard_ban", "hard ban"),
                        ("life_event", "life event"),
                        ("instruction", "instruction"),
                    ],
                    max_length=32,
                ),
                blank=True,
                default=list,
                help_text="Empty: all.",
                size=None,
            ),
        ),
        migrations.AlterField(
            model_name="instantpattern",
            name="key_rule",
            field=models.CharField(
                choices=[
                    ("size", "size"),
                    ("measure", "measure"),
                    ("money", "money"),
                    ("concept", "concept"),
                    ("phrase", "phrase"),
                    ("nearby", "nearby"),
                    ("event", "event"),
                    ("instruction", "instruction"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="instantpattern",
            name="type",
            field=models.CharField(
                choices=[
                    ("body_params", "body params"),
                    ("budget", "budget"),
                    ("allergy", "allergy"),
                    ("hard_ban", "hard ban"),
                    ("life_event", "life event"),
                    ("instruction", "instruction"),
                ],
                max_length=32,
            ),
        ),
        migrations.AlterField(
            model_name="patternguard",
            name="types",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("body_params", "body params"),
                        ("budget", "budget"),
                        ("allergy", "allergy"),
                        ("hard_ban", "hard ban"),
                        ("life_event", "life event"),
                        ("instruction", "instruction"),
                    ],
                    max_length=32,
                ),
                blank=True,
                default=list,
                help_text="Empty: all.",
                size=None,
            ),
        ),
        migrations.AddConstraint(
            model_name="concept",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "types__contained_by",
                        [
                            "body_params",
                            "budget",
                            "allergy",
                            "hard_ban",
                            "life_event",
                            "instruction",
                            "event",
                            "person",
                            "brand",
                        ],
                    ),
                    ("types__len__gte", 1),
                ),
                name="concept_types_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="instantpattern",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("type__in", ("body_params", "budget", "allergy", "hard_ban", "life_event", "instruction"))
                ),
                name="instant_pattern_type_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="instantpattern",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "key_rule__in",
                        ("size", "measure", "money", "concept", "phrase", "nearby", "event", "instruction"),
                    )
                ),
                name="instant_pattern_key_rule_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="patternguard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "types__contained_by",
                        ["body_params", "budget", "allergy", "hard_ban", "life_event", "instruction"],
                    )
                ),
                name="pattern_guard_types_known",
            ),
        ),
    ]
