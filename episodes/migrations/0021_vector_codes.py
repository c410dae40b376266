"""Codes of the vectors of users who said much; triggers keep them."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
import pgvector.django.halfvec
from django.db import migrations, models

import episodes.models.vector_codes


class Migration(migrations.Migration):
    dependencies = [
        ("episodes", "0020_conversation_participants"),
        ("tenancy", "0006_world_npc_review"),
    ]

    operations = [
        migrations.CreateModel(
            name="VectorCenter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "vector_space",
                    models.CharField(help_text="What made the vectors; those of others have no code.", max_length=216),
                ),
                ("center", pgvector.django.halfvec.HalfVectorField()),
                ("is_ready", models.BooleanField(db_default=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "end_user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tenancy.enduser"
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="VectorCode",
            fields=[
                (
                    "passage",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="episodes.messagepassage",
                    ),
                ),
                ("npc_id", models.CharField(blank=True, max_length=120)),
                (
                    "role",
                    models.CharField(
                        choices=[("user", "User"), ("assistant", "Assistant"), ("system", "System")], max_length=16
                    ),
                ),
                ("sent_at", models.DateTimeField()),
                ("code", episodes.models.vector_codes.BitVaryingField()),
                (
                    "conversation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="episodes.conversation",
                    ),
                ),
                (
                    "end_user",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tenancy.enduser",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
            ],
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="messagepassage",
            trigger=pgtrigger.compiler.Trigger(
                name="message_passage_code_follows_vector",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."embedder" IS DISTINCT FROM (NEW."embedder") OR OLD."embedding" IS DISTINCT FROM (NEW."embedding"))',
                    func="\n    DELETE FROM episodes_vectorcode WHERE passage_id = NEW.id;\n    INSERT INTO episodes_vectorcode\n        (passage_id, tenant_id, end_user_id, conversation_id, npc_id, role, sent_at, code)\n    SELECT NEW.id, NEW.tenant_id, NEW.end_user_id, NEW.conversation_id, m.npc_id, m.role, m.sent_at,\n           binary_quantize(NEW.embedding - c.center)\n    FROM episodes_vectorcenter c\n    JOIN episodes_message m ON m.id = NEW.message_id\n    WHERE c.end_user_id = NEW.end_user_id AND c.tenant_id = NEW.tenant_id AND c.vector_space = NEW.embedder\n        AND vector_dims(NEW.embedding) = vector_dims(c.center);\n    RETURN NULL;\n",
                    hash="3397896c2fe0d94675f3d99a2659735518c4ee69",
                    operation='UPDATE OF "embedding", "embedder"',
                    pgid="pgtrigger_message_passage_code_follows_vector_8bf70",
                    table="episodes_messagepassage",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="messagepassage",
            trigger=pgtrigger.compiler.Trigger(
                name="message_passage_code_of_new",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NEW."embedding" IS NOT NULL)',
                    func="\n    DELETE FROM episodes_vectorcode WHERE passage_id = NEW.id;\n    INSERT INTO episodes_vectorcode\n        (passage_id, tenant_id, end_user_id, conversation_id, npc_id, role, sent_at, code)\n    SELECT NEW.id, NEW.tenant_id, NEW.end_user_id, NEW.conversation_id, m.npc_id, m.role, m.sent_at,\n           binary_quantize(NEW.embedding - c.center)\n    FROM episodes_vectorcenter c\n    JOIN episodes_message m ON m.id = NEW.message_id\n    WHERE c.end_user_id = NEW.end_user_id AND c.tenant_id = NEW.tenant_id AND c.vector_space = NEW.embedder\n        AND vector_dims(NEW.embedding) = vector_dims(c.center);\n    RETURN NULL;\n",
                    hash="f3a5aed1c4d9ca29905f96399286592180c2bed1",
                    operation="INSERT",
                    pgid="pgtrigger_message_passage_code_of_new_2421e",
                    table="episodes_messagepassage",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="messagepassage",
            trigger=pgtrigger.compiler.Trigger(
                name="message_passage_code_goes",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF EXISTS (SELECT 1 FROM gone g JOIN episodes_vectorcenter c ON c.end_user_id = g.end_user_id) THEN\n                DELETE FROM episodes_vectorcode c USING gone g WHERE c.passage_id = g.id;\n                DELETE FROM episodes_vectorcenter c\n                USING (SELECT DISTINCT tenant_id, end_user_id FROM gone) g\n                WHERE c.tenant_id = g.tenant_id AND c.end_user_id = g.end_user_id AND NOT EXISTS (\n                    SELECT 1 FROM episodes_messagepassage p\n                    WHERE p.tenant_id = g.tenant_id AND p.end_user_id = g.end_user_id\n                );\n            END IF;\n            RETURN NULL;\n        ",
                    hash="5a104e72467b69ab05e2210766096904b4b1185b",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_message_passage_code_goes_77881",
                    referencing="REFERENCING OLD TABLE AS gone ",
                    table="episodes_messagepassage",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="vectorcenter",
            constraint=models.CheckConstraint(
                condition=models.Q(("vector_space", ""), _negated=True), name="vector_center_has_space"
            ),
        ),
        migrations.AddIndex(
            model_name="vectorcode",
            index=models.Index(
                fields=["tenant", "end_user", "passage"],
                include=("conversation", "npc_id", "role", "sent_at", "code"),
                name="vector_code_by_user",
            ),
        ),
        # A search looks at some thousand rows here: workers take longer to start. What was not vacuumed costs it a visit
        # of the table for each row, and rows of this table are seldom updated.
        migrations.RunSQL(
            sql="""
                ALTER TABLE episodes_vectorcode
                    SET (parallel_workers = 0, autovacuum_vacuum_insert_scale_factor = 0.05);
            """,
            reverse_sql="""
                ALTER TABLE episodes_vectorcode
                    RESET (parallel_workers, autovacuum_vacuum_insert_scale_factor);
            """,
        ),
    ]
