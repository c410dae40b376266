"""The index by which the events of an entity of the graph are found."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("episodes", "0046_event_names_of_entities")]

    operations = [
        AddIndexConcurrently(
            model_name="eventname",
            index=models.Index(
                condition=models.Q(("entity_id__isnull", False)),
                fields=["tenant", "end_user", "entity_id"],
                name="event_name_by_entity",
            ),
        )
    ]
