"""Adds the role of people who label extractions and see nothing else."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tenancy", "0007_extraction"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="membership",
            name="membership_role_known",
        ),
        migrations.AlterField(
            model_name="membership",
            name="role",
            field=models.CharField(
                choices=[
                    ("labeller", "Labeller: labels extractions of players who stay unnamed, and sees nothing else"),
                    ("editor", "Editor: proposes changes of canon"),
                    ("reviewer", "Reviewer: also approves, stages, swaps and rolls back"),
                    ("owner", "Owner: also overrides a failed gate, sets the canary share and issues keys"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["labeller", "editor", "reviewer", "owner"])),
                name="membership_role_known",
            ),
        ),
    ]
