"""Indexes of alternatives, built beside those that they replace: the table is filled."""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models
from django.db.models.functions import Coalesce


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("episodes", "0036_alternatives")]

    operations = [
        AddIndexConcurrently(
            model_name="conversation",
            index=models.Index(
                condition=models.Q(("tree_id__isnull", False)), fields=["tree_id", "id"], name="conversation_by_tree"
            ),
        ),
        AddIndexConcurrently(
            model_name="message",
            index=models.Index(
                models.F("tenant"),
                models.F("session_id"),
                models.F("npc_id"),
                models.OrderBy(Coalesce("alternative_of_id", "id"), descending=True),
                condition=models.Q(("forgotten_at__isnull", True), ("is_current", True)),
                name="message_by_place",
            ),
        ),
        RemoveIndexConcurrently(model_name="message", name="message_by_session"),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "CREATE UNIQUE INDEX CONCURRENTLY message_alternative_unique"
                    " ON episodes_message (conversation_id, seq, alternative)",
                    "DROP INDEX CONCURRENTLY IF EXISTS message_alternative_unique",
                ),
                migrations.RunSQL(
                    "ALTER TABLE episodes_message"
                    " ADD CONSTRAINT message_alternative_unique UNIQUE USING INDEX message_alternative_unique",
                    "ALTER TABLE episodes_message DROP CONSTRAINT message_alternative_unique",
                ),
                migrations.RunSQL(
                    "CREATE UNIQUE INDEX CONCURRENTLY message_current_unique"
                    " ON episodes_message (conversation_id, seq) WHERE (is_current AND alternative > 0)",
                    "DROP INDEX CONCURRENTLY message_current_unique",
                ),
                migrations.RunSQL(
                    "ALTER TABLE episodes_message DROP CONSTRAINT message_seq_unique",
                    "ALTER TABLE episodes_message ADD CONSTRAINT message_seq_unique UNIQUE (conversation_id, seq)",
                ),
            ],
            state_operations=[
                migrations.AddConstraint(
                    model_name="message",
                    constraint=models.UniqueConstraint(
                        fields=("conversation", "seq", "alternative"), name="message_alternative_unique"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="message",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("alternative__gt", 0), ("is_current", True)),
                        fields=("conversation", "seq"),
                        name="message_current_unique",
                    ),
                ),
                migrations.RemoveConstraint(model_name="message", name="message_seq_unique"),
            ],
        ),
    ]
