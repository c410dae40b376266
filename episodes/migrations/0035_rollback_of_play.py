"""Checkpoints and rollbacks; what was told knows the checkpoint that it belongs to and what undid it."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("episodes", "0025_talk_summaries"),
        ("tenancy", "0008_labeller"),
    ]

    operations = [
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("engine", "Asked for by the engine or by a person"),
                            ("scene_end", "A scene ended"),
                            ("before_rollback", "A rollback began here: the way back from it"),
                            ("after_rollback", "A rollback ended here: play goes on from it"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "label",
                    models.TextField(
                        help_text="At most 120 characters when it comes; a placeholder may make it longer."
                    ),
                ),
                (
                    "seq",
                    models.PositiveIntegerField(help_text="The place of the last summary or event told before it."),
                ),
                ("created_by", models.CharField(help_text="A key's prefix, a person, or the service.", max_length=200)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Rollback",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.TextField(
                        help_text="At most 300 characters when it comes; a placeholder may make it longer."
                    ),
                ),
                ("created_by", models.CharField(max_length=200)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RollbackOutcome",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=40)),
                ("undone", models.PositiveIntegerField()),
                ("restored", models.PositiveIntegerField()),
                ("changed", models.PositiveIntegerField()),
            ],
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="artcard",
            name="art_card_stays",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="episodicsummary",
            name="summary_append_only",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="eventfact",
            name="event_append_only",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="flagchange",
            name="flag_change_append_only",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="npctold",
            name="npc_told_append_only",
        ),
        migrations.RemoveConstraint(
            model_name="artcard",
            name="art_card_image_unique",
        ),
        migrations.RemoveConstraint(
            model_name="episodicsummary",
            name="summary_id_unique",
        ),
        migrations.RemoveConstraint(
            model_name="eventfact",
            name="event_id_unique",
        ),
        migrations.RemoveConstraint(
            model_name="npctold",
            name="npc_told_unique",
        ),
        migrations.RemoveConstraint(
            model_name="partymember",
            name="party_member_unique",
        ),
        migrations.AddField(
            model_name="flag",
            name="is_set",
            field=models.BooleanField(
                db_default=True, default=True, help_text="False: a rollback undid all that ever set it."
            ),
        ),
        migrations.AlterField(
            model_name="episodicsummary",
            name="summary_id",
            field=models.CharField(help_text="The engine's id, unique in the world among what holds.", max_length=120),
        ),
        migrations.AlterField(
            model_name="eventfact",
            name="event_id",
            field=models.CharField(help_text="The engine's id, unique in the world among what holds.", max_length=120),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="artcard",
            trigger=pgtrigger.compiler.Trigger(
                name="art_card_of_one_line",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.checkpoint_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_checkpoint p WHERE p.id = NEW.checkpoint_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.undone_by_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_rollback p WHERE p.id = NEW.undone_by_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'art_card_of_one_line' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="939bebfc794d06bab0b714a1b545c47abcb53842",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_art_card_of_one_line_5d873",
                    table="episodes_artcard",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="artcard",
            trigger=pgtrigger.compiler.Trigger(
                name="art_card_stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_artcard;",
                    func="\n            kept := NEW;\n            kept.undone_by_id := OLD.undone_by_id;\n            IF kept IS DISTINCT FROM OLD THEN\n                RAISE EXCEPTION 'art_card_stays' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="68abda968a0da1f4a07e98e90464ce8d52f6194c",
                    operation="UPDATE",
                    pgid="pgtrigger_art_card_stays_7be5b",
                    table="episodes_artcard",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="campaign",
            trigger=pgtrigger.compiler.Trigger(
                name="campaign_head_is_its_own",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF NEW.head_id IS NOT NULL AND NOT EXISTS (\n                        SELECT 1 FROM episodes_checkpoint c WHERE c.id = NEW.head_id AND c.campaign_id = NEW.id\n                    ) THEN\n                        RAISE EXCEPTION 'campaign_head_is_its_own' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="db89b4426553e282275294afd9b4b17b9a0889ec",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_campaign_head_is_its_own_269cc",
                    table="episodes_campaign",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="episodicsummary",
            trigger=pgtrigger.compiler.Trigger(
                name="summary_of_one_line",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.checkpoint_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_checkpoint p WHERE p.id = NEW.checkpoint_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) OR (NEW.undone_by_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_rollback p WHERE p.id = NEW.undone_by_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) THEN\n                RAISE EXCEPTION 'summary_of_one_line' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="7a36f06bdaf53c63d62cd31aa93845184c577f05",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_summary_of_one_line_40fdb",
                    table="episodes_episodicsummary",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="episodicsummary",
            trigger=pgtrigger.compiler.Trigger(
                name="summary_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_episodicsummary;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.expired_at := OLD.expired_at;\nkept.undone_by_id := OLD.undone_by_id;\n\n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n                kept.body_hash := OLD.body_hash;\n\n                IF EXISTS (\n                    SELECT 1 FROM tenancy_enduser u\n                    WHERE u.id = nullif(current_setting('memory37.erased_user', true), '')::bigint\n                        AND u.tenant_id = OLD.tenant_id AND u.erased_in = pg_current_xact_id()::text::bigint\n                        AND replace(to_jsonb(kept)::text, u.external_id, substr(to_json(current_setting('memory37.erased_name', true))::text, 2, length(to_json(current_setting('memory37.erased_name', true))::text) - 2))\n                            = to_jsonb(OLD)::text\n                ) THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'summary_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="4e48c5e6b6ca6e1cc9842ff513c25a188c05e196",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_summary_append_only_6b55f",
                    table="episodes_episodicsummary",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="eventfact",
            trigger=pgtrigger.compiler.Trigger(
                name="event_of_one_line",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.checkpoint_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_checkpoint p WHERE p.id = NEW.checkpoint_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) OR (NEW.undone_by_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_rollback p WHERE p.id = NEW.undone_by_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) THEN\n                RAISE EXCEPTION 'event_of_one_line' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="672fb9ca674a7a4367c71ba017990b37e20f22f3",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_event_of_one_line_5afc6",
                    table="episodes_eventfact",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="eventfact",
            trigger=pgtrigger.compiler.Trigger(
                name="event_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_eventfact;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.undone_by_id := OLD.undone_by_id;\n\n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n                kept.body_hash := OLD.body_hash;\n\n                IF EXISTS (\n                    SELECT 1 FROM tenancy_enduser u\n                    WHERE u.id = nullif(current_setting('memory37.erased_user', true), '')::bigint\n                        AND u.tenant_id = OLD.tenant_id AND u.erased_in = pg_current_xact_id()::text::bigint\n                        AND replace(to_jsonb(kept)::text, u.external_id, substr(to_json(current_setting('memory37.erased_name', true))::text, 2, length(to_json(current_setting('memory37.erased_name', true))::text) - 2))\n                            = to_jsonb(OLD)::text\n                ) THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'event_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="2390fce4fed68939ced53bf352261faf53ae8fe2",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_event_append_only_93530",
                    table="episodes_eventfact",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="flagchange",
            trigger=pgtrigger.compiler.Trigger(
                name="flag_change_of_one_line",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.checkpoint_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_checkpoint p WHERE p.id = NEW.checkpoint_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.undone_by_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_rollback p WHERE p.id = NEW.undone_by_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'flag_change_of_one_line' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="b11310486fb76a8011849a62ec0595986e70dd1c",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_flag_change_of_one_line_b0148",
                    table="episodes_flagchange",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="flagchange",
            trigger=pgtrigger.compiler.Trigger(
                name="flag_change_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_flagchange;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.undone_by_id := OLD.undone_by_id;\n\n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n                \n                IF EXISTS (\n                    SELECT 1 FROM tenancy_enduser u\n                    WHERE u.id = nullif(current_setting('memory37.erased_user', true), '')::bigint\n                        AND u.tenant_id = OLD.tenant_id AND u.erased_in = pg_current_xact_id()::text::bigint\n                        AND replace(to_jsonb(kept)::text, u.external_id, substr(to_json(current_setting('memory37.erased_name', true))::text, 2, length(to_json(current_setting('memory37.erased_name', true))::text) - 2))\n                            = to_jsonb(OLD)::text\n                ) THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'flag_change_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="576dcdf0eb1be201fd3b74e23d170abd987c5286",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_flag_change_append_only_f792d",
                    table="episodes_flagchange",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="npctold",
            trigger=pgtrigger.compiler.Trigger(
                name="npc_told_of_one_line",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.checkpoint_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_checkpoint p WHERE p.id = NEW.checkpoint_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.undone_by_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_rollback p WHERE p.id = NEW.undone_by_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'npc_told_of_one_line' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="22d53a5cfb5f70e430ba2efc3402d4af0e8025c6",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_npc_told_of_one_line_d7b6b",
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
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.undone_by_id := OLD.undone_by_id;\n\n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n                \n                IF EXISTS (\n                    SELECT 1 FROM tenancy_enduser u\n                    WHERE u.id = nullif(current_setting('memory37.erased_user', true), '')::bigint\n                        AND u.tenant_id = OLD.tenant_id AND u.erased_in = pg_current_xact_id()::text::bigint\n                        AND replace(to_jsonb(kept)::text, u.external_id, substr(to_json(current_setting('memory37.erased_name', true))::text, 2, length(to_json(current_setting('memory37.erased_name', true))::text) - 2))\n                            = to_jsonb(OLD)::text\n                ) THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'npc_told_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="fb7e8d4d09a9756da5ec0d2c19e24f84a5b5177d",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_npc_told_append_only_14d51",
                    table="episodes_npctold",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="partymember",
            trigger=pgtrigger.compiler.Trigger(
                name="party_member_of_one_line",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.checkpoint_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_checkpoint p WHERE p.id = NEW.checkpoint_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.undone_by_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_rollback p WHERE p.id = NEW.undone_by_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'party_member_of_one_line' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="818b7232e8b367cd207682709bc520e7ed3bbba0",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_party_member_of_one_line_eab13",
                    table="episodes_partymember",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="summarypassage",
            trigger=pgtrigger.compiler.Trigger(
                name="summary_passage_holds",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF EXISTS (\n                        SELECT 1 FROM episodes_episodicsummary s WHERE s.id = NEW.summary_id AND s.undone_by_id IS NOT NULL\n                    ) THEN\n                        RAISE EXCEPTION 'summary_passage_holds' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="25c7ef2e92e68c17a2ef8e206941c707cdda50fe",
                    operation="INSERT",
                    pgid="pgtrigger_summary_passage_holds_6cd99",
                    table="episodes_summarypassage",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddField(
            model_name="checkpoint",
            name="campaign",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="checkpoints",
                to="episodes.campaign",
            ),
        ),
        migrations.AddField(
            model_name="checkpoint",
            name="parent",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.checkpoint",
            ),
        ),
        migrations.AddField(
            model_name="checkpoint",
            name="scene",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="ends",
                to="episodes.scene",
            ),
        ),
        migrations.AddField(
            model_name="checkpoint",
            name="tenant",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tenancy.tenant"
            ),
        ),
        migrations.AddField(
            model_name="artcard",
            name="checkpoint",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The campaign's head when this was told; empty: told before its first checkpoint.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.checkpoint",
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="head",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="What is told now belongs to this checkpoint.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.checkpoint",
            ),
        ),
        migrations.AddField(
            model_name="episodicsummary",
            name="checkpoint",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The campaign's head when this was told; empty: told before its first checkpoint.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.checkpoint",
            ),
        ),
        migrations.AddField(
            model_name="eventfact",
            name="checkpoint",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The campaign's head when this was told; empty: told before its first checkpoint.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.checkpoint",
            ),
        ),
        migrations.AddField(
            model_name="flagchange",
            name="checkpoint",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The campaign's head when this was told; empty: told before its first checkpoint.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.checkpoint",
            ),
        ),
        migrations.AddField(
            model_name="npctold",
            name="checkpoint",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The campaign's head when this was told; empty: told before its first checkpoint.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.checkpoint",
            ),
        ),
        migrations.AddField(
            model_name="partymember",
            name="checkpoint",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The campaign's head when this was told; empty: told before its first checkpoint.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.checkpoint",
            ),
        ),
        migrations.AddField(
            model_name="rollback",
            name="before",
            field=models.ForeignKey(
                db_index=False,
                help_text="Where play stood: its undo.",
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.checkpoint",
            ),
        ),
        migrations.AddField(
            model_name="rollback",
            name="campaign",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rollbacks",
                to="episodes.campaign",
            ),
        ),
        migrations.AddField(
            model_name="rollback",
            name="target",
            field=models.ForeignKey(
                db_index=False,
                help_text="Where it led.",
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.checkpoint",
            ),
        ),
        migrations.AddField(
            model_name="rollback",
            name="tenant",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tenancy.tenant"
            ),
        ),
        migrations.AddField(
            model_name="artcard",
            name="undone_by",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The rollback that undid it; empty: it holds.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.rollback",
            ),
        ),
        migrations.AddField(
            model_name="episodicsummary",
            name="undone_by",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The rollback that undid it; empty: it holds.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.rollback",
            ),
        ),
        migrations.AddField(
            model_name="eventfact",
            name="undone_by",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The rollback that undid it; empty: it holds.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.rollback",
            ),
        ),
        migrations.AddField(
            model_name="flagchange",
            name="undone_by",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The rollback that undid it; empty: it holds.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.rollback",
            ),
        ),
        migrations.AddField(
            model_name="npctold",
            name="undone_by",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The rollback that undid it; empty: it holds.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.rollback",
            ),
        ),
        migrations.AddField(
            model_name="partymember",
            name="undone_by",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The rollback that undid it; empty: it holds.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.rollback",
            ),
        ),
        migrations.AddConstraint(
            model_name="artcard",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undone_by__isnull", True)),
                fields=("tenant", "world", "image_id"),
                name="art_card_image_unique",
            ),
        ),
        migrations.AddConstraint(
            model_name="episodicsummary",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undone_by__isnull", True)),
                fields=("tenant", "world", "summary_id"),
                name="summary_id_unique",
            ),
        ),
        migrations.AddConstraint(
            model_name="eventfact",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undone_by__isnull", True)),
                fields=("tenant", "world", "event_id"),
                name="event_id_unique",
            ),
        ),
        migrations.AddConstraint(
            model_name="npctold",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undone_by__isnull", True)),
                fields=("tenant", "npc_id", "summary", "event"),
                name="npc_told_unique",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="partymember",
            constraint=models.UniqueConstraint(
                condition=models.Q(("undone_by__isnull", True)),
                fields=("tenant", "party", "end_user"),
                name="party_member_unique",
            ),
        ),
        migrations.AddField(
            model_name="rollbackoutcome",
            name="rollback",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="outcomes",
                to="episodes.rollback",
            ),
        ),
        migrations.AddIndex(
            model_name="checkpoint",
            index=models.Index(fields=["tenant", "campaign", "-id"], name="checkpoint_by_campaign"),
        ),
        migrations.AddConstraint(
            model_name="checkpoint",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["engine", "scene_end", "before_rollback", "after_rollback"])),
                name="checkpoint_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="checkpoint",
            constraint=models.CheckConstraint(
                condition=models.Q(models.Q(("label", ""), _negated=True), models.Q(("created_by", ""), _negated=True)),
                name="checkpoint_says_who_and_what",
            ),
        ),
        migrations.AddConstraint(
            model_name="checkpoint",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "scene_end"), ("scene__isnull", False)),
                    models.Q(models.Q(("kind", "scene_end"), _negated=True), ("scene__isnull", True)),
                    _connector="OR",
                ),
                name="checkpoint_scene_where_it_ended",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="checkpoint",
            trigger=pgtrigger.compiler.Trigger(
                name="checkpoint_keeps_together",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.campaign_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_campaign p WHERE p.id = NEW.campaign_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.parent_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_checkpoint p WHERE p.id = NEW.parent_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) OR (NEW.scene_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_scene p WHERE p.id = NEW.scene_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) THEN\n                RAISE EXCEPTION 'checkpoint_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="e8d6bb3d0114bfe9a63b60da5048f9d6a3112897",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_checkpoint_keeps_together_4a0c3",
                    table="episodes_checkpoint",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="checkpoint",
            trigger=pgtrigger.compiler.Trigger(
                name="checkpoint_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_checkpoint;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n                \n                IF EXISTS (\n                    SELECT 1 FROM tenancy_enduser u\n                    WHERE u.id = nullif(current_setting('memory37.erased_user', true), '')::bigint\n                        AND u.tenant_id = OLD.tenant_id AND u.erased_in = pg_current_xact_id()::text::bigint\n                        AND replace(to_jsonb(kept)::text, u.external_id, substr(to_json(current_setting('memory37.erased_name', true))::text, 2, length(to_json(current_setting('memory37.erased_name', true))::text) - 2))\n                            = to_jsonb(OLD)::text\n                ) THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'checkpoint_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="485e0106b4e509e3aa595c533e5c3c296d678071",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_checkpoint_append_only_85ef6",
                    table="episodes_checkpoint",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="rollback",
            index=models.Index(fields=["tenant", "campaign", "-id"], name="rollback_by_campaign"),
        ),
        migrations.AddConstraint(
            model_name="rollback",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("reason", ""), _negated=True), models.Q(("created_by", ""), _negated=True)
                ),
                name="rollback_says_who_and_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="rollback",
            constraint=models.CheckConstraint(
                condition=models.Q(("target", models.F("before")), _negated=True), name="rollback_leads_elsewhere"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rollback",
            trigger=pgtrigger.compiler.Trigger(
                name="rollback_keeps_together",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.campaign_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_campaign p WHERE p.id = NEW.campaign_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.target_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_checkpoint p WHERE p.id = NEW.target_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) OR (NEW.before_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_checkpoint p WHERE p.id = NEW.before_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) THEN\n                RAISE EXCEPTION 'rollback_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="6895a97e9cd3c723a774176644442dfc2d7752d0",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_rollback_keeps_together_35711",
                    table="episodes_rollback",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rollback",
            trigger=pgtrigger.compiler.Trigger(
                name="rollback_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_rollback;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n                \n                IF EXISTS (\n                    SELECT 1 FROM tenancy_enduser u\n                    WHERE u.id = nullif(current_setting('memory37.erased_user', true), '')::bigint\n                        AND u.tenant_id = OLD.tenant_id AND u.erased_in = pg_current_xact_id()::text::bigint\n                        AND replace(to_jsonb(kept)::text, u.external_id, substr(to_json(current_setting('memory37.erased_name', true))::text, 2, length(to_json(current_setting('memory37.erased_name', true))::text) - 2))\n                            = to_jsonb(OLD)::text\n                ) THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'rollback_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="f73098cbfffe98afd2e07914fa28748d9566c79d",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_rollback_append_only_a5f07",
                    table="episodes_rollback",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="rollbackoutcome",
            constraint=models.UniqueConstraint(fields=("rollback", "kind"), name="rollback_outcome_unique"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rollbackoutcome",
            trigger=pgtrigger.compiler.Trigger(
                name="rollback_outcome_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_rollbackoutcome;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'rollback_outcome_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="54ea90190bf11a297853cbd99a5b45274e5a48f8",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_rollback_outcome_append_only_2bcf7",
                    table="episodes_rollbackoutcome",
                    when="BEFORE",
                ),
            ),
        ),
    ]
