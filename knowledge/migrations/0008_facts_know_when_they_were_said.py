"""When each fact was last said, and in which message: what was said earlier never overrules it."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0007_corrections_by_hand")]

    operations = [
        migrations.AddField(
            model_name="userfact",
            name="said_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="userfact",
            name="said_in",
            field=models.BigIntegerField(blank=True, help_text="The message that last said it, if one did.", null=True),
        ),
        migrations.RunSQL("UPDATE knowledge_userfact SET said_at = valid_from", reverse_sql=migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="userfact",
            name="said_at",
            field=models.DateTimeField(help_text="When it was last said: what was said earlier never overrules it."),
        ),
        migrations.AddConstraint(
            model_name="userfact",
            constraint=models.CheckConstraint(
                condition=Q(said_at__gte=F("valid_from")), name="user_fact_said_since_valid"
            ),
        ),
    ]
