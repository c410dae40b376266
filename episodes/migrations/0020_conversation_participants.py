"""What the two sides of a conversation are called, so that questions that name one of them are understood."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("episodes", "0019_open_orders_index"),
    ]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="assistant_name",
            field=models.CharField(
                blank=True,
                db_default="",
                help_text="What whoever answers is called; of an NPC, in all languages of its profile, split by semicolons.",
                max_length=200,
            ),
        ),
        migrations.AddField(
            model_name="conversation",
            name="user_name",
            field=models.CharField(
                blank=True,
                db_default="",
                help_text="What the player is called: questions name speakers.",
                max_length=80,
            ),
        ),
    ]
