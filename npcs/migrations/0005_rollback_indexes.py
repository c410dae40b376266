"""Finds the moves after a checkpoint and what was restored of them; alone and concurrent, for the table is filled."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("npcs", "0004_rollback_of_play")]

    operations = [
        AddIndexConcurrently(
            model_name="dispositionentry",
            index=models.Index(
                fields=["tenant", "checkpoint_id"],
                condition=Q(checkpoint_id__isnull=False),
                name="disposition_entry_checkpoint",
            ),
        ),
        AddIndexConcurrently(
            model_name="dispositionentry",
            index=models.Index(
                fields=["tenant", "restores"], condition=Q(restores__isnull=False), name="disposition_entry_restored"
            ),
        ),
    ]
