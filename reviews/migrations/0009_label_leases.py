"""Labels name the lease under which they were given; gold items are fresh to each reviewer by themselves."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("factcheck", "0010_sample_labels"),
        ("reviews", "0008_labelling"),
        ("tenancy", "0008_labeller"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="samplelabel",
            name="sample_label_of_gold",
        ),
        migrations.RemoveField(
            model_name="golditem",
            name="active_from",
        ),
        migrations.AddField(
            model_name="samplelabel",
            name="lease_id",
            field=models.BigIntegerField(
                blank=True, help_text="Under which it was given: a form that is sent twice gives one label.", null=True
            ),
        ),
        migrations.AddIndex(
            model_name="samplelabel",
            index=models.Index(
                condition=models.Q(("gold__isnull", False)), fields=["reviewer", "gold"], name="sample_label_of_gold"
            ),
        ),
        migrations.AddConstraint(
            model_name="samplelabel",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undone_at__isnull", True)), fields=("lease_id",), name="sample_label_once_a_lease"
            ),
        ),
    ]
