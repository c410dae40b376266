"""Common lexemes of users who said much are counted in a sixteenth of the messages."""

import django.contrib.postgres.indexes
import django.db.models.functions.math
import django.db.models.lookups
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("episodes", "0021_vector_codes")]

    operations = [
        AddIndexConcurrently(
            model_name="messagepassage",
            index=django.contrib.postgres.indexes.GinIndex(
                condition=models.Q(
                    django.db.models.lookups.Exact(
                        django.db.models.functions.math.Mod(
                            models.Func(models.F("id"), function="hashint8", output_field=models.IntegerField()),
                            16,
                            output_field=models.IntegerField(),
                        ),
                        0,
                    )
                ),
                fastupdate=False,
                fields=["lexemes"],
                name="message_passage_sample",
            ),
        ),
    ]
