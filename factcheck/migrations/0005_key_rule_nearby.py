"""Lets patterns read the things around a hit."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("factcheck", "0004_claim_by_message"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="instantpattern",
            name="instant_pattern_key_rule_known",
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
                ],
                max_length=16,
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
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="instantpattern",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("key_rule__in", ("size", "measure", "money", "concept", "phrase", "nearby", "event"))
                ),
                name="instant_pattern_key_rule_known",
            ),
        ),
    ]
