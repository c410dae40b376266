"""Receipts name the assistants' messages that went with a player's words because they said them again."""

import django.contrib.postgres.fields
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("episodes", "0016_art_passage_storage"),
        ("tenancy", "0006_world_npc_review"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="forgetreceipt",
            name="forget_receipt_stays",
        ),
        migrations.AddField(
            model_name="forgetreceipt",
            name="echo_ids",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(),
                db_default=[],
                default=list,
                help_text="Those of them that nobody chose: an assistant said the forgotten words again.",
                size=None,
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="forgetreceipt",
            trigger=pgtrigger.compiler.Trigger(
                name="forget_receipt_stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF TG_OP = 'DELETE' OR OLD.state = 'done'\n                        OR (OLD.id, OLD.tenant_id, OLD.end_user_id, OLD.world_id, OLD.asked, OLD.requested_by, OLD.message_ids,\n                            OLD.echo_ids, OLD.created_at)\n                        IS DISTINCT FROM\n                        (NEW.id, NEW.tenant_id, NEW.end_user_id, NEW.world_id, NEW.asked, NEW.requested_by, NEW.message_ids,\n                            NEW.echo_ids, NEW.created_at)\n                    THEN\n                        RAISE EXCEPTION 'forget_receipt_stays' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="8ee5b84d1cfd96bd7805e7e9948301fe58d44f0a",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_forget_receipt_stays_5e1e9",
                    table="episodes_forgetreceipt",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="forgetreceipt",
            constraint=models.CheckConstraint(
                condition=models.Q(("echo_ids__contained_by", models.F("message_ids"))),
                name="forget_receipt_echoes_forgotten",
            ),
        ),
    ]
