"""Threads of agents: checkpoints, values, writes, interrupts, rollbacks, receipts."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

import memoryproject.batched_migrations


class Migration(memoryproject.batched_migrations.BatchedMigration):
    dependencies = [
        ("episodes", "0001_squashed_0048_event_policies_and_proposals"),
        ("tenancy", "0001_squashed_0009_notebook_scope"),
    ]

    operations = [
        migrations.CreateModel(
            name="Thread",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("external_id", models.CharField(db_collation="C", max_length=200)),
                ("title", models.CharField(blank=True, max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("interrupted", "Waits for a person"),
                            ("approved", "Answered: the agent has not gone on yet"),
                            ("rejected", "Rejected: the agent has not gone on yet"),
                        ],
                        default="running",
                        max_length=12,
                    ),
                ),
                (
                    "used_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(),
                        editable=False,
                        help_text="Within the hour.",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="A rollback of the thread takes this campaign back, too.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.campaign",
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="It goes when a message of this conversation is forgotten.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.conversation",
                    ),
                ),
                (
                    "end_user",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="Whom it is about: it goes when this user is erased.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.enduser",
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
                (
                    "world",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="ThreadInterrupt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ns", models.CharField(blank=True, db_collation="C", max_length=500)),
                ("checkpoint_id", models.CharField(db_collation="C", max_length=100)),
                ("task_id", models.CharField(db_collation="C", max_length=100)),
                (
                    "graph_id",
                    models.CharField(
                        help_text="The graph's own id: two questions of one task share it.", max_length=100
                    ),
                ),
                ("sealed", models.BinaryField(help_text="What is asked, and the schema that an answer fits.")),
                (
                    "answer_sealed",
                    models.BinaryField(blank=True, help_text="The answer, or why it was rejected.", null=True),
                ),
                ("sealed_by", models.PositiveSmallIntegerField(help_text="Key of the ring that seals both.")),
                (
                    "fingerprint",
                    models.BinaryField(help_text="Keyed hash of what is asked: the same is asked once.", max_length=32),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "Waits"), ("approved", "Answered"), ("rejected", "Rejected")],
                        default="open",
                        max_length=8,
                    ),
                ),
                ("decided_by", models.CharField(blank=True, max_length=200)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("resumed_at", models.DateTimeField(blank=True, help_text="When the agent went on.", null=True)),
                ("expires_at", models.DateTimeField(help_text="Rejected then, if nobody answered.")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
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
                (
                    "thread",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="interrupts",
                        to="episodes.thread",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="ThreadReceipt",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("deletion", "Asked for"),
                            ("prune", "Pruned: older checkpoints"),
                            ("runs", "Checkpoints of runs"),
                            ("expiry", "Unused for longer than its world keeps threads"),
                            ("erasure", "Its user, or a message it may have, was erased or forgotten"),
                        ],
                        max_length=8,
                    ),
                ),
                ("counts", models.JSONField(default=dict)),
                ("requested_by", models.CharField(max_length=200)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
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
                (
                    "world",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="ThreadRollback",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("target_id", models.CharField(help_text="Where it led.", max_length=100)),
                ("before_id", models.CharField(help_text="Where the thread stood.", max_length=100)),
                ("undone", models.PositiveIntegerField()),
                ("restored", models.PositiveIntegerField()),
                ("reason", models.CharField(max_length=300)),
                ("created_by", models.CharField(max_length=200)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "play_rollback",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.rollback",
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
                (
                    "thread",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rollbacks",
                        to="episodes.thread",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="ThreadCheckpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "ns",
                    models.CharField(blank=True, db_collation="C", help_text="Empty: the root graph.", max_length=500),
                ),
                (
                    "checkpoint_id",
                    models.CharField(
                        db_collation="C", help_text="Later ones sort behind earlier ones.", max_length=100
                    ),
                ),
                (
                    "parent_id",
                    models.CharField(
                        blank=True,
                        db_collation="C",
                        help_text="No foreign key: a parent may be pruned.",
                        max_length=100,
                    ),
                ),
                (
                    "root_id",
                    models.CharField(
                        blank=True,
                        help_text="Of a subgraph's, the checkpoint of the root graph under which it ran.",
                        max_length=100,
                    ),
                ),
                (
                    "generation",
                    models.PositiveIntegerField(
                        db_default=0,
                        default=0,
                        help_text="Which of the writes under it hold: each time it is gone back to, they begin anew.",
                    ),
                ),
                (
                    "parent_generation",
                    models.PositiveIntegerField(
                        db_default=0, default=0, help_text="Which of its parent's writes it was made of."
                    ),
                ),
                ("step", models.IntegerField(blank=True, null=True)),
                ("source", models.CharField(blank=True, max_length=40)),
                ("run_id", models.CharField(blank=True, max_length=200)),
                (
                    "channels",
                    models.JSONField(
                        default=dict, help_text="Channel to its version and the digest of its value, or null."
                    ),
                ),
                (
                    "delta_channels",
                    models.JSONField(
                        default=list, help_text="Channels whose value is rebuilt from writes of checkpoints above."
                    ),
                ),
                ("sealed", models.BinaryField(help_text="The checkpoint and its metadata, compressed and encrypted.")),
                ("sealed_by", models.PositiveSmallIntegerField(help_text="Key of the ring that seals it.")),
                ("tokens", models.JSONField(default=list, help_text="Blind indexes of the metadata, for filters.")),
                (
                    "fingerprint",
                    models.BinaryField(
                        help_text="Keyed hash of what was sent: tells a repeat from a clash.", max_length=32
                    ),
                ),
                ("size", models.PositiveIntegerField(help_text="Bytes of it and its new values as they were sent.")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "play_checkpoint",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="Where play of the thread's campaign stood.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.checkpoint",
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
                (
                    "thread",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checkpoints",
                        to="episodes.thread",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.threadrollback",
                    ),
                ),
            ],
            options={
                "ordering": ["-checkpoint_id"],
            },
        ),
        migrations.CreateModel(
            name="ThreadValue",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "digest",
                    models.CharField(db_collation="C", help_text="Keyed hash of serializer and bytes.", max_length=32),
                ),
                ("type", models.CharField(max_length=40)),
                ("sealed", models.BinaryField()),
                ("sealed_by", models.PositiveSmallIntegerField(help_text="Key of the ring that seals it.")),
                ("size", models.PositiveIntegerField()),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
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
                (
                    "thread",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="values",
                        to="episodes.thread",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ThreadWrite",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ns", models.CharField(blank=True, db_collation="C", max_length=500)),
                ("checkpoint_id", models.CharField(db_collation="C", max_length=100)),
                ("generation", models.PositiveIntegerField(db_default=0, default=0, help_text="As in its checkpoint.")),
                ("task_id", models.CharField(db_collation="C", max_length=100)),
                (
                    "index",
                    models.IntegerField(
                        help_text="Its place among the task's; below zero: a special channel, whose last holds."
                    ),
                ),
                ("task_path", models.CharField(blank=True, db_collation="C", max_length=1000)),
                ("channel", models.CharField(max_length=200)),
                ("type", models.CharField(max_length=40)),
                ("sealed", models.BinaryField()),
                ("sealed_by", models.PositiveSmallIntegerField(help_text="Key of the ring that seals it.")),
                ("size", models.PositiveIntegerField()),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
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
                (
                    "thread",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="writes",
                        to="episodes.thread",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WorldThreadPolicy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "idle_days",
                    models.PositiveSmallIntegerField(
                        default=30, help_text="Days after which a thread that nobody used is deleted, 1 to 365."
                    ),
                ),
                (
                    "answer_hours",
                    models.PositiveSmallIntegerField(
                        default=168, help_text="Hours for which an interrupt waits before it is rejected, 1 to 720."
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
                (
                    "world",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="thread_policy", to="tenancy.world"
                    ),
                ),
            ],
            options={
                "verbose_name": "thread policy",
                "verbose_name_plural": "thread policies",
            },
        ),
        migrations.AddIndex(
            model_name="thread",
            index=models.Index(fields=["tenant", "world", "-id"], name="thread_by_world"),
        ),
        migrations.AddIndex(
            model_name="thread",
            index=models.Index(fields=["used_at"], name="thread_by_use"),
        ),
        migrations.AddIndex(
            model_name="thread",
            index=models.Index(
                condition=models.Q(("end_user__isnull", False)), fields=["end_user"], name="thread_by_user"
            ),
        ),
        migrations.AddIndex(
            model_name="thread",
            index=models.Index(
                condition=models.Q(("conversation__isnull", False)), fields=["conversation"], name="thread_by_talk"
            ),
        ),
        migrations.AddIndex(
            model_name="thread",
            index=models.Index(
                condition=models.Q(("campaign__isnull", False)), fields=["campaign"], name="thread_by_campaign"
            ),
        ),
        migrations.AddConstraint(
            model_name="thread",
            constraint=models.UniqueConstraint(
                fields=("tenant", "world", "external_id"), name="thread_external_id_unique", nulls_distinct=False
            ),
        ),
        migrations.AddConstraint(
            model_name="thread",
            constraint=models.CheckConstraint(
                condition=models.Q(("external_id", ""), _negated=True), name="thread_external_id_not_empty"
            ),
        ),
        migrations.AddConstraint(
            model_name="thread",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["running", "interrupted", "approved", "rejected"])),
                name="thread_state_known",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="thread",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.world_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tenancy_world p WHERE p.id = NEW.world_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.end_user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tenancy_enduser p WHERE p.id = NEW.end_user_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.conversation_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_conversation p WHERE p.id = NEW.conversation_id AND p.tenant_id = NEW.tenant_id AND p.end_user_id = NEW.end_user_id)) OR (NEW.campaign_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_campaign p WHERE p.id = NEW.campaign_id AND p.tenant_id = NEW.tenant_id AND p.world_id = NEW.world_id)) THEN\n                RAISE EXCEPTION 'thread_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="a097b8007a2288cd608f689f9be0173ca56c4262",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_thread_same_tenant_e972a",
                    table="episodes_thread",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="thread",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_is_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF current_setting('memory37.thread_deletion', TRUE) = 'on' THEN\n                        RETURN OLD;\n                    END IF;\n                    RAISE EXCEPTION 'thread_is_kept' USING ERRCODE = 'check_violation';\n                ",
                    hash="67f1d185848d3458c1e2540766fc50c4400bc9cb",
                    operation="DELETE",
                    pgid="pgtrigger_thread_is_kept_4f01c",
                    table="episodes_thread",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="threadinterrupt",
            index=models.Index(fields=["thread", "-id"], name="thread_interrupt_by_thread"),
        ),
        migrations.AddIndex(
            model_name="threadinterrupt",
            index=models.Index(
                condition=models.Q(("state", "open")), fields=["tenant", "-id"], name="thread_interrupt_open"
            ),
        ),
        migrations.AddIndex(
            model_name="threadinterrupt",
            index=models.Index(
                condition=models.Q(("state", "open")), fields=["expires_at"], name="thread_interrupt_by_expiry"
            ),
        ),
        migrations.AddConstraint(
            model_name="threadinterrupt",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["open", "approved", "rejected"])), name="thread_interrupt_state_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="threadinterrupt",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("answer_sealed__isnull", True),
                        ("decided_at__isnull", True),
                        ("decided_by", ""),
                        ("resumed_at__isnull", True),
                        ("state", "open"),
                    ),
                    models.Q(
                        models.Q(("state", "open"), _negated=True),
                        ("answer_sealed__isnull", False),
                        ("decided_at__isnull", False),
                        models.Q(("decided_by", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="thread_interrupt_decision_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="threadinterrupt",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "open")), fields=("thread", "graph_id"), name="thread_interrupt_open_once"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadinterrupt",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_interrupt_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF NOT ((EXISTS (SELECT 1 FROM episodes_thread t WHERE t.id = NEW.thread_id AND t.tenant_id = NEW.tenant_id))) THEN\n                RAISE EXCEPTION 'thread_interrupt_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="495ab3e927c87734470f816bfbc7ceb501329ac2",
                    operation="INSERT",
                    pgid="pgtrigger_thread_interrupt_same_tenant_cf881",
                    table="episodes_threadinterrupt",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadinterrupt",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_interrupt_moves",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."state" IS DISTINCT FROM (NEW."state"))',
                    func="\n            IF (OLD.state, NEW.state) NOT IN (('open', 'approved'), ('open', 'rejected')) THEN\n                RAISE EXCEPTION 'thread_interrupt_moves' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="ac3b9b38993b01705104d62f38f85e115b305fcf",
                    operation='UPDATE OF "state"',
                    pgid="pgtrigger_thread_interrupt_moves_4c7db",
                    table="episodes_threadinterrupt",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadinterrupt",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_interrupt_is_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF current_setting('memory37.thread_deletion', TRUE) = 'on' THEN\n                        RETURN OLD;\n                    END IF;\n                    RAISE EXCEPTION 'thread_interrupt_is_kept' USING ERRCODE = 'check_violation';\n                ",
                    hash="056b905d63bb4165172b8ae32c0015ab0c9f3abe",
                    operation="DELETE",
                    pgid="pgtrigger_thread_interrupt_is_kept_b9ac9",
                    table="episodes_threadinterrupt",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadinterrupt",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_interrupt_decided_once",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NOT (OLD.\"state\" = 'open'))",
                    func="\n                    IF (NEW.state, NEW.decided_by, NEW.decided_at) IS DISTINCT FROM (OLD.state, OLD.decided_by, OLD.decided_at)\n                        OR (NEW.answer_sealed IS DISTINCT FROM OLD.answer_sealed AND NEW.sealed_by = OLD.sealed_by)\n                        OR (OLD.resumed_at IS NOT NULL AND NEW.resumed_at IS DISTINCT FROM OLD.resumed_at)\n                    THEN\n                        RAISE EXCEPTION 'thread_interrupt_decided_once' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="4a4e6315cfbb57617e711c023d8201ba1cdafff8",
                    operation="UPDATE",
                    pgid="pgtrigger_thread_interrupt_decided_once_9c0ac",
                    table="episodes_threadinterrupt",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="threadreceipt",
            index=models.Index(fields=["tenant", "-created_at"], name="thread_receipt_by_tenant"),
        ),
        migrations.AddConstraint(
            model_name="threadreceipt",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["deletion", "prune", "runs", "expiry", "erasure"])),
                name="thread_receipt_kind_known",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadreceipt",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_receipt_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'thread_receipt_append_only' USING ERRCODE = 'check_violation';",
                    hash="4906902bc9d5ba5b3dec2018746b3854d2f94e3d",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_thread_receipt_append_only_ab5dc",
                    table="episodes_threadreceipt",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="threadrollback",
            index=models.Index(fields=["thread", "-id"], name="thread_rollback_by_thread"),
        ),
        migrations.AddConstraint(
            model_name="threadrollback",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("reason", ""), _negated=True), models.Q(("created_by", ""), _negated=True)
                ),
                name="thread_rollback_says_who_and_why",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadrollback",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_rollback_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_threadrollback;",
                    func="\n            IF TG_OP = 'DELETE' AND current_setting('memory37.thread_deletion', TRUE) = 'on' THEN\n                RETURN OLD;\n            END IF;\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                \n                IF kept IS NOT DISTINCT FROM OLD OR NOT (TRUE) THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'thread_rollback_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="6d15a6659c3349621cb62db5e570904350b7725f",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_thread_rollback_append_only_2aa32",
                    table="episodes_threadrollback",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadrollback",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_rollback_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF NOT ((EXISTS (SELECT 1 FROM episodes_thread t WHERE t.id = NEW.thread_id AND t.tenant_id = NEW.tenant_id))) THEN\n                RAISE EXCEPTION 'thread_rollback_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="f57ccef407e29cebd1f8ce129c774bbae9a85411",
                    operation="INSERT",
                    pgid="pgtrigger_thread_rollback_same_tenant_b3b1d",
                    table="episodes_threadrollback",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="threadcheckpoint",
            index=models.Index(
                condition=models.Q(("run_id", ""), _negated=True),
                fields=["tenant", "run_id"],
                name="thread_checkpoint_by_run",
            ),
        ),
        migrations.AddConstraint(
            model_name="threadcheckpoint",
            constraint=models.UniqueConstraint(
                fields=("thread", "ns", "checkpoint_id"), name="thread_checkpoint_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="threadcheckpoint",
            constraint=models.CheckConstraint(
                condition=models.Q(("checkpoint_id", ""), _negated=True), name="thread_checkpoint_id_not_empty"
            ),
        ),
        migrations.AddConstraint(
            model_name="threadcheckpoint",
            constraint=models.CheckConstraint(
                condition=models.Q(("parent_id", models.F("checkpoint_id")), _negated=True),
                name="thread_checkpoint_not_its_parent",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadcheckpoint",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_checkpoint_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_threadcheckpoint;",
                    func="\n            IF TG_OP = 'DELETE' AND current_setting('memory37.thread_deletion', TRUE) = 'on' THEN\n                RETURN OLD;\n            END IF;\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.undone_by_id := OLD.undone_by_id;\nkept.generation := OLD.generation;\nkept.sealed := OLD.sealed;\nkept.sealed_by := OLD.sealed_by;\n\n                IF kept IS NOT DISTINCT FROM OLD OR NOT (TRUE) THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'thread_checkpoint_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="d449dd1f1b906cd4b753e3abfd7e4d354924ea70",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_thread_checkpoint_append_only_dc0f5",
                    table="episodes_threadcheckpoint",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadcheckpoint",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_checkpoint_keeps_together",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF NOT ((EXISTS (SELECT 1 FROM episodes_thread t WHERE t.id = NEW.thread_id AND t.tenant_id = NEW.tenant_id)) AND (NOT EXISTS (\n                        SELECT 1 FROM jsonb_each(NEW.channels) c\n                        WHERE c.value ->> 1 IS NOT NULL AND NOT EXISTS (\n                            SELECT 1 FROM episodes_threadvalue v\n                            WHERE v.thread_id = NEW.thread_id AND v.digest = c.value ->> 1\n                        )\n                    ))) THEN\n                RAISE EXCEPTION 'thread_checkpoint_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="0cc3d9647dd00ed427f792c9c150cbb379cd6ced",
                    operation="INSERT",
                    pgid="pgtrigger_thread_checkpoint_keeps_together_4c742",
                    table="episodes_threadcheckpoint",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="threadvalue",
            constraint=models.UniqueConstraint(fields=("thread", "digest"), name="thread_value_unique"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadvalue",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_value_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_threadvalue;",
                    func="\n            IF TG_OP = 'DELETE' AND current_setting('memory37.thread_deletion', TRUE) = 'on' THEN\n                RETURN OLD;\n            END IF;\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.sealed := OLD.sealed;\nkept.sealed_by := OLD.sealed_by;\n\n                IF kept IS NOT DISTINCT FROM OLD OR NOT (TRUE) THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'thread_value_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="9b7b192148c77257d4496ad06d65a57f09a3d49e",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_thread_value_append_only_f04d7",
                    table="episodes_threadvalue",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadvalue",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_value_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF NOT ((EXISTS (SELECT 1 FROM episodes_thread t WHERE t.id = NEW.thread_id AND t.tenant_id = NEW.tenant_id))) THEN\n                RAISE EXCEPTION 'thread_value_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="d99804bba67c90042510daf0a2723fdd9f9ea72c",
                    operation="INSERT",
                    pgid="pgtrigger_thread_value_same_tenant_f8a8b",
                    table="episodes_threadvalue",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="threadwrite",
            constraint=models.UniqueConstraint(
                fields=("thread", "ns", "checkpoint_id", "generation", "task_id", "index"), name="thread_write_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="threadwrite",
            constraint=models.CheckConstraint(
                condition=models.Q(models.Q(("task_id", ""), _negated=True), models.Q(("channel", ""), _negated=True)),
                name="thread_write_says_whose",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadwrite",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_write_first_holds",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept episodes_threadwrite;",
                    func="\n            IF TG_OP = 'DELETE' AND current_setting('memory37.thread_deletion', TRUE) = 'on' THEN\n                RETURN OLD;\n            END IF;\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.sealed := OLD.sealed;\nkept.sealed_by := OLD.sealed_by;\n\n                IF kept IS NOT DISTINCT FROM OLD OR NOT (OLD.index >= 0) THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'thread_write_first_holds' USING ERRCODE = 'check_violation';\n        ",
                    hash="4f7e0bd6bd6cc7ea6e7d064bb07edcc1eb068eee",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_thread_write_first_holds_25028",
                    table="episodes_threadwrite",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="threadwrite",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_write_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF NOT ((EXISTS (SELECT 1 FROM episodes_thread t WHERE t.id = NEW.thread_id AND t.tenant_id = NEW.tenant_id))) THEN\n                RAISE EXCEPTION 'thread_write_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="d4d19644522899bcc67e6175fd76dafa1d111a93",
                    operation="INSERT",
                    pgid="pgtrigger_thread_write_same_tenant_50102",
                    table="episodes_threadwrite",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="worldthreadpolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(("idle_days__gte", 1), ("idle_days__lte", 365)), name="thread_policy_days_in_bounds"
            ),
        ),
        migrations.AddConstraint(
            model_name="worldthreadpolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(("answer_hours__gte", 1), ("answer_hours__lte", 720)),
                name="thread_policy_hours_in_bounds",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="worldthreadpolicy",
            trigger=pgtrigger.compiler.Trigger(
                name="thread_policy_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF (NEW.world_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tenancy_world p WHERE p.id = NEW.world_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'thread_policy_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="f615af27c5949523a42d950c74d7c7b6694cb628",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_thread_policy_same_tenant_b8f8c",
                    table="episodes_worldthreadpolicy",
                    when="BEFORE",
                ),
            ),
        ),
    ]
