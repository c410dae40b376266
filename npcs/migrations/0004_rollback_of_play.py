"""Moves of dispositions know the checkpoint that they belong to, and what a rollback restored."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("npcs", "0003_personas_through_review"),
        ("tenancy", "0008_labeller"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="dispositionentry",
            name="disposition_entry_moves",
        ),
        migrations.AddField(
            model_name="dispositionentry",
            name="checkpoint_id",
            field=models.BigIntegerField(
                blank=True,
                help_text="The campaign's head when this was told. No foreign key: play stands above NPCs.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="dispositionentry",
            name="restores",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="The move that this one makes again after a rollback was taken back.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="npcs.dispositionentry",
            ),
        ),
        migrations.AddField(
            model_name="dispositionentry",
            name="rollback_id",
            field=models.BigIntegerField(
                blank=True, help_text="The rollback of play that compensated or restored.", null=True
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dispositionentry",
            trigger=pgtrigger.compiler.Trigger(
                name="disposition_entry_moves",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE standing npcs_disposition; scale npcs_dispositionscale; original npcs_dispositionentry;",
                    func="\n                    SELECT s.* INTO scale FROM npcs_dispositionscale s\n                        JOIN npcs_npc n ON n.world_id = s.world_id JOIN npcs_disposition d ON d.npc_id = n.id\n                        WHERE d.id = NEW.disposition_id FOR SHARE OF s;\n                    SELECT d.* INTO standing FROM npcs_disposition d\n                        WHERE d.id = NEW.disposition_id AND d.tenant_id = NEW.tenant_id FOR UPDATE;\n                    IF standing.id IS NULL OR scale.id IS NULL THEN\n                        RAISE EXCEPTION 'disposition_entry_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.restores_id IS NOT NULL THEN\n                        SELECT e.* INTO original FROM npcs_dispositionentry e WHERE e.id = NEW.restores_id;\n                        IF original.disposition_id IS DISTINCT FROM NEW.disposition_id OR NEW.compensates_id IS NOT NULL\n                            OR original.compensates_id IS NOT NULL OR original.restores_id IS NOT NULL\n                            OR NEW.rollback_id IS NULL OR NEW.delta <> original.delta\n                            OR NEW.summary_id <> original.summary_id\n                        THEN\n                            RAISE EXCEPTION 'disposition_entry_restores' USING ERRCODE = 'check_violation';\n                        END IF;\n                    ELSIF NEW.compensates_id IS NULL THEN\n                        IF abs(NEW.delta) > scale.step_most THEN\n                            RAISE EXCEPTION 'disposition_entry_within_step' USING ERRCODE = 'check_violation';\n                        END IF;\n                    ELSE\n                        SELECT e.* INTO original FROM npcs_dispositionentry e WHERE e.id = NEW.compensates_id;\n                        IF original.disposition_id IS DISTINCT FROM NEW.disposition_id\n                            OR original.compensates_id IS NOT NULL OR NEW.delta <> -original.applied\n                        THEN\n                            RAISE EXCEPTION 'disposition_entry_takes_back' USING ERRCODE = 'check_violation';\n                        END IF;\n                    END IF;\n                    NEW.seq := standing.entry_count + 1;\n                    NEW.scale_least := scale.least;\n                    NEW.scale_most := scale.most;\n                    NEW.balance_after := LEAST(GREATEST(standing.value + NEW.delta, scale.least), scale.most);\n                    NEW.applied := NEW.balance_after - standing.value;\n                    UPDATE npcs_disposition SET value = NEW.balance_after, entry_count = NEW.seq, updated_at = now()\n                        WHERE id = standing.id;\n                    RETURN NEW;\n                ",
                    hash="5cc28361ec5448a5dd91b1091639740dba50af5d",
                    operation="INSERT",
                    pgid="pgtrigger_disposition_entry_moves_8106a",
                    table="npcs_dispositionentry",
                    when="BEFORE",
                ),
            ),
        ),
    ]
