"""Large forgettings and erasures become orders that batches work off; what they reach is gone from the start."""

import django.contrib.postgres.fields
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("episodes", "0017_echoes_of_receipts"),
        ("tenancy", "0006_world_npc_review"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="forgetreceipt",
            name="forget_receipt_stays",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="message",
            name="message_append_only",
        ),
        migrations.RemoveConstraint(
            model_name="forgetreceipt",
            name="forget_receipt_state_known",
        ),
        migrations.AddField(
            model_name="conversation",
            name="gone_at",
            field=models.DateTimeField(blank=True, editable=False, help_text="When the last order came.", null=True),
        ),
        migrations.AddField(
            model_name="conversation",
            name="gone_to",
            field=models.PositiveIntegerField(
                db_default=0,
                default=0,
                editable=False,
                help_text="Up to this place an order forgets or erases what was said: nobody reads it.",
            ),
        ),
        migrations.AddField(
            model_name="forgetreceipt",
            name="advanced_at",
            field=models.DateTimeField(blank=True, editable=False, help_text="When an order last got on.", null=True),
        ),
        migrations.AddField(
            model_name="forgetreceipt",
            name="code",
            field=models.CharField(
                blank=True,
                choices=[
                    ("interrupted", "Batches failed several times in a row"),
                    ("still_found", "The check still finds something"),
                ],
                db_default="",
                default="",
                help_text="Why it failed.",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="forgetreceipt",
            name="echoes_searched",
            field=models.CharField(
                choices=[
                    ("not_needed", "No fact is lost, or all goes anyway"),
                    ("complete", "All that assistants said since"),
                    ("truncated", "Only the first messages since: there are more"),
                ],
                db_default="complete",
                default="complete",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="forgetreceipt",
            name="order_kind",
            field=models.CharField(
                blank=True,
                choices=[("forget", "Forget"), ("erase", "Erase")],
                db_default="",
                default="",
                help_text="Worked off in batches; empty: at once.",
                max_length=6,
            ),
        ),
        migrations.AlterField(
            model_name="forgetreceipt",
            name="attempts",
            field=models.PositiveIntegerField(default=0, help_text="Tries; of an order, those since it last got on."),
        ),
        migrations.AlterField(
            model_name="forgetreceipt",
            name="message_ids",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(),
                help_text="What was forgotten by this call; of an order, by its batches so far.",
                size=None,
            ),
        ),
        migrations.AlterField(
            model_name="forgetreceipt",
            name="state",
            field=models.CharField(
                choices=[("pending", "Pending"), ("running", "Running"), ("done", "Done"), ("failed", "Failed")],
                default="pending",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="forgetreceipt",
            name="work",
            field=models.JSONField(
                help_text="Hashes and talks that stores and the check still need, and how far an order is; empty once it is done.",
                null=True,
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="conversation",
            trigger=pgtrigger.compiler.Trigger(
                name="conversation_gone_stays_gone",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF NEW.gone_to < OLD.gone_to THEN\n                        RAISE EXCEPTION 'conversation_gone_stays_gone' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="19426a3fc64e3f671ee354c3d374d0319b4da496",
                    operation='UPDATE OF "gone_to"',
                    pgid="pgtrigger_conversation_gone_stays_gone_19567",
                    table="episodes_conversation",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="forgetreceipt",
            trigger=pgtrigger.compiler.Trigger(
                name="forget_receipt_stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF TG_OP = 'DELETE' OR OLD.state = 'done'\n                        OR (OLD.id, OLD.tenant_id, OLD.end_user_id, OLD.world_id, OLD.order_kind, OLD.asked, OLD.requested_by,\n                            OLD.echo_ids, OLD.echoes_searched, OLD.created_at)\n                        IS DISTINCT FROM\n                        (NEW.id, NEW.tenant_id, NEW.end_user_id, NEW.world_id, NEW.order_kind, NEW.asked, NEW.requested_by,\n                            NEW.echo_ids, NEW.echoes_searched, NEW.created_at)\n                        OR (NEW.order_kind = '' AND OLD.message_ids <> NEW.message_ids)\n                        OR OLD.message_ids <> NEW.message_ids[1:cardinality(OLD.message_ids)]\n                        OR EXISTS (\n                            SELECT 1 FROM jsonb_each_text(OLD.cleared) o\n                            WHERE coalesce((NEW.cleared ->> o.key)::bigint, -1) < o.value::bigint\n                        )\n                    THEN\n                        RAISE EXCEPTION 'forget_receipt_stays' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="1c4d3c8082290246103482a32d6d82103ee29a0c",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_forget_receipt_stays_5e1e9",
                    table="episodes_forgetreceipt",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="message",
            trigger=pgtrigger.compiler.Trigger(
                name="message_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_message;",
                    func="\n                    IF TG_OP = 'DELETE' THEN\n                        RAISE EXCEPTION 'message_append_only' USING ERRCODE = 'check_violation';\n                    END IF;\n                    kept := NEW;\n                    IF OLD.forgotten_at IS NULL THEN\n                        kept.forgotten_at := NULL;\n                    END IF;\n                    IF NEW.response_description = '' THEN\n                        kept.response_description := OLD.response_description;\n                    END IF;\n                    IF NEW.content = '[erased]' AND NEW.client_message_id IS NULL AND NEW.body_hash IS NULL\n                        AND NEW.forgotten_at IS NOT NULL AND EXISTS (\n                            SELECT 1 FROM episodes_erasure e JOIN episodes_conversation c\n                                ON c.tenant_id = e.tenant_id AND c.end_user_id = e.end_user_id\n                            WHERE c.id = OLD.conversation_id AND e.tenant_id = OLD.tenant_id\n                                AND (e.world_id IS NULL OR e.world_id = c.world_id)\n                                AND (\n                                    e.transaction_id = pg_current_xact_id()::text::bigint\n                                    OR (OLD.seq <= c.gone_to AND EXISTS (\n                                        SELECT 1 FROM episodes_forgetreceipt r\n                                        WHERE r.id = e.receipt_id AND r.order_kind = 'erase' AND r.state <> 'done'\n                                    ))\n                                )\n                        )\n                    THEN\n                        kept.content := OLD.content;\n                        kept.client_message_id := OLD.client_message_id;\n                        kept.body_hash := OLD.body_hash;\n                        IF NEW.mood = '' THEN\n                            kept.mood := OLD.mood;\n                        END IF;\n                        IF NEW.session_id = '' THEN\n                            kept.session_id := OLD.session_id;\n                        END IF;\n                    END IF;\n                    IF kept IS DISTINCT FROM OLD THEN\n                        RAISE EXCEPTION 'message_append_only' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="33c046f0f595ab01cc321a4f6f12bc590d32532f",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_message_append_only_b67f3",
                    table="episodes_message",
                    when="BEFORE",
                ),
            ),
        ),
        # Until now a receipt failed for one reason alone.
        migrations.RunSQL(
            "UPDATE episodes_forgetreceipt SET code = 'still_found' WHERE state = 'failed'",
            "UPDATE episodes_forgetreceipt SET code = '' WHERE state = 'failed'",
        ),
        migrations.AddConstraint(
            model_name="conversation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("gone_to", 0),
                    models.Q(("gone_at__isnull", False), ("gone_to__lte", models.F("last_seq"))),
                    _connector="OR",
                ),
                name="conversation_gone_was_said",
            ),
        ),
        migrations.AddConstraint(
            model_name="forgetreceipt",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["pending", "running", "done", "failed"])),
                name="forget_receipt_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="forgetreceipt",
            constraint=models.CheckConstraint(
                condition=models.Q(("echoes_searched__in", ["not_needed", "complete", "truncated"])),
                name="forget_receipt_echo_search_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="forgetreceipt",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("code__in", ["interrupted", "still_found"]), ("state", "failed")),
                    models.Q(models.Q(("state", "failed"), _negated=True), ("code", "")),
                    _connector="OR",
                ),
                name="forget_receipt_failed_says_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="forgetreceipt",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("advanced_at__isnull", True), ("order_kind", ""), models.Q(("state", "running"), _negated=True)
                    ),
                    models.Q(("advanced_at__isnull", False), ("order_kind__in", ["forget", "erase"])),
                    _connector="OR",
                ),
                name="forget_receipt_orders_advance",
            ),
        ),
        migrations.AddConstraint(
            model_name="forgetreceipt",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    models.Q(("order_kind", ""), _negated=True), models.Q(("state", "done"), _negated=True)
                ),
                fields=("tenant", "end_user", "world", "order_kind"),
                name="forget_receipt_one_open_order",
                nulls_distinct=False,
            ),
        ),
    ]
