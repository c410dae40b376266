"""Notes up to which place batch extraction has worked a conversation off."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("episodes", "0022_message_passage_sample"),
        ("tenancy", "0007_extraction"),
    ]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="extracted_to",
            field=models.PositiveIntegerField(
                db_default=0,
                default=0,
                editable=False,
                help_text="Up to this place batch extraction has worked the messages off.",
            ),
        ),
        migrations.AddConstraint(
            model_name="conversation",
            constraint=models.CheckConstraint(
                condition=models.Q(("extracted_to__lte", models.F("last_seq"))), name="conversation_extracted_was_said"
            ),
        ),
    ]
