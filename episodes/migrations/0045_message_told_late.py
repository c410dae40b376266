"""Finds what was told late, and the branches below a conversation; alone and concurrent, for the tables are filled."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("episodes", "0044_rumour_replaced")]

    operations = [
        AddIndexConcurrently(
            model_name="message",
            index=models.Index(
                fields=["conversation", "sent_at"],
                include=["created_at"],
                condition=Q(role="user", sent_at__lt=F("created_at")),
                name="message_told_late",
            ),
        ),
        AddIndexConcurrently(
            model_name="conversationancestor",
            index=models.Index(fields=["ancestor", "through_seq"], name="conversation_ancestor_below"),
        ),
    ]
