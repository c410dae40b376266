"""A telling names the rumour whose place it took, so that a rollback brings that back."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("episodes", "0043_event_book_tries"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="npctold",
            name="npc_told_same_tenant",
        ),
        migrations.AddField(
            model_name="npctold",
            name="replaces",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="The rumour whose place it took: it holds again when a rollback undoes this.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="replaced_by",
                to="episodes.npctold",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="npctold",
            trigger=pgtrigger.compiler.Trigger(
                name="npc_told_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.summary_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_episodicsummary p WHERE p.id = NEW.summary_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.event_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_eventfact p WHERE p.id = NEW.event_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.told_in_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_episodicsummary p WHERE p.id = NEW.told_in_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.shared_at_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_checkpoint p WHERE p.id = NEW.shared_at_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.via_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_npctold p WHERE p.id = NEW.via_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.replaces_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_npctold p WHERE p.id = NEW.replaces_id AND p.tenant_id = NEW.tenant_id AND p.npc_id = NEW.npc_id)) THEN\n                RAISE EXCEPTION 'npc_told_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="6505aed58485015cb350fdeee2b52ea845eb4194",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_npc_told_same_tenant_f0a2d",
                    table="episodes_npctold",
                    when="BEFORE",
                ),
            ),
        ),
    ]
