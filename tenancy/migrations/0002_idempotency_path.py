from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tenancy", "0001_initial")]

    operations = [
        AddIndexConcurrently(
            model_name="idempotencyrecord",
            index=models.Index(
                fields=["tenant", "method_and_path"],
                name="idempotency_path",
                opclasses=["int8_ops", "varchar_pattern_ops"],
            ),
        ),
    ]
