"""Finds the traces that hold a forgotten message; alone and concurrent, for the table is filled."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("runtime", "0001_traces")]

    operations = [
        AddIndexConcurrently(
            model_name="trace",
            index=GinIndex(
                fields=["message_ids"],
                condition=Q(blanked_at__isnull=True),
                name="trace_by_message",
                fastupdate=False,
            ),
        ),
        AddIndexConcurrently(
            model_name="trace",
            index=models.Index(fields=["tenant", "query_hash"], condition=~Q(query_hash=""), name="trace_by_words"),
        ),
    ]
