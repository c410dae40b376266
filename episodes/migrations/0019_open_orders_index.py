"""The sweeper's index holds running orders, too."""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("episodes", "0018_orders_to_forget")]

    operations = [
        RemoveIndexConcurrently(
            model_name="forgetreceipt",
            name="forget_receipt_open",
        ),
        AddIndexConcurrently(
            model_name="forgetreceipt",
            index=models.Index(
                condition=models.Q(("state__in", ["pending", "running", "failed"])),
                fields=["tenant", "state", "created_at"],
                name="forget_receipt_open",
            ),
        ),
    ]
