"""Columns and tables of alternatives at one place, and of branches."""

import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("episodes", "0035_rollback_of_play"), ("tenancy", "0008_labeller")]

    operations = [
        migrations.CreateModel(
            name="ConversationAncestor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("through_seq", models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="MessageChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("edit", "Edit"), ("swipe", "Swipe"), ("select", "Select")], max_length=6
                    ),
                ),
                (
                    "changed",
                    models.JSONField(
                        help_text="Ids of facts that ended, came back or were added, and counts by store."
                    ),
                ),
                (
                    "requested_by",
                    models.CharField(help_text="The API key's prefix, or the person's name.", max_length=200),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="message",
            name="message_belongs",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="message",
            name="message_append_only",
        ),
        migrations.AddField(
            model_name="conversation",
            name="fork_seq",
            field=models.PositiveIntegerField(
                db_default=0,
                default=0,
                editable=False,
                help_text="Of a branch, the last place of its trunk that it sees; its own places follow.",
            ),
        ),
        migrations.AddField(
            model_name="conversation",
            name="tree_id",
            field=models.BigIntegerField(
                blank=True,
                editable=False,
                help_text="The first trunk of all, in it and in each of its branches.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="conversation",
            name="trunk",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The conversation that it branched off, whose message stands at the fork.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="branches",
                to="episodes.conversation",
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="alternative",
            field=models.PositiveIntegerField(
                db_default=0, default=0, editable=False, help_text="Which alternative of its place it is; 0 came first."
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="alternative_of",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The message that came first at its place.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.message",
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="is_current",
            field=models.BooleanField(
                db_default=True,
                default=True,
                editable=False,
                help_text="The one that is read, of all alternatives of a place.",
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="revision_of",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                help_text="The message that it edits.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.message",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="message",
            trigger=pgtrigger.compiler.Trigger(
                name="message_belongs",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM episodes_conversation c\n                        WHERE c.id = NEW.conversation_id AND c.tenant_id = NEW.tenant_id AND c.last_seq >= NEW.seq\n                    ) THEN\n                        RAISE EXCEPTION 'message_belongs' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.reply_to_id IS NOT NULL AND NOT EXISTS (\n                        SELECT 1 FROM episodes_message r\n                        WHERE r.id = NEW.reply_to_id AND r.seq < NEW.seq AND (\n                            r.conversation_id = NEW.conversation_id OR EXISTS (\n                                SELECT 1 FROM episodes_conversationancestor a\n                                WHERE a.conversation_id = NEW.conversation_id AND a.ancestor_id = r.conversation_id\n                                    AND r.seq <= a.through_seq\n                            )\n                        )\n                    ) THEN\n                        RAISE EXCEPTION 'message_reply_in_conversation' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.alternative > 0 AND (\n                        NOT EXISTS (\n                            SELECT 1 FROM episodes_message f\n                            WHERE f.id = NEW.alternative_of_id AND f.conversation_id = NEW.conversation_id\n                                AND f.seq = NEW.seq AND f.alternative = 0 AND f.role = NEW.role\n                        )\n                        OR (NEW.revision_of_id IS NOT NULL AND NOT EXISTS (\n                            SELECT 1 FROM episodes_message r\n                            WHERE r.id = NEW.revision_of_id AND r.conversation_id = NEW.conversation_id\n                                AND r.seq = NEW.seq\n                        ))\n                    ) THEN\n                        RAISE EXCEPTION 'message_alternative_at_place' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="f6bd08729456a00709904ca3b419ee28729bb4c2",
                    operation="INSERT",
                    pgid="pgtrigger_message_belongs_89b0a",
                    table="episodes_message",
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
                    func="\n                    IF TG_OP = 'DELETE' THEN\n                        RAISE EXCEPTION 'message_append_only' USING ERRCODE = 'check_violation';\n                    END IF;\n                    kept := NEW;\n                    IF OLD.forgotten_at IS NULL THEN\n                        kept.forgotten_at := NULL;\n                    END IF;\n                    IF NOT NEW.is_current OR NEW.forgotten_at IS NULL THEN\n                        kept.is_current := OLD.is_current;\n                    END IF;\n                    IF NEW.response_description = '' THEN\n                        kept.response_description := OLD.response_description;\n                    END IF;\n                    IF NEW.content = '[erased]' AND NEW.client_message_id IS NULL AND NEW.body_hash IS NULL\n                        AND NEW.forgotten_at IS NOT NULL AND EXISTS (\n                            SELECT 1 FROM episodes_erasure e JOIN episodes_conversation c\n                                ON c.tenant_id = e.tenant_id AND c.end_user_id = e.end_user_id\n                            WHERE c.id = OLD.conversation_id AND e.tenant_id = OLD.tenant_id\n                                AND (e.world_id IS NULL OR e.world_id = c.world_id)\n                                AND (\n                                    e.transaction_id = pg_current_xact_id()::text::bigint\n                                    OR (OLD.seq <= c.gone_to AND EXISTS (\n                                        SELECT 1 FROM episodes_forgetreceipt r\n                                        WHERE r.id = e.receipt_id AND r.order_kind = 'erase' AND r.state <> 'done'\n                                    ))\n                                )\n                        )\n                    THEN\n                        kept.content := OLD.content;\n                        kept.client_message_id := OLD.client_message_id;\n                        kept.body_hash := OLD.body_hash;\n                        IF NEW.mood = '' THEN\n                            kept.mood := OLD.mood;\n                        END IF;\n                        IF NEW.session_id = '' THEN\n                            kept.session_id := OLD.session_id;\n                        END IF;\n                    END IF;\n                    IF kept IS DISTINCT FROM OLD THEN\n                        RAISE EXCEPTION 'message_append_only' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="0ffa585b88cd2d1020d49d1d94a51a64133a158d",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_message_append_only_b67f3",
                    table="episodes_message",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="conversation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("fork_seq", 0), ("trunk__isnull", True)),
                    models.Q(
                        ("fork_seq__gte", 1),
                        ("last_seq__gte", models.F("fork_seq")),
                        ("tree_id__isnull", False),
                        ("trunk__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="conversation_branch_has_fork",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("alternative", 0), ("alternative_of__isnull", True), ("revision_of__isnull", True)),
                    models.Q(("alternative__gt", 0), ("alternative_of__isnull", False)),
                    _connector="OR",
                ),
                name="message_alternative_has_first",
            ),
        ),
        migrations.AddField(
            model_name="conversationancestor",
            name="ancestor",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.conversation",
            ),
        ),
        migrations.AddField(
            model_name="conversationancestor",
            name="conversation",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="ancestors",
                to="episodes.conversation",
            ),
        ),
        migrations.AddField(
            model_name="messagechange",
            name="conversation",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="episodes.conversation",
            ),
        ),
        migrations.AddField(
            model_name="messagechange",
            name="deselected",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="episodes.message"
            ),
        ),
        migrations.AddField(
            model_name="messagechange",
            name="selected",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="episodes.message"
            ),
        ),
        migrations.AddField(
            model_name="messagechange",
            name="tenant",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tenancy.tenant"
            ),
        ),
        migrations.AddConstraint(
            model_name="conversationancestor",
            constraint=models.UniqueConstraint(
                fields=("conversation", "ancestor"), name="conversation_ancestor_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="conversationancestor",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("through_seq__gte", 1), models.Q(("conversation", models.F("ancestor")), _negated=True)
                ),
                name="conversation_ancestor_possible",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="conversationancestor",
            trigger=pgtrigger.compiler.Trigger(
                name="conversation_ancestor_same_user",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM episodes_conversation c JOIN episodes_conversation a ON a.id = NEW.ancestor_id\n                        WHERE c.id = NEW.conversation_id AND a.tenant_id = c.tenant_id AND a.end_user_id = c.end_user_id\n                            AND a.world_id IS NOT DISTINCT FROM c.world_id AND a.tree_id = c.tree_id\n                            AND (\n                                c.trunk_id = a.id AND NEW.through_seq = c.fork_seq\n                                OR EXISTS (\n                                    SELECT 1 FROM episodes_conversationancestor t\n                                    WHERE t.conversation_id = c.trunk_id AND t.ancestor_id = a.id\n                                        AND NEW.through_seq = least(t.through_seq, c.fork_seq)\n                                )\n                            )\n                    ) THEN\n                        RAISE EXCEPTION 'conversation_ancestor_same_user' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="024673e98495518ec419afcebbb1112819e2acb0",
                    operation="INSERT",
                    pgid="pgtrigger_conversation_ancestor_same_user_1221e",
                    table="episodes_conversationancestor",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="conversationancestor",
            trigger=pgtrigger.compiler.Trigger(
                name="conversation_ancestor_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'conversation_ancestor_append_only' USING ERRCODE = 'check_violation';",
                    hash="d12e07c6caadb966529382eeddb97ca199330903",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_conversation_ancestor_append_only_5ca68",
                    table="episodes_conversationancestor",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="messagechange",
            index=models.Index(fields=["tenant", "conversation", "-id"], name="message_change_by_talk"),
        ),
        migrations.AddConstraint(
            model_name="messagechange",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["edit", "swipe", "select"])), name="message_change_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="messagechange",
            constraint=models.CheckConstraint(
                condition=models.Q(("deselected", models.F("selected")), _negated=True), name="message_change_changes"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="messagechange",
            trigger=pgtrigger.compiler.Trigger(
                name="message_change_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'message_change_append_only' USING ERRCODE = 'check_violation';",
                    hash="c9d604faac78f79e01fc6ff5a492d1923e440604",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_message_change_append_only_d508c",
                    table="episodes_messagechange",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="message",
            trigger=pgtrigger.compiler.Trigger(
                name="message_one_current",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.alternative > 0 OR NOT NEW.is_current)",
                    constraint="CONSTRAINT",
                    func="\n                    PERFORM 1 FROM episodes_conversation c WHERE c.id = NEW.conversation_id FOR NO KEY UPDATE;\n                    IF (\n                        SELECT count(*) FROM episodes_message m\n                        WHERE m.conversation_id = NEW.conversation_id AND m.seq = NEW.seq AND m.is_current\n                    ) <> 1 THEN\n                        RAISE EXCEPTION 'message_one_current' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NULL;\n                ",
                    hash="7a08a45d8e99b87579ef8561717dc810a6c06647",
                    operation='INSERT OR UPDATE OF "is_current"',
                    pgid="pgtrigger_message_one_current_cdb34",
                    table="episodes_message",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
    ]
