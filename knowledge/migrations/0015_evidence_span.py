"""What proves a fact, and what stands around that, in two columns: a neighbour's end is not the fact's."""

import django.contrib.postgres.fields
from django.db import migrations, models
from django.db.models import F, Q

# Where the message that last said a fact is known, that is its proof, and all the others stood around it.
# Where it is not known (what the engine stated), each message stays a proof: nothing is taken for less than it was.
MOVE_NEIGHBOURS = """
UPDATE knowledge_userfact
SET evidence_span = array_remove(evidence, said_in), evidence = ARRAY[said_in]
WHERE said_in = ANY(evidence) AND cardinality(evidence) > 1
"""
MOVE_BACK = """
UPDATE knowledge_userfact
SET evidence = ARRAY(SELECT DISTINCT unnest(evidence || evidence_span) ORDER BY 1), evidence_span = '{}'
WHERE cardinality(evidence_span) > 0
"""


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0014_grounds_of_corrections")]

    operations = [
        migrations.AddField(
            model_name="userfact",
            name="evidence_span",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(),
                blank=True,
                db_default=[],
                default=list,
                help_text="The messages right before and after those: they explain it and prove nothing.",
                size=None,
            ),
        ),
        migrations.AlterField(
            model_name="userfact",
            name="evidence",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(),
                blank=True,
                default=list,
                help_text="The messages that prove it, by id.",
                size=None,
            ),
        ),
        migrations.RunSQL(MOVE_NEIGHBOURS, reverse_sql=MOVE_BACK),
        # The rows that the update left behind must not wait for the constraint.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", reverse_sql=migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="userfact",
            constraint=models.CheckConstraint(
                condition=~Q(evidence__overlap=F("evidence_span")), name="user_fact_span_beside_evidence"
            ),
        ),
    ]
