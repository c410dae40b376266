"""What NPCs tell each other: how far it went, whether as a rumour, when, and what was taken back."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("episodes", "0040_event_passage_storage"),
        ("tenancy", "0008_labeller"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="npctold",
            name="npc_told_same_tenant",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="npctold",
            name="npc_told_append_only",
        ),
        migrations.RemoveConstraint(
            model_name="npctold",
            name="npc_told_unique",
        ),
        migrations.AddField(
            model_name="npctold",
            name="hop",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, help_text="0: the engine said so. Else how far it went."
            ),
        ),
        migrations.AddField(
            model_name="npctold",
            name="is_rumour",
            field=models.BooleanField(db_default=False, default=False, help_text="Told as a rumour: it sets no flags."),
        ),
        migrations.AddField(
            model_name="npctold",
            name="revoked_at",
            field=models.DateTimeField(blank=True, help_text="Since then the NPC was never told.", null=True),
        ),
        migrations.AddField(
            model_name="npctold",
            name="revoked_by",
            field=models.CharField(blank=True, db_default="", max_length=200),
        ),
        migrations.AddField(
            model_name="npctold",
            name="revoked_reason",
            field=models.TextField(blank=True, db_default=""),
        ),
        migrations.AddField(
            model_name="npctold",
            name="shared_at",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="The end of the scene at which NPCs passed it on.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="shares",
                to="episodes.checkpoint",
            ),
        ),
        migrations.AddField(
            model_name="npctold",
            name="via",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="What the teller itself was told; empty: it was there.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="passed_on",
                to="episodes.npctold",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="npctold",
            trigger=pgtrigger.compiler.Trigger(
                name="npc_told_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.summary_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_episodicsummary p WHERE p.id = NEW.summary_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.event_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_eventfact p WHERE p.id = NEW.event_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.told_in_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_episodicsummary p WHERE p.id = NEW.told_in_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.shared_at_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_checkpoint p WHERE p.id = NEW.shared_at_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.via_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_npctold p WHERE p.id = NEW.via_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'npc_told_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="9b537d8d40c03c666a9390afda4cc4ae9285749c",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_npc_told_same_tenant_f0a2d",
                    table="episodes_npctold",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="npctold",
            trigger=pgtrigger.compiler.Trigger(
                name="npc_told_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_npctold;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.undone_by_id := OLD.undone_by_id;\nkept.revoked_at := OLD.revoked_at;\nkept.revoked_by := OLD.revoked_by;\nkept.revoked_reason := OLD.revoked_reason;\n\n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n                \n                IF EXISTS (\n                    SELECT 1 FROM tenancy_enduser u\n                    WHERE u.id = nullif(current_setting('memory37.erased_user', true), '')::bigint\n                        AND u.tenant_id = OLD.tenant_id AND u.erased_in = pg_current_xact_id()::text::bigint\n                        AND replace(to_jsonb(kept)::text, u.external_id, substr(to_json(current_setting('memory37.erased_name', true))::text, 2, length(to_json(current_setting('memory37.erased_name', true))::text) - 2))\n                            = to_jsonb(OLD)::text\n                ) THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'npc_told_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="0f18872e7d0521c7a40e56e969da4981937d1d0b",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_npc_told_append_only_14d51",
                    table="episodes_npctold",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="npctold",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undone_by__isnull", True), ("revoked_at__isnull", True)),
                fields=("tenant", "npc_id", "summary", "event"),
                name="npc_told_unique",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="npctold",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("hop", 0), ("is_rumour", False), ("shared_at__isnull", True)),
                    models.Q(("hop__gte", 1), ("hop__lte", 2), ("shared_at__isnull", False)),
                    _connector="OR",
                ),
                name="npc_told_hops_bounded",
            ),
        ),
        migrations.AddConstraint(
            model_name="npctold",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("revoked_at__isnull", True), ("revoked_by", ""), ("revoked_reason", "")),
                    models.Q(
                        ("revoked_at__isnull", False),
                        models.Q(("revoked_by", ""), _negated=True),
                        models.Q(("revoked_reason", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="npc_told_revoked_whole",
            ),
        ),
    ]
