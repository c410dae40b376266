"""Lets a tenant switch the second stage on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tenancy", "0006_world_npc_review"),
    ]

    operations = [
        migrations.AddField(
            model_name="tenant",
            name="extraction",
            field=models.CharField(
                choices=[
                    ("off", "Off: rules alone read what players say"),
                    ("shadow", "Shadow: proposals are gated and reviewed, nothing is written"),
                    ("on", "On: what passes the gate becomes a fact"),
                ],
                db_default="off",
                default="off",
                help_text="Whether talk is read a second time, in the background, for what no rule understood.",
                max_length=6,
            ),
        ),
        migrations.AddConstraint(
            model_name="tenant",
            constraint=models.CheckConstraint(
                condition=models.Q(("extraction__in", ["off", "shadow", "on"])), name="tenant_extraction_known"
            ),
        ),
    ]
