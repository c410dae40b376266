from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("factcheck", "0002_instant_patterns")]

    operations = [
        migrations.AddField(
            model_name="contradictedclaim",
            name="message_id",
            field=models.BigIntegerField(
                blank=True,
                help_text="What a player said to an NPC that answered so: the claim is forgotten with it.",
                null=True,
            ),
        ),
    ]
