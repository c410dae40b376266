"""Finds what was passed on of one telling; alone and concurrent, for the table is filled."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("episodes", "0041_npc_sharing")]

    operations = [
        AddIndexConcurrently(
            model_name="npctold",
            index=models.Index(fields=["tenant", "via"], condition=Q(via__isnull=False), name="npc_told_by_via"),
        ),
    ]
