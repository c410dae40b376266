"""An end may rest on what fitted layers read, which is too little for what protects a person."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0004_tombstones_of_deletion"),
        ("tenancy", "0001_squashed_0009_notebook_scope"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="memorycorrection", name="memory_correction_basis_known"),
        migrations.AlterField(
            model_name="memorycorrection",
            name="basis",
            field=models.CharField(
                blank=True,
                choices=[
                    ("explicit", "an explicit denial of the relation itself"),
                    ("confirmed", "a doubt that the player confirmed when asked"),
                    ("claim", "an answer to a claim"),
                    ("layers", "what fitted layers read in the words"),
                    ("support", "a person's decision"),
                    ("recorded", "decided before the ground was noted"),
                ],
                db_default="",
                default="",
                help_text="What an end rests on.",
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="memorycorrection",
            constraint=models.CheckConstraint(
                condition=models.Q(basis__in=["", "explicit", "confirmed", "claim", "layers", "support", "recorded"]),
                name="memory_correction_basis_known",
            ),
        ),
    ]
