"""Finds the claims in answers to a message; alone and concurrent, for the table is filled."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("factcheck", "0003_claims_of_answers")]

    operations = [
        AddIndexConcurrently(
            model_name="contradictedclaim",
            index=models.Index(
                fields=["tenant", "message_id"],
                condition=Q(message_id__isnull=False),
                name="contradicted_claim_message",
            ),
        ),
    ]
