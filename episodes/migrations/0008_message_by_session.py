"""Finds the messages of a play session; alone and concurrent, for the table is filled."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("episodes", "0007_user_index_counts_vectors")]

    operations = [
        AddIndexConcurrently(
            model_name="message",
            index=models.Index(
                fields=["tenant", "session_id", "npc_id", "-id"],
                condition=Q(forgotten_at__isnull=True),
                name="message_by_session",
            ),
        ),
    ]
