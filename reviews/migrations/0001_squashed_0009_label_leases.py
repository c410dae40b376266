"""Everything up to 0009_label_leases in one step: a new installation migrates in seconds, an old one has it already."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
from django.conf import settings
from django.db import migrations, models

import memoryproject.batched_migrations
import memoryproject.trigger_migrations


class Migration(memoryproject.batched_migrations.BatchedMigration):
    replaces = [
        ("reviews", "0001_initial"),
        ("reviews", "0002_golden_notes_and_slugs"),
        ("reviews", "0003_author_stays"),
        ("reviews", "0004_golden_changes"),
        ("reviews", "0005_golden_version_default"),
        ("reviews", "0006_npc_changes"),
        ("reviews", "0007_autosaves"),
        ("reviews", "0008_labelling"),
        ("reviews", "0009_label_leases"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("factcheck", "0001_squashed_0016_soft_candidates"),
        ("knowledge", "0001_squashed_0019_notebooks"),
        ("tenancy", "0001_squashed_0009_notebook_scope"),
    ]

    operations = [
        migrations.CreateModel(
            name="Autosave",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "target",
                    models.CharField(
                        help_text="What is written: document:ID, item:ID, or new:ID with the id of the domain index.",
                        max_length=40,
                    ),
                ),
                ("fields", models.JSONField(help_text="The form as it stood: field name to its values.")),
                ("saved_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "target"), name="autosave_one_per_form"),
                    models.CheckConstraint(
                        condition=models.Q(("target__regex", "^(document|item|new):[1-9][0-9]{0,18}$")),
                        name="autosave_target_form",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ChangeRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("canon", "Articles of canon"), ("npc", "Profiles of NPCs")],
                        db_default="canon",
                        default="canon",
                        max_length=8,
                    ),
                ),
                ("title", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("in_review", "In review"),
                            ("needs_changes", "Needs changes"),
                            ("approved", "Approved"),
                            ("staged", "Staged"),
                            ("live", "Live"),
                            ("rolled_back", "Rolled back"),
                            ("rejected", "Rejected"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="draft",
                        max_length=16,
                    ),
                ),
                ("due_on", models.DateField(blank=True, null=True)),
                ("approved_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("submitted_at", models.DateTimeField(blank=True, null=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "approved_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="approved_change_requests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="change_requests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "author_key",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="change_requests",
                        to="tenancy.apikey",
                    ),
                ),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="change_requests",
                        to="knowledge.domainindex",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        blank=True,
                        help_text="The release that carries it.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="change_requests",
                        to="knowledge.release",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        blank=True,
                        help_text="Who has claimed the review.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="claimed_change_requests",
                        to=settings.AUTH_USER_MODEL,
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
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["tenant", "domain_index", "state", "-id"], name="change_request_queue")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("author__isnull", False), ("author_key__isnull", True)),
                            models.Q(("author__isnull", True), ("author_key__isnull", False)),
                            _connector="OR",
                        ),
                        name="change_request_one_author",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by__isnull", True),
                            ("author__isnull", True),
                            models.Q(("approved_by", models.F("author")), _negated=True),
                            _connector="OR",
                        ),
                        name="change_request_four_eyes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                [
                                    "draft",
                                    "in_review",
                                    "needs_changes",
                                    "approved",
                                    "staged",
                                    "live",
                                    "rolled_back",
                                    "rejected",
                                    "withdrawn",
                                ],
                            )
                        ),
                        name="change_request_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("approved_at__isnull", False),
                                ("approved_by__isnull", False),
                                ("state__in", ("approved", "staged", "live", "rolled_back")),
                            ),
                            models.Q(
                                models.Q(("state__in", ("approved", "staged", "live", "rolled_back")), _negated=True),
                                ("approved_at__isnull", True),
                                ("approved_by__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="change_request_approval_matches_state",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state__in", ["staged", "live", "rolled_back"]), _negated=True),
                            ("release__isnull", False),
                            ("kind", "npc"),
                            _connector="OR",
                        ),
                        name="change_request_staged_has_release",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["canon", "npc"])), name="change_request_kind_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind", "canon"),
                            models.Q(
                                ("release__isnull", True),
                                models.Q(("state__in", ["staged", "rolled_back"]), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="change_request_npc_has_no_release",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("title", ""), _negated=True), name="change_request_title_not_empty"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="change_request_transition_allowed",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."state" IS DISTINCT FROM (NEW."state"))',
                            func="\n                    IF (OLD.state, NEW.state) NOT IN (('draft', 'in_review'), ('draft', 'withdrawn'), ('in_review', 'approved'), ('in_review', 'needs_changes'), ('in_review', 'rejected'), ('in_review', 'withdrawn'), ('needs_changes', 'in_review'), ('needs_changes', 'withdrawn'), ('approved', 'staged'), ('approved', 'live'), ('approved', 'needs_changes'), ('approved', 'withdrawn'), ('staged', 'live'), ('staged', 'approved'), ('live', 'rolled_back'), ('rolled_back', 'live'), ('rolled_back', 'needs_changes'), ('rolled_back', 'withdrawn')) THEN\n                        RAISE EXCEPTION 'change_request_transition_allowed' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF OLD.state = 'approved' AND NEW.state = 'live' AND NEW.kind <> 'npc' THEN\n                        RAISE EXCEPTION 'change_request_transition_allowed' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="2e7e93ff0d158e8d797fdbbc96a11e5a379ed623",
                            operation='UPDATE OF "state"',
                            pgid="pgtrigger_change_request_transition_allowed_295e3",
                            table="reviews_changerequest",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="change_request_kind_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."kind" IS DISTINCT FROM (NEW."kind"))',
                            func="RAISE EXCEPTION 'change_request_kind_stays' USING ERRCODE = 'check_violation';",
                            hash="4705ccbb45c75464c8da881dee2ac5ec6b2be743",
                            operation='UPDATE OF "kind"',
                            pgid="pgtrigger_change_request_kind_stays_ef032",
                            table="reviews_changerequest",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="change_request_author_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."author_id" IS DISTINCT FROM (NEW."author_id") OR OLD."author_key_id" IS DISTINCT FROM (NEW."author_key_id"))',
                            func="RAISE EXCEPTION 'change_request_author_stays' USING ERRCODE = 'check_violation';",
                            hash="d96f59367e8c5f9800d9a9ee611efa53ade9b67a",
                            operation='UPDATE OF "author_id", "author_key_id"',
                            pgid="pgtrigger_change_request_author_stays_9e012",
                            table="reviews_changerequest",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="change_request_key_owner_does_not_approve",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NEW."approved_by_id" IS NOT NULL AND NEW."author_key_id" IS NOT NULL)',
                            func="\n                    IF EXISTS (SELECT 1 FROM tenancy_apikey k WHERE k.id = NEW.author_key_id AND k.created_by_id = NEW.approved_by_id) THEN\n                        RAISE EXCEPTION 'change_request_four_eyes' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="4a76d72a12e646d7c52f57e3d4ec03e831de5893",
                            operation='INSERT OR UPDATE OF "approved_by_id"',
                            pgid="pgtrigger_change_request_key_owner_does_not_approve_eb7eb",
                            table="reviews_changerequest",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GoldenChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(help_text="The query's id.", max_length=120)),
                (
                    "query_version",
                    models.PositiveIntegerField(help_text="The version of the query that the author has seen."),
                ),
                ("operation", models.CharField(choices=[("update", "Change"), ("delete", "Delete")], max_length=8)),
                ("before", models.JSONField(help_text="The query before, as the database held it.")),
                ("after", models.JSONField(blank=True, help_text="The query after; empty for a deletion.", null=True)),
                ("reason", models.TextField()),
                ("guards", models.BooleanField(help_text="The query could close a gate, so a second person decides.")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("proposed", "Waits for a second person"),
                            ("applied", "Applied"),
                            ("rejected", "Rejected"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="proposed",
                        max_length=16,
                    ),
                ),
                ("author_label", models.CharField(max_length=200)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("decision", models.TextField(blank=True, help_text="What the second person said.")),
                (
                    "applied_in",
                    models.BigIntegerField(
                        blank=True,
                        editable=False,
                        help_text="The transaction that applied it. Set by the database.",
                        null=True,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty for the operator at the shell.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="golden_changes",
                        to="knowledge.domainindex",
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
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["domain_index", "key", "-id"], name="golden_change_by_query"),
                    models.Index(
                        condition=models.Q(("state", "proposed")),
                        fields=["tenant", "-id"],
                        name="golden_change_waiting",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="golden_change_has_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["proposed", "applied", "rejected", "withdrawn"])),
                        name="golden_change_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("after__isnull", False), ("operation", "update")),
                            models.Q(("after__isnull", True), ("operation", "delete")),
                            _connector="OR",
                        ),
                        name="golden_change_after_matches_operation",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("guards", True), ("state", "applied"), _negated=True),
                            models.Q(("author__isnull", True), ("decided_by__isnull", False)),
                            models.Q(
                                ("decided_by__isnull", False),
                                models.Q(("decided_by", models.F("author")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="golden_change_four_eyes",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "proposed")),
                        fields=("domain_index", "key"),
                        name="golden_change_one_open",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="golden_change_decided_once",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF TG_OP = 'UPDATE' THEN\n                        IF OLD.state <> 'proposed' OR NEW.state = 'proposed'\n                            OR (OLD.tenant_id, OLD.domain_index_id, OLD.key, OLD.query_version, OLD.operation, OLD.before,\n                                OLD.after, OLD.reason, OLD.guards, OLD.author_id, OLD.author_label)\n                               IS DISTINCT FROM\n                               (NEW.tenant_id, NEW.domain_index_id, NEW.key, NEW.query_version, NEW.operation, NEW.before,\n                                NEW.after, NEW.reason, NEW.guards, NEW.author_id, NEW.author_label)\n                        THEN\n                            RAISE EXCEPTION 'golden_change_decided_once' USING ERRCODE = 'check_violation';\n                        END IF;\n                    END IF;\n                    NEW.applied_in := CASE WHEN NEW.state = 'applied' THEN pg_current_xact_id()::text::bigint END;\n                    RETURN NEW;\n                ",
                            hash="b343ffdb6b65d805323f1e477e445331765c37e4",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_golden_change_decided_once_a71ca",
                            table="reviews_goldenchange",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="golden_change_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'golden_change_stays' USING ERRCODE = 'check_violation';",
                            hash="1ea92882b9b3b7bda985a25a72b2d0a91d3f110c",
                            operation="DELETE",
                            pgid="pgtrigger_golden_change_stays_8368d",
                            table="reviews_goldenchange",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GoldenQuery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(help_text="Its id in the JSON file.", max_length=120)),
                ("query", models.TextField()),
                ("language", models.CharField(max_length=16)),
                (
                    "must_hit",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120),
                        blank=True,
                        default=list,
                        help_text="Slugs that must be among the first k.",
                        size=None,
                    ),
                ),
                (
                    "must_not_hit",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120),
                        blank=True,
                        default=list,
                        help_text="Slugs that must not be found at all.",
                        size=None,
                    ),
                ),
                (
                    "relevant",
                    models.JSONField(blank=True, default=dict, help_text="Slug to grade 1-3, for nDCG and recall."),
                ),
                ("k", models.PositiveSmallIntegerField(default=8)),
                ("npc_id", models.CharField(blank=True, help_text="Search as this NPC.", max_length=120)),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), blank=True, default=list, size=None
                    ),
                ),
                ("note", models.TextField(blank=True)),
                ("active", models.BooleanField(default=True)),
                (
                    "version",
                    models.PositiveIntegerField(
                        db_default=1, default=1, editable=False, help_text="Counted by the database."
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="golden_queries",
                        to="knowledge.domainindex",
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
            options={
                "verbose_name_plural": "golden queries",
                "ordering": ["domain_index_id", "key"],
                "constraints": [
                    models.UniqueConstraint(fields=("domain_index", "key"), name="golden_query_key_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("query", ""), _negated=True), name="golden_query_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("k__gte", 1), ("k__lte", 50)), name="golden_query_k_range"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("must_hit__len__gt", 0),
                            ("must_not_hit__len__gt", 0),
                            models.Q(("relevant", {}), _negated=True),
                            _connector="OR",
                        ),
                        name="golden_query_expects_something",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="golden_query_changed_with_reason",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE is_guard boolean;",
                            func="\n                    IF TG_OP = 'UPDATE' THEN\n                        IF (OLD.key, OLD.domain_index_id, OLD.query, OLD.language, OLD.must_hit, OLD.must_not_hit, OLD.relevant, OLD.k, OLD.npc_id, OLD.tags, OLD.note, OLD.active) IS NOT DISTINCT FROM (NEW.key, NEW.domain_index_id, NEW.query, NEW.language, NEW.must_hit, NEW.must_not_hit, NEW.relevant, NEW.k, NEW.npc_id, NEW.tags, NEW.note, NEW.active) THEN\n                            NEW.version := OLD.version;\n                            RETURN NEW;\n                        END IF;\n                        NEW.version := OLD.version + 1;\n                    END IF;\n                    is_guard := OLD.active AND (cardinality(OLD.must_hit) > 0 OR cardinality(OLD.must_not_hit) > 0);\n                    IF is_guard AND TG_OP = 'UPDATE' THEN\n                        is_guard := (OLD.query, OLD.language, OLD.must_hit, OLD.must_not_hit, OLD.relevant, OLD.k, OLD.npc_id, OLD.active) IS DISTINCT FROM (NEW.query, NEW.language, NEW.must_hit, NEW.must_not_hit, NEW.relevant, NEW.k, NEW.npc_id, NEW.active);\n                    END IF;\n                    IF NOT EXISTS (\n                        SELECT 1 FROM reviews_goldenchange c\n                        WHERE c.domain_index_id = OLD.domain_index_id AND c.key = OLD.key AND c.state = 'applied'\n                          AND c.applied_in = pg_current_xact_id()::text::bigint\n                          AND (NOT is_guard OR (c.decided_by_id IS NOT NULL AND c.decided_by_id IS DISTINCT FROM c.author_id))\n                    ) THEN\n                        RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE = CASE\n                            WHEN is_guard THEN 'golden_query_guarded' ELSE 'golden_query_changed_with_reason' END;\n                    END IF;\n                    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;\n                    RETURN NEW;\n                ",
                            hash="ab1413e9f350b7145c5d7554041307d0b0ac6b5b",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_golden_query_changed_with_reason_4002c",
                            table="reviews_goldenquery",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GoldenRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("passed", "Passed"),
                            ("failed", "Failed"),
                            ("error", "Error"),
                        ],
                        default="running",
                        max_length=8,
                    ),
                ),
                (
                    "metrics",
                    models.JSONField(
                        default=dict,
                        help_text="Means over the queries, of the release: nDCG@k, recall@k, RR, must-hit share.",
                    ),
                ),
                ("baseline_metrics", models.JSONField(default=dict, help_text="The same of the baseline.")),
                (
                    "degraded",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64),
                        default=list,
                        help_text="What search had to do without.",
                        size=None,
                    ),
                ),
                (
                    "note",
                    models.CharField(
                        blank=True, help_text="What a reader should know, for example no_golden_queries.", max_length=64
                    ),
                ),
                ("error", models.TextField(blank=True)),
                (
                    "queries_hash",
                    models.BinaryField(
                        blank=True, help_text="SHA-256 of the queries that were asked.", max_length=32, null=True
                    ),
                ),
                (
                    "started_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "baseline",
                    models.ForeignKey(
                        blank=True,
                        help_text="What was live when the run began.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="knowledge.release",
                    ),
                ),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="golden_runs",
                        to="knowledge.domainindex",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="golden_runs", to="knowledge.release"
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
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["domain_index", "-id"], name="golden_run_newest")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["running", "passed", "failed", "error"])),
                        name="golden_run_state_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GoldItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=60, unique=True)),
                ("language", models.CharField(max_length=35)),
                ("kind", models.CharField(choices=[("delta", "Delta"), ("run", "Run")], max_length=5)),
                (
                    "content",
                    models.JSONField(help_text="messages, facts and proposal, as in qa/extraction/gold.jsonl."),
                ),
                ("verdict", models.CharField(help_text="The right one.", max_length=16)),
                (
                    "is_planted",
                    models.BooleanField(
                        help_text="Whether an error is planted: a wrong proposal, or something missed."
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        help_text="Why the verdict is right. Shown to no reviewer beforehand.", max_length=300
                    ),
                ),
                (
                    "is_retired",
                    models.BooleanField(default=False, help_text="No longer in the file that it came from."),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
            options={
                "ordering": ["slug"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "run"), ("verdict__in", ["missed", "nothing_missed"])),
                            models.Q(
                                ("kind", "delta"),
                                ("verdict__in", ["correct", "wrong_value", "wrong_person", "not_meant"]),
                            ),
                            _connector="OR",
                        ),
                        name="gold_item_verdict_fits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("is_planted", False), ("verdict__in", ["correct", "nothing_missed"])),
                            models.Q(
                                ("is_planted", True),
                                models.Q(("verdict__in", ["correct", "nothing_missed"]), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="gold_item_planted_is_wrong",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", ""), _negated=True), models.Q(("slug", ""), _negated=True)
                        ),
                        name="gold_item_is_told",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("tenant_id", models.BigIntegerField()),
                ("group", models.UUIDField(help_text="Entries of one action share it.")),
                (
                    "action",
                    models.CharField(help_text="For example change_request.approved, release.swapped.", max_length=64),
                ),
                ("object_type", models.CharField(max_length=64)),
                ("object_id", models.CharField(max_length=64)),
                ("object_label", models.CharField(max_length=300)),
                ("actor_type", models.CharField(help_text="user, key or system.", max_length=16)),
                ("actor_id", models.CharField(blank=True, max_length=64)),
                ("actor_label", models.CharField(max_length=200)),
                ("reason", models.TextField(blank=True)),
                ("before", models.CharField(blank=True, help_text="State before.", max_length=64)),
                ("after", models.CharField(blank=True, help_text="State after.", max_length=64)),
                ("details", models.JSONField(default=dict)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
            options={
                "verbose_name_plural": "audit log",
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["tenant_id", "object_type", "object_id", "-id"], name="audit_by_object"),
                    models.Index(fields=["tenant_id", "-id"], name="audit_by_tenant"),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="audit_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'audit_append_only' USING ERRCODE = 'check_violation';",
                            hash="c43b4d1881453104e5608f9f445082e15a02309b",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_audit_append_only_407a6",
                            table="reviews_auditentry",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ChangeItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "operation",
                    models.CharField(
                        choices=[("create", "Create"), ("update", "Update"), ("retire", "Retire")], max_length=8
                    ),
                ),
                (
                    "slug",
                    models.CharField(
                        help_text="The slug after the change; of a retired article, its last one.", max_length=120
                    ),
                ),
                (
                    "content",
                    models.JSONField(
                        default=dict,
                        help_text="The whole article after the change, in the form of schemas/lore_document.schema.json.",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "base_revision",
                    models.ForeignKey(
                        blank=True,
                        help_text="The live revision that the edit was made from.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.lorerevision",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty until a created document is staged.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="change_items",
                        to="knowledge.loredocument",
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
                    "change_request",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="reviews.changerequest",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("document__isnull", False)),
                        fields=["document"],
                        name="change_item_by_document",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("operation", "retire"), _negated=True),
                        fields=("change_request", "slug"),
                        name="change_item_slug_unique",
                    ),
                    models.UniqueConstraint(fields=("change_request", "document"), name="change_item_document_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("operation__in", ["create", "update", "retire"])),
                        name="change_item_operation_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("base_revision__isnull", True), ("operation", "create")),
                            models.Q(
                                models.Q(("operation", "create"), _negated=True),
                                ("base_revision__isnull", False),
                                ("document__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="change_item_base_matches_operation",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="change_item_frozen_in_review",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF EXISTS (\n                        SELECT 1 FROM reviews_changerequest c\n                        WHERE c.id IN (COALESCE(NEW.change_request_id, OLD.change_request_id), COALESCE(OLD.change_request_id, NEW.change_request_id))\n                          AND (c.state NOT IN ('draft', 'needs_changes') OR c.kind <> 'canon')\n                    ) THEN\n                        RAISE EXCEPTION 'change_item_frozen_in_review' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN COALESCE(NEW, OLD);\n                ",
                            hash="6cb4cc171fd140d981ddc16e4beb6d9156d22376",
                            operation='INSERT OR DELETE OR UPDATE OF "operation", "base_revision_id", "slug", "content", "change_request_id"',
                            pgid="pgtrigger_change_item_frozen_in_review_4ad17",
                            table="reviews_changeitem",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GoldenResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=120)),
                ("query", models.TextField()),
                ("passed", models.BooleanField()),
                (
                    "problem",
                    models.TextField(
                        blank=True, help_text="Why the query could not be judged; it counts as failed then."
                    ),
                ),
                ("found", models.JSONField(default=list, help_text="Slugs found, best first.")),
                ("baseline_found", models.JSONField(default=list)),
                ("missed", models.JSONField(default=list, help_text="Must-hit slugs that were not found.")),
                ("forbidden", models.JSONField(default=list, help_text="Must-not-hit slugs that were found.")),
                ("metrics", models.JSONField(default=dict)),
                ("baseline_metrics", models.JSONField(default=dict)),
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
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="results",
                        to="reviews.goldenrun",
                    ),
                ),
            ],
            options={
                "ordering": ["passed", "key"],
                "constraints": [models.UniqueConstraint(fields=("run", "key"), name="golden_result_key_unique")],
            },
        ),
        migrations.CreateModel(
            name="NpcChangeItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("npc_id", models.CharField(max_length=120)),
                (
                    "base_version",
                    models.PositiveIntegerField(help_text="The persona that the change began from; 0: the NPC is new."),
                ),
                (
                    "content",
                    models.JSONField(help_text="The whole profile, as schemas/npc_profile.schema.json has it."),
                ),
                (
                    "written_version",
                    models.PositiveIntegerField(blank=True, help_text="The persona that it became.", null=True),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "change_request",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="npc_items",
                        to="reviews.changerequest",
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
            options={
                "ordering": ["id"],
                "indexes": [models.Index(fields=["tenant", "npc_id"], name="npc_change_item_by_npc")],
                "constraints": [
                    models.UniqueConstraint(fields=("change_request", "npc_id"), name="npc_change_item_npc_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("npc_id__regex", "^[A-Za-z0-9][A-Za-z0-9._~@-]*$")),
                        name="npc_change_item_id_form",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="npc_change_item_frozen_in_review",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF EXISTS (\n                        SELECT 1 FROM reviews_changerequest c\n                        WHERE c.id IN (COALESCE(NEW.change_request_id, OLD.change_request_id), COALESCE(OLD.change_request_id, NEW.change_request_id))\n                          AND (c.state NOT IN ('draft', 'needs_changes') OR c.kind <> 'npc'\n                               OR c.tenant_id <> COALESCE(NEW.tenant_id, OLD.tenant_id))\n                    ) THEN\n                        RAISE EXCEPTION 'npc_change_item_frozen_in_review' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN COALESCE(NEW, OLD);\n                ",
                            hash="2ea62ed5500685656a5eb256a07c241957177d3c",
                            operation='INSERT OR DELETE OR UPDATE OF "tenant_id", "npc_id", "base_version", "content", "change_request_id"',
                            pgid="pgtrigger_npc_change_item_frozen_in_review_89fce",
                            table="reviews_npcchangeitem",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SampleLabel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("correct", "Correct"),
                            ("wrong_value", "Wrong value"),
                            ("wrong_person", "Wrong person"),
                            ("not_meant", "Not meant"),
                            ("cannot_tell", "Cannot tell"),
                            ("missed", "Something is missing"),
                            ("nothing_missed", "Nothing is missing"),
                        ],
                        help_text="What the person saw.",
                        max_length=16,
                    ),
                ),
                (
                    "missed_message_id",
                    models.BigIntegerField(
                        blank=True,
                        help_text="Of `missed`: the message that states what was not found; of gold, its place.",
                        null=True,
                    ),
                ),
                (
                    "lease_id",
                    models.BigIntegerField(
                        blank=True,
                        help_text="Under which it was given: a form that is sent twice gives one label.",
                        null=True,
                    ),
                ),
                ("comment", models.CharField(blank=True, max_length=500)),
                ("is_gold_check", models.BooleanField(default=False)),
                (
                    "is_late",
                    models.BooleanField(
                        default=False, help_text="Beyond the labels that the sample wanted: kept, not counted."
                    ),
                ),
                ("weight", models.FloatField(default=1.0)),
                ("seconds", models.PositiveIntegerField(default=0, help_text="From the first view to the verdict.")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("undone_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "gold",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="labels",
                        to="reviews.golditem",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sample",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="labels",
                        to="factcheck.extractionsample",
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
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["tenant", "reviewer", "-id"], name="sample_label_by_reviewer"),
                    models.Index(
                        condition=models.Q(("undone_at__isnull", True)),
                        fields=["tenant", "-created_at"],
                        name="sample_label_newest",
                    ),
                    models.Index(
                        condition=models.Q(("gold__isnull", False)),
                        fields=["reviewer", "gold"],
                        name="sample_label_of_gold",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("sample__isnull", False), ("undone_at__isnull", True)),
                        fields=("sample", "reviewer"),
                        name="sample_label_one_live",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at__isnull", True)),
                        fields=("lease_id",),
                        name="sample_label_once_a_lease",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "verdict__in",
                                [
                                    "correct",
                                    "wrong_value",
                                    "wrong_person",
                                    "not_meant",
                                    "cannot_tell",
                                    "missed",
                                    "nothing_missed",
                                ],
                            )
                        ),
                        name="sample_label_verdict_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("gold__isnull", True), ("is_gold_check", False), ("sample__isnull", False)),
                            models.Q(
                                ("gold__isnull", False),
                                ("is_gold_check", True),
                                ("is_late", False),
                                ("sample__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="sample_label_of_one_thing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("missed_message_id__isnull", False), ("verdict", "missed")),
                            models.Q(
                                models.Q(("verdict", "missed"), _negated=True), ("missed_message_id__isnull", True)
                            ),
                            _connector="OR",
                        ),
                        name="sample_label_says_what_was_missed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("weight__gt", 0), ("weight__lte", 1)), name="sample_label_weight_range"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("seconds__lte", 3600)), name="sample_label_seconds_range"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="sample_label_fits",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE item record;",
                            func="\n                    IF NEW.sample_id IS NOT NULL THEN\n                        SELECT s.tenant_id, s.kind, s.is_gone, s.run_id INTO item\n                            FROM factcheck_extractionsample s WHERE s.id = NEW.sample_id;\n                        IF item.tenant_id IS DISTINCT FROM NEW.tenant_id THEN\n                            RAISE EXCEPTION 'sample_label_same_tenant' USING ERRCODE = 'check_violation';\n                        END IF;\n                        IF item.is_gone THEN\n                            RAISE EXCEPTION 'sample_label_not_of_gone' USING ERRCODE = 'check_violation';\n                        END IF;\n                        IF NEW.missed_message_id IS NOT NULL AND NOT EXISTS (\n                            SELECT 1 FROM factcheck_runmessage m\n                            WHERE m.run_id = item.run_id AND m.message_id = NEW.missed_message_id\n                        ) THEN\n                            RAISE EXCEPTION 'sample_label_message_of_run' USING ERRCODE = 'check_violation';\n                        END IF;\n                    ELSE\n                        SELECT g.kind INTO item FROM reviews_golditem g WHERE g.id = NEW.gold_id;\n                    END IF;\n                    IF (item.kind = 'run' AND NEW.verdict NOT IN ('missed', 'nothing_missed', 'cannot_tell'))\n                        OR (item.kind = 'delta' AND NEW.verdict IN ('missed', 'nothing_missed'))\n                    THEN\n                        RAISE EXCEPTION 'sample_label_fits_kind' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="7f8c9b0991f1edbcfe94a70fd76a249adb108092",
                            operation="INSERT",
                            pgid="pgtrigger_sample_label_fits_a706d",
                            table="reviews_samplelabel",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="sample_label_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept reviews_samplelabel;",
                            func="\n                    IF TG_OP = 'UPDATE' THEN\n                        kept := NEW;\n                        IF OLD.undone_at IS NULL THEN\n                            kept.undone_at := NULL;\n                        END IF;\n                        IF NEW.comment = '' THEN\n                            kept.comment := OLD.comment;\n                        END IF;\n                        IF kept IS NOT DISTINCT FROM OLD THEN\n                            RETURN NEW;\n                        END IF;\n                    END IF;\n                    RAISE EXCEPTION 'sample_label_append_only' USING ERRCODE = 'check_violation';\n                ",
                            hash="bff12e31f85390ef9779c5abb60ab791efde8d13",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_sample_label_append_only_8d828",
                            table="reviews_samplelabel",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SampleLease",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("taken_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "heartbeat_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(),
                        help_text="When the page was last known to be open.",
                    ),
                ),
                ("expires_at", models.DateTimeField()),
                (
                    "gold",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.golditem",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sample",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leases",
                        to="factcheck.extractionsample",
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
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("sample", "reviewer"), name="sample_lease_unique"),
                    models.UniqueConstraint(fields=("reviewer", "tenant", "sample"), name="sample_lease_by_reviewer"),
                    models.UniqueConstraint(fields=("gold", "reviewer", "tenant"), name="sample_lease_of_gold_unique"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("gold__isnull", True), ("sample__isnull", False)),
                            models.Q(("gold__isnull", False), ("sample__isnull", True)),
                            _connector="OR",
                        ),
                        name="sample_lease_of_one_thing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("expires_at__gte", models.F("taken_at"))), name="sample_lease_ends_later"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="sample_lease_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NEW."sample_id" IS NOT NULL)',
                            func="\n            IF NOT EXISTS (\n                SELECT 1 FROM factcheck_extractionsample s WHERE s.id = NEW.sample_id AND s.tenant_id = NEW.tenant_id\n            ) THEN\n                RAISE EXCEPTION 'sample_lease_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="75c0b2d3bb458d8aef97341916c7f7b984d1f98b",
                            operation='INSERT OR UPDATE OF "tenant_id", "sample_id"',
                            pgid="pgtrigger_sample_lease_same_tenant_36286",
                            table="reviews_samplelease",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SampleSkip",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "gold",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.golditem",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sample",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="factcheck.extractionsample",
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
            options={
                "indexes": [models.Index(fields=["tenant", "reviewer"], name="sample_skip_by_reviewer")],
                "constraints": [
                    models.UniqueConstraint(fields=("sample", "reviewer"), name="sample_skip_unique"),
                    models.UniqueConstraint(fields=("gold", "reviewer", "tenant"), name="sample_skip_of_gold_unique"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("gold__isnull", True), ("sample__isnull", False)),
                            models.Q(("gold__isnull", False), ("sample__isnull", True)),
                            _connector="OR",
                        ),
                        name="sample_skip_of_one_thing",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="sample_skip_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NEW."sample_id" IS NOT NULL)',
                            func="\n            IF NOT EXISTS (\n                SELECT 1 FROM factcheck_extractionsample s WHERE s.id = NEW.sample_id AND s.tenant_id = NEW.tenant_id\n            ) THEN\n                RAISE EXCEPTION 'sample_skip_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="9184920cf4318bedd78c96e4c7fce5302cd34b66",
                            operation='INSERT OR UPDATE OF "tenant_id", "sample_id"',
                            pgid="pgtrigger_sample_skip_same_tenant_64f94",
                            table="reviews_sampleskip",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GoldenCase",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(blank=True, max_length=35)),
                (
                    "line",
                    models.JSONField(
                        blank=True, help_text="messages, facts, proposal, verdict. Null: forgotten.", null=True
                    ),
                ),
                (
                    "message_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("forgotten_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "end_user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.enduser",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                    "label",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="golden_case",
                        to="reviews.samplelabel",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["tenant", "end_user"], name="golden_case_by_user"),
                    django.contrib.postgres.indexes.GinIndex(
                        fastupdate=False, fields=["message_ids"], name="golden_case_messages"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("forgotten_at__isnull", False), ("line__isnull", True)),
                            models.Q(("forgotten_at__isnull", True), ("line__isnull", False)),
                            _connector="OR",
                        ),
                        name="golden_case_forgotten_or_told",
                    )
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="golden_case_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF NOT EXISTS (\n                SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n            ) OR (TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id))\n            THEN\n                RAISE EXCEPTION 'golden_case_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="2f0ce9208d2b1e60a5381d430dc58cf898708fa1",
                            operation='INSERT OR UPDATE OF "tenant_id", "end_user_id"',
                            pgid="pgtrigger_golden_case_same_tenant_db781",
                            table="reviews_goldencase",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="golden_case_stays_forgotten",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF TG_OP = 'DELETE' OR OLD.line IS NULL OR NEW.line IS NOT NULL THEN\n                        RAISE EXCEPTION 'golden_case_stays_forgotten' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="5fa4e3990edaae0d070e43c6e6499edd88186285",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_golden_case_stays_forgotten_1c047",
                            table="reviews_goldencase",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ReviewComment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField()),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "change_request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="comments", to="reviews.changerequest"
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="comments",
                        to="reviews.changeitem",
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
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="review_comment_not_empty"
                    )
                ],
            },
        ),
        memoryproject.trigger_migrations.AddTriggers(),
    ]
