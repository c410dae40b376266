"""Everything up to 0019_notebooks in one step: a new installation migrates in seconds, an old one has it already."""

import uuid

import django.contrib.postgres.constraints
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.lookups
import pgtrigger.compiler
import pgvector.django.extensions
import pgvector.django.halfvec
import pgvector.django.sparsevec
from django.db import migrations, models

import knowledge.graph.models.ranges
import memoryproject.batched_migrations
import memoryproject.trigger_migrations


class Migration(memoryproject.batched_migrations.BatchedMigration):
    replaces = [
        ("knowledge", "0001_initial"),
        ("knowledge", "0002_passage_storage"),
        ("knowledge", "0003_passage_embedding_failed"),
        ("knowledge", "0004_user_facts"),
        ("knowledge", "0005_passage_lexemes_apart"),
        ("knowledge", "0006_forgotten_facts_lose_their_hash"),
        ("knowledge", "0007_corrections_by_hand"),
        ("knowledge", "0008_facts_know_when_they_were_said"),
        ("knowledge", "0009_tombstones_and_rebuilt_facts"),
        ("knowledge", "0010_disputes_know_their_time"),
        ("knowledge", "0011_canary_obeys_the_gate"),
        ("knowledge", "0012_facts_stated_in_worlds"),
        ("knowledge", "0013_live_periods"),
        ("knowledge", "0014_grounds_of_corrections"),
        ("knowledge", "0015_evidence_span"),
        ("knowledge", "0016_standing_instructions"),
        ("knowledge", "0017_graph"),
        ("knowledge", "0018_lorebook_origin"),
        ("knowledge", "0019_notebooks"),
    ]

    initial = True

    dependencies = [
        ("tenancy", "0001_squashed_0009_notebook_scope"),
    ]

    operations = [
        pgvector.django.extensions.VectorExtension(),
        migrations.CreateModel(
            name="ChatNotebooks",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "is_enabled",
                    models.BooleanField(
                        default=False,
                        help_text="Whether NPCs keep a notebook with each player, by commands in what they say.",
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="chat_notebooks", to="tenancy.world"
                    ),
                ),
            ],
            options={
                "verbose_name": "notebooks in chat",
                "verbose_name_plural": "notebooks in chat",
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="chat_notebooks_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id\n                    ) THEN\n                        RAISE EXCEPTION 'chat_notebooks_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="96514f38292a67276be0add4eed250511b23feab",
                            operation='INSERT OR UPDATE OF "tenant_id", "world_id"',
                            pgid="pgtrigger_chat_notebooks_same_tenant_58631",
                            table="knowledge_chatnotebooks",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DomainIndex",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("domain", models.CharField(max_length=32)),
                (
                    "canary_percent",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Share of sessions, by hash, that read the staged release before the swap.",
                        validators=[django.core.validators.MaxValueValidator(99)],
                    ),
                ),
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
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="domain_indexes",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "domain indexes",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "world", "domain"), name="domain_index_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("canary_percent__lte", 99)), name="domain_index_canary_percent_range"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="domain_index_world_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NOT EXISTS (SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id) THEN\n                        RAISE EXCEPTION 'domain_index_world_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="895c2c23ba09f9bf16a69c45639b365d41b6ecb0",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_domain_index_world_same_tenant_37757",
                            table="knowledge_domainindex",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="domain_index_canary_through_gate",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NEW."canary_percent" > 0)',
                            func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM knowledge_alias a JOIN knowledge_release r ON r.id = a.release_id\n                        WHERE a.domain_index_id = NEW.id AND a.name = 'stage'\n                          AND (r.gate_state IN ('passed', 'overridden', 'exempt')\n                               OR EXISTS (SELECT 1 FROM knowledge_canaryoverride o WHERE o.release_id = r.id))\n                    ) THEN\n                        RAISE EXCEPTION 'domain_index_canary_through_gate' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="493f226f90bbbbe22edd4e37b2e520ed697da205",
                            operation='INSERT OR UPDATE OF "canary_percent"',
                            pgid="pgtrigger_domain_index_canary_through_gate_e27a4",
                            table="knowledge_domainindex",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FactTombstone",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("body_params", "Body Params"),
                            ("budget", "Budget"),
                            ("allergy", "Allergy"),
                            ("hard_ban", "Hard Ban"),
                            ("onboarding_style", "Onboarding Style"),
                            ("life_event", "Life Event"),
                            ("instruction", "Instruction"),
                        ],
                        max_length=32,
                    ),
                ),
                ("key_index", models.BinaryField(max_length=32)),
                ("holds_to", models.DateTimeField()),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
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
                    models.UniqueConstraint(
                        fields=("tenant", "end_user", "type", "key_index"), name="fact_tombstone_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "type__in",
                                [
                                    "body_params",
                                    "budget",
                                    "allergy",
                                    "hard_ban",
                                    "onboarding_style",
                                    "life_event",
                                    "instruction",
                                ],
                            )
                        ),
                        name="fact_tombstone_type_guaranteed",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="fact_tombstone_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n                    ) THEN\n                        RAISE EXCEPTION 'fact_tombstone_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF TG_OP = 'UPDATE' AND NEW.holds_to < OLD.holds_to THEN\n                        RAISE EXCEPTION 'fact_tombstone_holds_on' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="4c77b3d4269b8a4f65d08e5e5686d66e1916ecf9",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_fact_tombstone_same_tenant_e18f7",
                            table="knowledge_facttombstone",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GraphEntity",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "owner_kind",
                    models.CharField(
                        choices=[
                            ("canon", "Canon"),
                            ("campaign", "Campaign"),
                            ("conversation", "Conversation"),
                            ("user", "User"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "owner_id",
                    models.BigIntegerField(default=0, help_text="Primary key of the campaign, conversation or user."),
                ),
                ("slug", models.CharField(blank=True, help_text="Of canon: the article's.", max_length=120)),
                ("kind", models.CharField(help_text="As it was first known; each name says its own.", max_length=32)),
                (
                    "first_key",
                    models.CharField(blank=True, help_text="Of play: the name it was first known by.", max_length=300),
                ),
                (
                    "merged_by",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("translation", "Their articles are translations of each other"),
                            ("editor", "An editor said so"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merged",
                        to="knowledge.graphentity",
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
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "graph entities",
                "indexes": [
                    models.Index(
                        condition=models.Q(("merged_into__isnull", False)),
                        fields=["tenant", "merged_into"],
                        name="graph_entity_merged",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("owner_id", 0), ("owner_kind", "canon")),
                            models.Q(("owner_id__gt", 0), ("owner_kind__in", ["campaign", "conversation", "user"])),
                            _connector="OR",
                        ),
                        name="graph_entity_owner_whole",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("slug", ""), _negated=True),
                        fields=("tenant", "world", "slug"),
                        name="graph_entity_slug_unique",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("slug", "")),
                        fields=("tenant", "world", "owner_kind", "owner_id", "kind", "first_key"),
                        name="graph_entity_first_key_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("first_key", ""), ("owner_kind", "canon"), models.Q(("slug", ""), _negated=True)),
                            models.Q(("slug", ""), models.Q(("first_key", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="graph_entity_slug_is_canon",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("merged_by", ""), ("merged_into__isnull", True)),
                            models.Q(
                                ("merged_by__in", ["translation", "editor"]),
                                ("merged_into__isnull", False),
                                models.Q(("merged_into", models.F("id")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="graph_entity_merge_whole",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="graph_entity_world_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NOT EXISTS (SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id) THEN\n                        RAISE EXCEPTION 'graph_entity_world_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="8f72173fa54966090012d1b4b1651d1056069a5c",
                            operation='INSERT OR UPDATE OF "tenant_id", "world_id"',
                            pgid="pgtrigger_graph_entity_world_same_tenant_7e02a",
                            table="knowledge_graphentity",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="graph_entity_merge_is_flat",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NEW."merged_into_id" IS NOT NULL)',
                            func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM knowledge_graphentity e WHERE e.id = NEW.merged_into_id\n                          AND e.tenant_id = NEW.tenant_id AND e.world_id = NEW.world_id AND e.merged_into_id IS NULL\n                    ) OR EXISTS (SELECT 1 FROM knowledge_graphentity e WHERE e.tenant_id = NEW.tenant_id AND e.merged_into_id = NEW.id) THEN\n                        RAISE EXCEPTION 'graph_entity_merge_is_flat' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF EXISTS (\n                        SELECT 1 FROM knowledge_graphnotsame n\n                        WHERE n.withdrawn_at IS NULL AND n.tenant_id = NEW.tenant_id\n                          AND (SELECT COALESCE(a.merged_into_id, a.id) FROM knowledge_graphentity a WHERE a.id = n.first_id) IN (NEW.id, NEW.merged_into_id)\n                          AND (SELECT COALESCE(b.merged_into_id, b.id) FROM knowledge_graphentity b WHERE b.id = n.second_id) IN (NEW.id, NEW.merged_into_id)\n                    ) THEN\n                        RAISE EXCEPTION 'graph_entity_not_same' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="734956d03cd826c11d4f6aea30c2468e18ed5dab",
                            operation='INSERT OR UPDATE OF "merged_into_id"',
                            pgid="pgtrigger_graph_entity_merge_is_flat_77a48",
                            table="knowledge_graphentity",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Notebook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=120)),
                ("title", models.CharField(blank=True, max_length=200)),
                (
                    "policy",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='Command to what becomes of it, such as {"SAVE_FACT": "propose"}.',
                    ),
                ),
                ("created_by", models.CharField(max_length=120)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
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
                "ordering": ["slug", "id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("end_user__isnull", False)),
                        fields=["tenant", "end_user"],
                        name="notebook_by_user",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "world", "slug"), name="notebook_slug_unique", nulls_distinct=False
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("slug__regex", "^[A-Za-z0-9][A-Za-z0-9._:-]{0,119}$")),
                        name="notebook_slug_form",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="notebook_is_kept",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF current_setting('memory37.notebook_deletion', TRUE) = 'on' THEN\n                RETURN OLD;\n            END IF;\n            RAISE EXCEPTION 'notebook_is_kept' USING ERRCODE = 'check_violation';\n        ",
                            hash="952f191b9d6efd14cb5992c27c33a0bfb14ee4a2",
                            operation="DELETE",
                            pgid="pgtrigger_notebook_is_kept_1b44f",
                            table="knowledge_notebook",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NEW.world_id IS NOT NULL AND NOT EXISTS (\n                        SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id\n                    ) OR NEW.end_user_id IS NOT NULL AND NOT EXISTS (\n                        SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n                    ) THEN\n                        RAISE EXCEPTION 'notebook_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="224846a3e3862061231a9c3baccdb84a03b0e516",
                            operation='INSERT OR UPDATE OF "tenant_id", "world_id", "end_user_id"',
                            pgid="pgtrigger_notebook_same_tenant_4a846",
                            table="knowledge_notebook",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NotebookReceipt",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("notebook_ref", models.BigIntegerField(help_text="The notebook's id, which may be gone.")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("redaction", "Redaction"),
                            ("archiving", "Archiving"),
                            ("deletion", "Deletion of a notebook"),
                            ("forgetting", "Forgetting of a player's messages, or of all"),
                        ],
                        max_length=10,
                    ),
                ),
                ("counts", models.JSONField()),
                ("requested_by", models.CharField(max_length=120)),
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
                "indexes": [
                    models.Index(fields=["tenant", "notebook_ref", "-created_at"], name="notebook_receipt_by_notebook")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["redaction", "archiving", "deletion", "forgetting"])),
                        name="notebook_receipt_kind_known",
                    )
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="notebook_receipt_fixed",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'notebook_receipt_fixed' USING ERRCODE = 'check_violation';",
                            hash="f9e622cc7c5a632c22cb2e033f0615efceb377ba",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_notebook_receipt_fixed_61bb8",
                            table="knowledge_notebookreceipt",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="UserFact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("body_params", "Body Params"),
                            ("budget", "Budget"),
                            ("allergy", "Allergy"),
                            ("hard_ban", "Hard Ban"),
                            ("onboarding_style", "Onboarding Style"),
                            ("life_event", "Life Event"),
                            ("instruction", "Instruction"),
                        ],
                        max_length=32,
                    ),
                ),
                ("key_index", models.BinaryField(max_length=32)),
                ("key_sealed", models.BinaryField()),
                ("value_sealed", models.BinaryField()),
                ("sealed_by", models.PositiveSmallIntegerField(help_text="The number of the key of the ring.")),
                ("confidence", models.FloatField()),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("onboarding", "Onboarding"),
                            ("explicit", "Explicit"),
                            ("instant_pattern", "Instant Pattern"),
                            ("correction", "Correction"),
                            ("batch", "Batch"),
                        ],
                        max_length=16,
                    ),
                ),
                ("language", models.CharField(blank=True, max_length=35)),
                (
                    "evidence",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        blank=True,
                        default=list,
                        help_text="The messages that prove it, by id.",
                        size=None,
                    ),
                ),
                (
                    "evidence_span",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        blank=True,
                        db_default=[],
                        default=list,
                        help_text="The messages right before and after those: they explain it and prove nothing.",
                        size=None,
                    ),
                ),
                (
                    "stated_in",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        blank=True,
                        db_default=[],
                        default=list,
                        help_text="Worlds that stated it without a message; 0: the whole tenant.",
                        size=None,
                    ),
                ),
                (
                    "said_at",
                    models.DateTimeField(help_text="When it was last said: what was said earlier never overrules it."),
                ),
                (
                    "said_in",
                    models.BigIntegerField(
                        blank=True, help_text="The message that last said it, if one did.", null=True
                    ),
                ),
                ("valid_from", models.DateTimeField()),
                ("valid_to", models.DateTimeField(blank=True, null=True)),
                ("is_active", models.BooleanField(db_default=True, default=True)),
                ("is_disputed", models.BooleanField(db_default=False, default=False)),
                (
                    "corrected_message_id",
                    models.BigIntegerField(
                        blank=True, help_text="The assistant's message whose claim was disputed.", null=True
                    ),
                ),
                (
                    "disputed_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="When it was last doubted: what was said earlier does not settle the dispute.",
                        null=True,
                    ),
                ),
                (
                    "ended_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("superseded", "Superseded"),
                            ("denied", "Denied"),
                            ("expired", "Expired"),
                            ("deleted", "Deleted"),
                            ("forgotten", "Forgotten"),
                            ("rebuilt", "Rebuilt"),
                        ],
                        db_default="",
                        max_length=16,
                    ),
                ),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "end_user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="facts",
                        to="tenancy.enduser",
                    ),
                ),
                (
                    "superseded_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.userfact",
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
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fastupdate=False, fields=["evidence"], name="user_fact_evidence"
                    ),
                    models.Index(fields=["tenant", "end_user", "type", "key_index", "-id"], name="user_fact_history"),
                    models.Index(
                        condition=models.Q(("expires_at__isnull", False), ("is_active", True)),
                        fields=["expires_at"],
                        name="user_fact_expiring",
                    ),
                    models.Index(fields=["sealed_by", "id"], name="user_fact_sealed_by"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_active", True)),
                        fields=("tenant", "end_user", "type", "key_index"),
                        name="user_fact_active_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "type__in",
                                [
                                    "body_params",
                                    "budget",
                                    "allergy",
                                    "hard_ban",
                                    "onboarding_style",
                                    "life_event",
                                    "instruction",
                                ],
                            )
                        ),
                        name="user_fact_type_guaranteed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("source__in", ["onboarding", "explicit", "instant_pattern", "correction", "batch"])
                        ),
                        name="user_fact_source_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("evidence__len__gt", 0),
                            ("stated_in__len__gt", 0),
                            ("source", "onboarding"),
                            _connector="OR",
                        ),
                        name="user_fact_has_evidence",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("evidence__overlap", models.F("evidence_span")), _negated=True),
                        name="user_fact_span_beside_evidence",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("confidence__gte", 0), ("confidence__lte", 1)),
                        name="user_fact_confidence_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("type", "instruction"), _negated=True),
                            django.db.models.lookups.LessThanOrEqual(
                                models.Func(
                                    models.F("value_sealed"),
                                    function="octet_length",
                                    output_field=models.IntegerField(),
                                ),
                                831,
                            ),
                            _connector="OR",
                        ),
                        name="user_fact_instruction_is_short",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("expires_at__isnull", False), ("type", "life_event")),
                            models.Q(models.Q(("type", "life_event"), _negated=True), ("expires_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="user_fact_events_expire",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("ended_reason", ""),
                                ("is_active", True),
                                ("superseded_by__isnull", True),
                                ("valid_to__isnull", True),
                            ),
                            models.Q(
                                (
                                    "ended_reason__in",
                                    ["superseded", "denied", "expired", "deleted", "forgotten", "rebuilt"],
                                ),
                                ("is_active", False),
                                ("is_disputed", False),
                                ("valid_to__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="user_fact_end_is_told",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("is_disputed", False), ("disputed_at__isnull", False), _connector="OR"),
                        name="user_fact_dispute_is_dated",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("valid_to__isnull", True), ("valid_to__gte", models.F("valid_from")), _connector="OR"
                        ),
                        name="user_fact_range_forward",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("said_at__gte", models.F("valid_from"))), name="user_fact_said_since_valid"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("superseded_by__isnull", True),
                            ("ended_reason", "superseded"),
                            ("ended_reason__in", ["deleted", "forgotten"]),
                            _connector="OR",
                        ),
                        name="user_fact_superseded_by_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                models.Q(("value_sealed", b""), _negated=True),
                                models.Q(("key_sealed", b""), _negated=True),
                            ),
                            models.Q(
                                ("ended_reason__in", ["deleted", "forgotten"]),
                                ("key_sealed", b""),
                                ("value_sealed", b""),
                            ),
                            _connector="OR",
                        ),
                        name="user_fact_sealed_unless_gone",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="user_fact_supersede",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    PERFORM 1 FROM tenancy_enduser u\n                    WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id FOR NO KEY UPDATE;\n                    IF NOT FOUND THEN\n                        RAISE EXCEPTION 'user_fact_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.is_active THEN\n                        UPDATE knowledge_userfact\n                        SET is_active = FALSE, is_disputed = FALSE, valid_to = GREATEST(NEW.valid_from, valid_from),\n                            ended_reason = 'superseded', superseded_by_id = NEW.id, updated_at = now()\n                        WHERE tenant_id = NEW.tenant_id AND end_user_id = NEW.end_user_id AND type = NEW.type\n                            AND key_index = NEW.key_index AND is_active;\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="40dca51d8edc188d4b49ed9eb345d6fc3a20e74b",
                            operation="INSERT",
                            pgid="pgtrigger_user_fact_supersede_cb1ac",
                            table="knowledge_userfact",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="user_fact_stays_what_it_is",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF (OLD.tenant_id, OLD.end_user_id, OLD.type, OLD.valid_from, OLD.source, OLD.created_at)\n                        IS DISTINCT FROM\n                        (NEW.tenant_id, NEW.end_user_id, NEW.type, NEW.valid_from, NEW.source, NEW.created_at)\n                        OR (OLD.key_index <> NEW.key_index AND (NEW.value_sealed <> '' OR NEW.key_sealed <> ''))\n                    THEN\n                        RAISE EXCEPTION 'user_fact_stays_what_it_is' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.is_active AND NOT OLD.is_active THEN\n                        RAISE EXCEPTION 'user_fact_stays_ended' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="639bb7206be68aec29a780f7e6f223f389c2b9f2",
                            operation="UPDATE",
                            pgid="pgtrigger_user_fact_stays_what_it_is_11b83",
                            table="knowledge_userfact",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="user_fact_protected_ends_on_ground",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NOT NEW."is_active" AND OLD."is_active")',
                            func="\n                    IF OLD.type IN ('allergy', 'hard_ban') OR OLD.source IN ('onboarding', 'explicit') THEN\n                        IF NEW.ended_reason = 'denied' AND NOT EXISTS (\n                            SELECT 1 FROM knowledge_memorycorrection c\n                            WHERE c.tenant_id = OLD.tenant_id AND c.end_user_id = OLD.end_user_id AND c.fact_id = OLD.id\n                                AND c.outcome = 'deactivated'\n                                AND c.basis IN ('explicit', 'confirmed', 'support', 'recorded')\n                        ) OR NEW.ended_reason = 'superseded' AND NEW.superseded_by_id IS NULL\n                        THEN\n                            RAISE EXCEPTION 'user_fact_protected_ends_on_ground' USING ERRCODE = 'check_violation';\n                        END IF;\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="6d24f4fc37bb0f0b23339e4095b83d887f307f98",
                            operation="UPDATE",
                            pgid="pgtrigger_user_fact_protected_ends_on_ground_f6d3c",
                            table="knowledge_userfact",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GraphMergeProposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "owner_kind",
                    models.CharField(
                        choices=[
                            ("canon", "Canon"),
                            ("campaign", "Campaign"),
                            ("conversation", "Conversation"),
                            ("user", "User"),
                        ],
                        help_text="Whose words the contexts are.",
                        max_length=16,
                    ),
                ),
                ("owner_id", models.BigIntegerField(default=0)),
                ("first_name", models.CharField(max_length=300)),
                ("second_name", models.CharField(max_length=300)),
                ("first_context", models.TextField(blank=True)),
                ("second_context", models.TextField(blank=True)),
                ("similarity", models.FloatField()),
                ("reason", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("accepted", "Accepted"),
                            ("refused", "Refused"),
                            ("undone", "Accepted, then undone"),
                        ],
                        default="open",
                        max_length=16,
                    ),
                ),
                ("decided_by", models.CharField(blank=True, max_length=200)),
                ("decided_why", models.TextField(blank=True)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "moved",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        blank=True,
                        default=list,
                        help_text="Entities that stood for the one merged away.",
                        size=None,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "first",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.graphentity",
                    ),
                ),
                (
                    "loser",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.graphentity",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.graphentity",
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
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "world", "state", "-id"], name="graph_proposal_queue")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("first__lt", models.F("second"))), name="graph_proposal_ordered"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["open", "accepted", "refused", "undone"])),
                        name="graph_proposal_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at__isnull", True), ("decided_by", ""), ("state", "open")),
                            models.Q(
                                models.Q(("state", "open"), _negated=True),
                                models.Q(("decided_by", ""), _negated=True),
                                models.Q(("decided_why", ""), _negated=True),
                                ("decided_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="graph_proposal_decision_whole",
                    ),
                    models.UniqueConstraint(fields=("tenant", "first", "second"), name="graph_proposal_unique"),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="graph_proposal_same_world",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_graphentity e WHERE e.id = NEW.first_id AND e.tenant_id = NEW.tenant_id AND e.world_id = NEW.world_id)) OR (NOT EXISTS (SELECT 1 FROM knowledge_graphentity e WHERE e.id = NEW.second_id AND e.tenant_id = NEW.tenant_id AND e.world_id = NEW.world_id)) THEN\n                RAISE EXCEPTION 'graph_proposal_same_world' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="39142388c71d0b651480f5c329963550513a76a3",
                            operation='INSERT OR UPDATE OF "tenant_id", "world_id", "first_id", "second_id"',
                            pgid="pgtrigger_graph_proposal_same_world_5a2ab",
                            table="knowledge_graphmergeproposal",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GraphNotSame",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.TextField()),
                ("actor", models.CharField(max_length=200)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "first",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.graphentity",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.graphentity",
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
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "graph not-same pairs",
                "indexes": [models.Index(fields=["tenant", "world", "-id"], name="graph_not_same_newest")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("first__lt", models.F("second"))), name="graph_not_same_ordered"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="graph_not_same_has_reason"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("withdrawn_at__isnull", True)),
                        fields=("tenant", "first", "second"),
                        name="graph_not_same_unique",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="graph_not_same_same_world",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_graphentity e WHERE e.id = NEW.first_id AND e.tenant_id = NEW.tenant_id AND e.world_id = NEW.world_id)) OR (NOT EXISTS (SELECT 1 FROM knowledge_graphentity e WHERE e.id = NEW.second_id AND e.tenant_id = NEW.tenant_id AND e.world_id = NEW.world_id)) THEN\n                RAISE EXCEPTION 'graph_not_same_same_world' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="f5d8c53e2aab7ea3d9e221a82d7128b9c4b77a01",
                            operation='INSERT OR UPDATE OF "tenant_id", "world_id", "first_id", "second_id"',
                            pgid="pgtrigger_graph_not_same_same_world_f7c90",
                            table="knowledge_graphnotsame",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="graph_not_same_not_merged",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF (SELECT COALESCE(a.merged_into_id, a.id) FROM knowledge_graphentity a WHERE a.id = NEW.first_id)\n                     = (SELECT COALESCE(b.merged_into_id, b.id) FROM knowledge_graphentity b WHERE b.id = NEW.second_id) THEN\n                        RAISE EXCEPTION 'graph_not_same_not_merged' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="5cb86058f98e144e4f5c5b0fc4b8fd85ee72ceb8",
                            operation="INSERT",
                            pgid="pgtrigger_graph_not_same_not_merged_a0230",
                            table="knowledge_graphnotsame",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LexemeCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("lexeme", models.BigIntegerField(help_text="Scoped hash, as in passages.")),
                ("release_number", models.PositiveIntegerField()),
                ("delta", models.IntegerField()),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("domain_index", "lexeme", "release_number"),
                        include=("delta",),
                        name="lexeme_count_unique",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LoreDocument",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="documents",
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
                "indexes": [models.Index(fields=["domain_index", "id"], name="document_by_index")],
            },
        ),
        migrations.CreateModel(
            name="NotebookEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("fact", "Fact"), ("note", "Note"), ("document", "Document")], max_length=8
                    ),
                ),
                ("name", models.CharField(help_text="A fact's key, a document's path, a note's id.", max_length=1024)),
                (
                    "folded_name",
                    models.CharField(help_text="What names that look alike have in common.", max_length=2048),
                ),
                ("content", models.TextField(blank=True)),
                ("sha256", models.CharField(max_length=64)),
                ("metadata", models.JSONField(blank=True, default=dict)),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("live", "Live"),
                            ("quarantined", "In quarantine: written by a new member, seen by it and by who decides"),
                            ("archived", "Archived: not used for long"),
                            ("deleted", "Deleted, its versions are kept"),
                            ("redacted", "Redacted: its words are gone"),
                        ],
                        default="live",
                        max_length=11,
                    ),
                ),
                ("author", models.CharField(help_text="Of the present version.", max_length=120)),
                ("is_pinned", models.BooleanField(default=False, help_text="Never archived.")),
                ("importance", models.FloatField(default=0.3)),
                ("importance_reason", models.CharField(blank=True, max_length=60)),
                ("uses", models.PositiveIntegerField(default=0)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("archived_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "notebook",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="knowledge.notebook",
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
                "verbose_name": "notebook entry",
                "verbose_name_plural": "notebook entries",
                "ordering": ["notebook_id", "kind", "name", "id"],
                "indexes": [
                    models.Index(fields=["notebook", "kind", "name"], name="notebook_entry_by_name"),
                    models.Index(fields=["notebook", "kind", "state", "-updated_at"], name="notebook_entry_by_state"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["fact", "note", "document"])), name="notebook_entry_kind_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["live", "quarantined", "archived", "deleted", "redacted"])),
                        name="notebook_entry_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("version__gte", 1)), name="notebook_entry_version_counts"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("importance__gte", 0), ("importance__lte", 1)),
                        name="notebook_entry_importance_in_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("state__in", ("live", "quarantined", "archived")),
                                models.Q(
                                    ("kind", "document"), models.Q(("content", ""), _negated=True), _connector="OR"
                                ),
                            ),
                            models.Q(
                                models.Q(("state__in", ("live", "quarantined", "archived")), _negated=True),
                                ("content", ""),
                                ("metadata", {}),
                            ),
                            _connector="OR",
                        ),
                        name="notebook_entry_words_where_shown",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("archived_at__isnull", False), ("state", "archived")),
                            models.Q(models.Q(("state", "archived"), _negated=True), ("archived_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="notebook_entry_archived_has_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "archived"), _negated=True), ("is_pinned", False), _connector="OR"
                        ),
                        name="notebook_entry_pins_are_exempt",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "document"), _negated=True),
                            models.Q(("name__regex", "(^|/)\\.{0,2}(/|$)|[[:cntrl:]\\\\]"), _negated=True),
                            _connector="OR",
                        ),
                        name="notebook_entry_path_safe",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("name", ""), _negated=True),
                            models.Q(("name__regex", "[[:cntrl:]]"), _negated=True),
                        ),
                        name="notebook_entry_name_plain",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("state__in", ("live", "quarantined", "archived")),
                            models.Q(("kind", "note"), _negated=True),
                        ),
                        fields=("notebook", "kind", "folded_name"),
                        name="notebook_entry_name_unique",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "note"), ("state__in", ("live", "quarantined", "archived"))),
                        fields=("notebook", "sha256"),
                        name="notebook_note_unique",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="notebook_entry_is_kept",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF current_setting('memory37.notebook_deletion', TRUE) = 'on' THEN\n                RETURN OLD;\n            END IF;\n            RAISE EXCEPTION 'notebook_entry_is_kept' USING ERRCODE = 'check_violation';\n        ",
                            hash="4d412204993668e0ff40b367075f199cc554e18b",
                            operation="DELETE",
                            pgid="pgtrigger_notebook_entry_is_kept_28de6",
                            table="knowledge_notebookentry",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_entry_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_notebook n WHERE n.id = NEW.notebook_id AND n.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'notebook_entry_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="aff175a939d15116ba325aa2c619edd1636943b5",
                            operation='INSERT OR UPDATE OF "tenant_id", "notebook_id"',
                            pgid="pgtrigger_notebook_entry_same_tenant_8cb47",
                            table="knowledge_notebookentry",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_entry_size",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF (octet_length(NEW.content) > CASE NEW.kind WHEN 'fact' THEN 8192\n                        WHEN 'note' THEN 8192 ELSE 102400 END)\n                    THEN\n                        RAISE EXCEPTION 'notebook_entry_size' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="5cb8ff9d80c0a73dcdb7919ab7cbfcf87b85cdd4",
                            operation='INSERT OR UPDATE OF "content"',
                            pgid="pgtrigger_notebook_entry_size_82066",
                            table="knowledge_notebookentry",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_entry_by_versions",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF (OLD.name, OLD.content, OLD.sha256, OLD.version, OLD.author, OLD.kind)\n                        IS NOT DISTINCT FROM (NEW.name, NEW.content, NEW.sha256, NEW.version, NEW.author, NEW.kind)\n                        OR NEW.version = OLD.version + 1 AND NEW.kind = OLD.kind\n                        OR current_setting('memory37.notebook_redaction', TRUE) = 'on' AND NEW.content = ''\n                    THEN\n                        RETURN NEW;\n                    END IF;\n                    RAISE EXCEPTION 'notebook_entry_by_versions' USING ERRCODE = 'check_violation';\n                ",
                            hash="7600952d69e0af2dc83a3cb0bdad38082fd85c65",
                            operation='UPDATE OF "name", "content", "sha256", "version", "author", "kind"',
                            pgid="pgtrigger_notebook_entry_by_versions_ee200",
                            table="knowledge_notebookentry",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_entry_has_version",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            constraint="CONSTRAINT",
                            func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM knowledge_notebookentry e WHERE e.id = NEW.id\n                    ) OR EXISTS (\n                        SELECT 1 FROM knowledge_notebookversion v JOIN knowledge_notebookentry e ON e.id = v.entry_id\n                        WHERE v.entry_id = NEW.id AND v.number = e.version AND v.sha256 = e.sha256\n                    ) THEN\n                        RETURN NULL;\n                    END IF;\n                    RAISE EXCEPTION 'notebook_entry_has_version' USING ERRCODE = 'check_violation';\n                ",
                            hash="dccbc0a72faf9cfc548e0939d833eb7db6ad4d77",
                            operation='INSERT OR UPDATE OF "version", "sha256"',
                            pgid="pgtrigger_notebook_entry_has_version_4e0e9",
                            table="knowledge_notebookentry",
                            timing="DEFERRABLE INITIALLY DEFERRED",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NotebookFolder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("path", models.CharField(max_length=1024)),
                (
                    "notebook",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="folders",
                        to="knowledge.notebook",
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
                "ordering": ["notebook_id", "path"],
                "constraints": [
                    models.UniqueConstraint(fields=("notebook", "path"), name="notebook_folder_unique"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("path", ""), _negated=True),
                            models.Q(("path__regex", "(^|/)\\.{0,2}(/|$)|[[:cntrl:]\\\\]"), _negated=True),
                        ),
                        name="notebook_folder_path_safe",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="notebook_folder_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_notebook n WHERE n.id = NEW.notebook_id AND n.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'notebook_folder_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="11afa1aaa4855a6701ba0739fff715cd034e82c5",
                            operation='INSERT OR UPDATE OF "tenant_id", "notebook_id"',
                            pgid="pgtrigger_notebook_folder_same_tenant_7f069",
                            table="knowledge_notebookfolder",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NotebookMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("agent", models.CharField(max_length=120)),
                (
                    "access",
                    models.CharField(
                        choices=[
                            ("read", "Read"),
                            ("propose", "Propose: writes wait for approval"),
                            ("write", "Write, and decide on proposals of others"),
                            ("manage", "Manage: also members, policy, redaction and deletion"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "is_trusted",
                    models.BooleanField(
                        default=False, help_text="What a member that is not trusted yet writes waits in quarantine."
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "api_key",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="tenancy.apikey",
                    ),
                ),
                (
                    "notebook",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="knowledge.notebook",
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
                "ordering": ["notebook_id", "id"],
                "indexes": [models.Index(fields=["api_key", "agent"], name="notebook_member_by_key")],
                "constraints": [
                    models.UniqueConstraint(fields=("notebook", "agent"), name="notebook_member_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("access__in", ["read", "propose", "write", "manage"])),
                        name="notebook_member_access_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("agent__regex", "^[A-Za-z0-9](?:[A-Za-z0-9 ._:@-]{0,118}[A-Za-z0-9._:@-])?$")
                        ),
                        name="notebook_member_agent_form",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("access", "manage"), _negated=True), ("is_trusted", True), _connector="OR"
                        ),
                        name="notebook_manager_is_trusted",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="notebook_member_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_notebook n WHERE n.id = NEW.notebook_id AND n.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'notebook_member_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="11d06f14ec7d67fe122a584be07139b010ae7886",
                            operation='INSERT OR UPDATE OF "tenant_id", "notebook_id"',
                            pgid="pgtrigger_notebook_member_same_tenant_c94a1",
                            table="knowledge_notebookmember",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="MemoryCorrection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("trigger_message_id", models.BigIntegerField(blank=True, null=True)),
                ("corrected_message_id", models.BigIntegerField(blank=True, null=True)),
                (
                    "correction_type",
                    models.CharField(
                        choices=[
                            ("user_denied", "User Denied"),
                            ("wrong_subject", "Wrong Subject"),
                            ("outdated", "Outdated"),
                            ("ambiguous", "Ambiguous"),
                            ("confirmed", "Confirmed"),
                            ("narrowed", "Narrowed"),
                            ("retracted", "Retracted"),
                            ("support", "Support"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("deactivated", "Deactivated"),
                            ("superseded", "Superseded"),
                            ("disputed", "Disputed"),
                            ("restored", "Restored"),
                            ("deleted", "Deleted"),
                            ("forgotten", "Forgotten"),
                            ("unmatched", "Unmatched"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "basis",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("explicit", "an explicit denial of the relation itself"),
                            ("confirmed", "a doubt that the player confirmed when asked"),
                            ("claim", "an answer to a claim"),
                            ("support", "a person's decision"),
                            ("recorded", "decided before the ground was noted"),
                        ],
                        db_default="",
                        default="",
                        help_text="What an end rests on.",
                        max_length=16,
                    ),
                ),
                (
                    "quote_start",
                    models.PositiveIntegerField(
                        blank=True, help_text="Where the words that correct stand in the message.", null=True
                    ),
                ),
                ("quote_end", models.PositiveIntegerField(blank=True, null=True)),
                ("language", models.CharField(blank=True, max_length=35)),
                (
                    "reason",
                    models.CharField(
                        blank=True, help_text="What the support person gave as the reason.", max_length=500
                    ),
                ),
                (
                    "made_by",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="The support person's user name.",
                        max_length=150,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
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
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
                (
                    "fact",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrections",
                        to="knowledge.userfact",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "end_user", "-id"], name="memory_correction_by_user")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "correction_type__in",
                                [
                                    "user_denied",
                                    "wrong_subject",
                                    "outdated",
                                    "ambiguous",
                                    "confirmed",
                                    "narrowed",
                                    "retracted",
                                    "support",
                                ],
                            ),
                            (
                                "outcome__in",
                                [
                                    "deactivated",
                                    "superseded",
                                    "disputed",
                                    "restored",
                                    "deleted",
                                    "forgotten",
                                    "unmatched",
                                ],
                            ),
                        ),
                        name="memory_correction_words_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("basis__in", ["", "explicit", "confirmed", "claim", "support", "recorded"])
                        ),
                        name="memory_correction_basis_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("quote_end__isnull", True), ("quote_start__isnull", True)),
                            ("quote_end__gte", models.F("quote_start")),
                            _connector="OR",
                        ),
                        name="memory_correction_quote_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("fact__isnull", True), ("outcome", "unmatched")),
                            models.Q(models.Q(("outcome", "unmatched"), _negated=True), ("fact__isnull", False)),
                            _connector="OR",
                        ),
                        name="memory_correction_unmatched_has_no_fact",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("correction_type", "ambiguous"), ("outcome", "disputed"), _negated=True),
                            ("corrected_message_id__isnull", False),
                            _connector="OR",
                        ),
                        name="memory_correction_dispute_names_claim",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("trigger_message_id__isnull", False),
                            models.Q(("correction_type", "support"), models.Q(("reason", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="memory_correction_has_cause",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="memory_correction_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept knowledge_memorycorrection;",
                            func="\n                    IF TG_OP = 'UPDATE' THEN\n                        kept := NEW;\n                        IF NEW.reason = '[forgotten]' AND (OLD.fact_id IS NULL OR EXISTS (\n                            SELECT 1 FROM knowledge_userfact f WHERE f.id = OLD.fact_id AND f.value_sealed = ''\n                        )) THEN\n                            kept.reason := OLD.reason;\n                        END IF;\n                        IF kept IS NOT DISTINCT FROM OLD THEN\n                            RETURN NEW;\n                        END IF;\n                    END IF;\n                    RAISE EXCEPTION 'memory_correction_append_only' USING ERRCODE = 'check_violation';\n                ",
                            hash="42f07e84ecade58fa7555e0af53a90241064c18c",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_memory_correction_append_only_41975",
                            table="knowledge_memorycorrection",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="VectorSpace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "embedder",
                    models.CharField(
                        help_text="Provider and model, for example hashing-v1 or openai:text-embedding-3-large.",
                        max_length=200,
                    ),
                ),
                ("dims", models.PositiveIntegerField()),
                (
                    "hnsw_ready",
                    models.BooleanField(default=False, help_text="An HNSW index of this space exists and is valid."),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vector_spaces",
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
                "constraints": [
                    models.UniqueConstraint(fields=("domain_index", "embedder", "dims"), name="vector_space_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("dims__gte", 1), ("dims__lte", 4000)), name="vector_space_dims_range"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GraphRelation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "owner_kind",
                    models.CharField(
                        choices=[
                            ("canon", "Canon"),
                            ("campaign", "Campaign"),
                            ("conversation", "Conversation"),
                            ("user", "User"),
                        ],
                        max_length=16,
                    ),
                ),
                ("owner_id", models.BigIntegerField(default=0)),
                ("predicate", models.CharField(max_length=64)),
                ("stated_as", models.CharField(help_text="The predicate as the source has it.", max_length=64)),
                (
                    "slot",
                    models.CharField(
                        blank=True, help_text="What only one relation may hold at a time.", max_length=100
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("active", "Stands"),
                            ("disputed", "A source of higher authority says otherwise"),
                            ("withdrawn", "What stated it no longer stands"),
                        ],
                        default="active",
                        max_length=16,
                    ),
                ),
                (
                    "audience",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=160), size=None),
                ),
                (
                    "source_kind",
                    models.CharField(
                        choices=[
                            ("canon", "An article"),
                            ("engine", "The engine's account of a scene"),
                            ("event", "An event that a model took from talk"),
                        ],
                        max_length=16,
                    ),
                ),
                ("source_id", models.BigIntegerField(help_text="Of canon the revision, else the summary or event.")),
                ("source_field", models.CharField(blank=True, max_length=100)),
                ("span", models.CharField(help_text="The words that state it.", max_length=300)),
                ("added_in", models.PositiveIntegerField(blank=True, null=True)),
                ("removed_in", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "story_from",
                    models.BigIntegerField(blank=True, help_text="Place in the story from which it holds.", null=True),
                ),
                (
                    "story_to",
                    models.BigIntegerField(blank=True, help_text="Place in the story where it ended.", null=True),
                ),
                (
                    "story_time",
                    models.CharField(blank=True, help_text="As the story tells time; never parsed.", max_length=200),
                ),
                (
                    "recorded_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "domain_index",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.domainindex",
                    ),
                ),
                (
                    "dst",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.graphentity",
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="knowledge.graphrelation",
                    ),
                ),
                (
                    "src",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.graphentity",
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
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.world",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.loredocument",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tenant", "src"], name="graph_relation_src"),
                    models.Index(fields=["tenant", "dst"], name="graph_relation_dst"),
                    models.Index(fields=["domain_index", "added_in"], name="graph_relation_added_in"),
                    models.Index(fields=["domain_index", "removed_in"], name="graph_relation_removed_in"),
                    models.Index(
                        condition=models.Q(("removed_in__isnull", True)),
                        fields=["document"],
                        name="graph_relation_open_document",
                    ),
                    models.Index(
                        fields=["tenant", "owner_kind", "owner_id", "source_id"], name="graph_relation_source"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("owner_id", 0), ("owner_kind", "canon")),
                            models.Q(("owner_id__gt", 0), ("owner_kind__in", ["campaign", "conversation", "user"])),
                            _connector="OR",
                        ),
                        name="graph_relation_owner_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("src", models.F("dst")), _negated=True), name="graph_relation_not_to_itself"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("predicate", ""), _negated=True), name="graph_relation_predicate_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("span", ""), _negated=True), name="graph_relation_has_evidence"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("audience__len__gt", 0)), name="graph_relation_audience_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["active", "disputed", "withdrawn"])),
                        name="graph_relation_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("added_in__isnull", False),
                                ("document__isnull", False),
                                ("domain_index__isnull", False),
                                ("ended_at__isnull", True),
                                ("ended_by__isnull", True),
                                ("owner_kind", "canon"),
                                ("source_kind", "canon"),
                                ("state", "active"),
                            ),
                            models.Q(
                                ("added_in__isnull", True),
                                ("document__isnull", True),
                                ("domain_index__isnull", True),
                                ("removed_in__isnull", True),
                                ("source_kind__in", ["engine", "event"]),
                                models.Q(("owner_kind", "canon"), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="graph_relation_canon_has_release",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("removed_in__isnull", True), ("removed_in__gt", models.F("added_in")), _connector="OR"
                        ),
                        name="graph_relation_range_not_empty",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("story_to__isnull", True), ("story_to__gte", models.F("story_from")), _connector="OR"
                        ),
                        name="graph_relation_story_order",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ended_at__isnull", True), ("ended_at__gte", models.F("recorded_at")), _connector="OR"
                        ),
                        name="graph_relation_ends_after_start",
                    ),
                    django.contrib.postgres.constraints.ExclusionConstraint(
                        condition=models.Q(("source_kind", "canon")),
                        expressions=[
                            (knowledge.graph.models.ranges.PointRange(models.F("document"), models.F("document")), "="),
                            (knowledge.graph.models.ranges.PointRange(models.F("src"), models.F("src")), "="),
                            (knowledge.graph.models.ranges.PointRange(models.F("dst"), models.F("dst")), "="),
                            (
                                knowledge.graph.models.ranges.PointRange(
                                    knowledge.graph.models.ranges.TextHash(models.F("predicate"), models.Value(0)),
                                    knowledge.graph.models.ranges.TextHash(models.F("predicate"), models.Value(0)),
                                ),
                                "=",
                            ),
                            (models.Func(models.F("added_in"), models.F("removed_in"), function="int4range"), "&&"),
                        ],
                        name="graph_relation_canon_once",
                    ),
                    django.contrib.postgres.constraints.ExclusionConstraint(
                        condition=models.Q(
                            models.Q(("slot", ""), _negated=True),
                            ("state", "active"),
                            models.Q(("source_kind", "canon"), _negated=True),
                        ),
                        expressions=[
                            (knowledge.graph.models.ranges.PointRange(models.F("owner_id"), models.F("owner_id")), "="),
                            (
                                knowledge.graph.models.ranges.PointRange(
                                    knowledge.graph.models.ranges.TextHash(models.F("owner_kind"), models.Value(0)),
                                    knowledge.graph.models.ranges.TextHash(models.F("owner_kind"), models.Value(0)),
                                ),
                                "=",
                            ),
                            (
                                knowledge.graph.models.ranges.PointRange(
                                    knowledge.graph.models.ranges.TextHash(models.F("slot"), models.Value(0)),
                                    knowledge.graph.models.ranges.TextHash(models.F("slot"), models.Value(0)),
                                ),
                                "=",
                            ),
                            (models.Func(models.F("recorded_at"), models.F("ended_at"), function="tstzrange"), "&&"),
                        ],
                        name="graph_relation_one_a_slot",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            models.Q(("source_kind", "canon"), _negated=True), ("ended_at__isnull", True)
                        ),
                        fields=(
                            "tenant",
                            "owner_kind",
                            "owner_id",
                            "source_kind",
                            "source_id",
                            "src",
                            "predicate",
                            "dst",
                        ),
                        name="graph_relation_source_unique",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="graph_relation_same_world",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_graphentity e WHERE e.id = NEW.src_id AND e.tenant_id = NEW.tenant_id AND e.world_id = NEW.world_id)) OR (NOT EXISTS (SELECT 1 FROM knowledge_graphentity e WHERE e.id = NEW.dst_id AND e.tenant_id = NEW.tenant_id AND e.world_id = NEW.world_id)) OR (NEW.domain_index_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM knowledge_domainindex d WHERE d.id = NEW.domain_index_id AND d.tenant_id = NEW.tenant_id AND d.world_id = NEW.world_id)) THEN\n                RAISE EXCEPTION 'graph_relation_same_world' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="0b119cc82b2b45b2e8ce61c6171186667fc2b4aa",
                            operation='INSERT OR UPDATE OF "tenant_id", "world_id", "src_id", "dst_id"',
                            pgid="pgtrigger_graph_relation_same_world_06b90",
                            table="knowledge_graphrelation",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="graph_relation_only_ends",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept knowledge_graphrelation%ROWTYPE;",
                            func="\n            IF current_setting('memory37.graph_erasure', true) = 'on' THEN\n                RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;\n            END IF;\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.removed_in := OLD.removed_in;\nkept.ended_at := OLD.ended_at;\nkept.ended_by_id := OLD.ended_by_id;\nkept.story_to := OLD.story_to;\nkept.state := OLD.state;\nkept.audience := OLD.audience;\n\n                IF kept IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;\n            ELSIF OLD.domain_index_id IS NOT NULL AND NOT EXISTS (\n                SELECT 1 FROM knowledge_release r\n                WHERE r.domain_index_id = OLD.domain_index_id AND r.number = OLD.added_in AND r.state = 'published'\n            ) THEN\n                RETURN OLD;\n            END IF;\n            RAISE EXCEPTION 'graph_relation_only_ends' USING ERRCODE = 'check_violation';\n        ",
                            hash="75d9352ef5540da7dff86520da8340694d3213a8",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_graph_relation_only_ends_3871b",
                            table="knowledge_graphrelation",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GraphName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "owner_kind",
                    models.CharField(
                        choices=[
                            ("canon", "Canon"),
                            ("campaign", "Campaign"),
                            ("conversation", "Conversation"),
                            ("user", "User"),
                        ],
                        max_length=16,
                    ),
                ),
                ("owner_id", models.BigIntegerField(default=0)),
                (
                    "source_kind",
                    models.CharField(
                        choices=[
                            ("canon", "An article"),
                            ("editor", "An editor"),
                            ("engine", "The engine's account of a scene"),
                            ("event", "An event that a model took from talk"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "source_id",
                    models.BigIntegerField(
                        help_text="Of canon the revision, else the summary or event; 0 for an editor."
                    ),
                ),
                ("text", models.CharField(max_length=300)),
                ("key", models.CharField(help_text="Folded, for look-up.", max_length=300)),
                (
                    "latin",
                    models.CharField(
                        blank=True, help_text="In Latin letters, for look-up across scripts.", max_length=300
                    ),
                ),
                (
                    "grams",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=3),
                        help_text="Trigrams of the key, for look-alikes.",
                        size=None,
                    ),
                ),
                ("kind", models.CharField(max_length=32)),
                ("language", models.CharField(blank=True, max_length=16)),
                ("is_title", models.BooleanField(default=False)),
                (
                    "audience",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=160),
                        help_text="Who may know that it is called so.",
                        size=None,
                    ),
                ),
                ("added_in", models.PositiveIntegerField(blank=True, null=True)),
                ("removed_in", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "recorded_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("reason", models.TextField(blank=True, help_text="Why an editor added it.")),
                ("actor", models.CharField(blank=True, max_length=200)),
                (
                    "domain_index",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.domainindex",
                    ),
                ),
                (
                    "entity",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="names",
                        to="knowledge.graphentity",
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
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.world",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.loredocument",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tenant", "world", "key"], name="graph_name_key"),
                    models.Index(
                        condition=models.Q(("latin", ""), _negated=True),
                        fields=["tenant", "world", "latin"],
                        name="graph_name_latin",
                    ),
                    models.Index(fields=["tenant", "entity"], name="graph_name_entity"),
                    django.contrib.postgres.indexes.GinIndex(fields=["grams"], name="graph_name_grams"),
                    models.Index(fields=["domain_index", "added_in"], name="graph_name_added_in"),
                    models.Index(fields=["domain_index", "removed_in"], name="graph_name_removed_in"),
                    models.Index(
                        condition=models.Q(("removed_in__isnull", True)),
                        fields=["document"],
                        name="graph_name_open_document",
                    ),
                    models.Index(fields=["tenant", "owner_kind", "owner_id", "source_id"], name="graph_name_source"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("owner_id", 0), ("owner_kind", "canon")),
                            models.Q(("owner_id__gt", 0), ("owner_kind__in", ["campaign", "conversation", "user"])),
                            _connector="OR",
                        ),
                        name="graph_name_owner_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("text", ""), _negated=True), models.Q(("key", ""), _negated=True)),
                        name="graph_name_not_empty",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("audience__len__gt", 0)), name="graph_name_audience_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("added_in__isnull", False),
                                ("document__isnull", False),
                                ("domain_index__isnull", False),
                                ("ended_at__isnull", True),
                                ("owner_kind", "canon"),
                                ("source_kind", "canon"),
                            ),
                            models.Q(
                                models.Q(("source_kind", "canon"), _negated=True),
                                ("added_in__isnull", True),
                                ("document__isnull", True),
                                ("domain_index__isnull", True),
                                ("removed_in__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="graph_name_canon_has_release",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("removed_in__isnull", True), ("removed_in__gt", models.F("added_in")), _connector="OR"
                        ),
                        name="graph_name_range_not_empty",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("source_kind", "canon")),
                        fields=("document", "key", "added_in"),
                        name="graph_name_canon_unique",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            models.Q(("source_kind", "canon"), _negated=True), ("ended_at__isnull", True)
                        ),
                        fields=("tenant", "owner_kind", "owner_id", "source_kind", "source_id", "entity", "key"),
                        name="graph_name_mention_unique",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="graph_name_same_world",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_graphentity e WHERE e.id = NEW.entity_id AND e.tenant_id = NEW.tenant_id AND e.world_id = NEW.world_id)) OR (NEW.domain_index_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM knowledge_domainindex d WHERE d.id = NEW.domain_index_id AND d.tenant_id = NEW.tenant_id AND d.world_id = NEW.world_id)) THEN\n                RAISE EXCEPTION 'graph_name_same_world' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="712c3edf514aebe58f9e6f3c20fcb50bed18ffd6",
                            operation='INSERT OR UPDATE OF "tenant_id", "world_id", "entity_id"',
                            pgid="pgtrigger_graph_name_same_world_9fc21",
                            table="knowledge_graphname",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="graph_name_only_ends",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept knowledge_graphname%ROWTYPE;",
                            func="\n            IF current_setting('memory37.graph_erasure', true) = 'on' THEN\n                RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;\n            END IF;\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.removed_in := OLD.removed_in;\nkept.ended_at := OLD.ended_at;\nkept.audience := OLD.audience;\n\n                IF kept IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;\n            ELSIF OLD.domain_index_id IS NOT NULL AND NOT EXISTS (\n                SELECT 1 FROM knowledge_release r\n                WHERE r.domain_index_id = OLD.domain_index_id AND r.number = OLD.added_in AND r.state = 'published'\n            ) THEN\n                RETURN OLD;\n            END IF;\n            RAISE EXCEPTION 'graph_name_only_ends' USING ERRCODE = 'check_violation';\n        ",
                            hash="1b28e5de934eece2cc22f700423dad5dad15ed81",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_graph_name_only_ends_d0270",
                            table="knowledge_graphname",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LoreRevision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(help_text="1 for a document's first revision.")),
                ("slug", models.CharField(max_length=120)),
                ("title", models.CharField(max_length=300)),
                (
                    "type",
                    models.CharField(
                        help_text="rule, character, place, faction, item, event, term, custom, article, or a word of the studio's own.",
                        max_length=32,
                    ),
                ),
                ("language", models.CharField(max_length=16)),
                ("body", models.TextField(help_text="Markdown.")),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), blank=True, default=list, size=None
                    ),
                ),
                (
                    "aliases",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=300),
                        blank=True,
                        default=list,
                        help_text="Other names of the subject.",
                        size=None,
                    ),
                ),
                ("rule_id", models.CharField(blank=True, max_length=64)),
                (
                    "audience",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=160),
                        default=list,
                        help_text="public, or the npc: and faction: tags that may know it.",
                        size=None,
                    ),
                ),
                (
                    "fields",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Structured facts: name to number, text, ISO date, boolean or list of texts.",
                    ),
                ),
                (
                    "field_labels",
                    models.JSONField(
                        blank=True, default=dict, help_text="Words by which people name a field, by field name."
                    ),
                ),
                (
                    "relations",
                    models.JSONField(
                        blank=True, default=list, help_text="Typed relations to other articles: [{type, to}]."
                    ),
                ),
                ("translation_of", models.CharField(blank=True, max_length=120)),
                ("source", models.TextField(blank=True)),
                (
                    "lorebook_origin",
                    models.JSONField(
                        blank=True,
                        help_text="What the file of a lorebook says beside the article; exports put it back.",
                        null=True,
                    ),
                ),
                (
                    "mentions",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120),
                        blank=True,
                        default=list,
                        help_text="Slugs named by [[…]] in the body and by relations.",
                        size=None,
                    ),
                ),
                ("content_hash", models.BinaryField(max_length=32)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="revisions",
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
            ],
            options={
                "ordering": ["document_id", "-number"],
                "constraints": [
                    models.UniqueConstraint(fields=("document", "number"), name="revision_number_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("slug__regex", "^[a-z0-9]+(?:-[a-z0-9]+)*$")), name="revision_slug_form"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("title", ""), _negated=True), name="revision_title_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("audience__len__gt", 0)), name="revision_audience_not_empty"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="revision_is_immutable",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'revision_is_immutable' USING ERRCODE = 'check_violation';",
                            hash="038bd6135b00959c5ed67df4b1e7e63f7d1e577f",
                            operation="UPDATE",
                            pgid="pgtrigger_revision_is_immutable_931fe",
                            table="knowledge_lorerevision",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NotebookPassage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(max_length=16)),
                ("length", models.PositiveIntegerField(help_text="Lexemes in the passage, repeats counted.")),
                ("lexemes", django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ("bm25", pgvector.django.sparsevec.SparseVectorField(dimensions=1000000000)),
                ("embedding", pgvector.django.halfvec.HalfVectorField(null=True)),
                (
                    "embedding_hash",
                    models.BinaryField(
                        help_text="SHA-256 of the embedded text: equal texts are embedded once.", max_length=32
                    ),
                ),
                (
                    "embedding_state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("done", "Done"), ("failed", "Failed")],
                        db_default="pending",
                        max_length=8,
                    ),
                ),
                ("embedding_attempts", models.PositiveSmallIntegerField(db_default=0)),
                ("embedding_error", models.TextField(db_default="")),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "kind",
                    models.CharField(
                        choices=[("fact", "Fact"), ("note", "Note"), ("document", "Document")], max_length=8
                    ),
                ),
                (
                    "author",
                    models.CharField(
                        blank=True,
                        help_text="Whose quarantine it is in; empty for what all members read.",
                        max_length=120,
                    ),
                ),
                ("ordinal", models.PositiveSmallIntegerField(default=0)),
                ("start", models.PositiveIntegerField(default=0, help_text="Where its text begins in the entry's.")),
                ("end", models.PositiveIntegerField(help_text="Where it ends.")),
                (
                    "embedder",
                    models.CharField(
                        blank=True,
                        help_text="Name and dimensions of what made the vector; others are never compared.",
                        max_length=216,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passages",
                        to="knowledge.notebookentry",
                    ),
                ),
                (
                    "notebook",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.notebook",
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
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fastupdate=False, fields=["lexemes"], name="notebook_passage_lexemes"
                    ),
                    models.Index(fields=["tenant", "notebook", "kind"], name="notebook_passage_by_notebook"),
                    models.Index(
                        condition=models.Q(("embedding_state", "pending")),
                        fields=["notebook", "created_at"],
                        name="notebook_passage_waiting",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("entry", "ordinal"), name="notebook_passage_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("embedding_state__in", ["pending", "done", "failed"])),
                        name="notebook_passage_embedding_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("embedding__isnull", False),
                                ("embedding_state", "done"),
                                models.Q(("embedder", ""), _negated=True),
                            ),
                            models.Q(
                                models.Q(("embedding_state", "done"), _negated=True),
                                ("embedder", ""),
                                ("embedding__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="notebook_passage_done_has_vector",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="notebook_passage_same_notebook",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_notebook n WHERE n.id = NEW.notebook_id AND n.tenant_id = NEW.tenant_id)) OR (NEW.entry_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM knowledge_notebookentry p WHERE p.id = NEW.entry_id AND p.notebook_id = NEW.notebook_id)) THEN\n                RAISE EXCEPTION 'notebook_passage_same_notebook' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="3a32855bba581f5dd9aa6ae18702cfe72a3d8585",
                            operation='INSERT OR UPDATE OF "tenant_id", "notebook_id", "entry_id"',
                            pgid="pgtrigger_notebook_passage_same_notebook_d46e3",
                            table="knowledge_notebookpassage",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NotebookVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "operation",
                    models.CharField(
                        choices=[
                            ("created", "Created"),
                            ("modified", "Modified"),
                            ("renamed", "Renamed"),
                            ("deleted", "Deleted"),
                        ],
                        max_length=8,
                    ),
                ),
                ("name", models.CharField(max_length=1024, null=True)),
                ("content", models.TextField(null=True)),
                ("sha256", models.CharField(max_length=64)),
                ("author", models.CharField(max_length=120)),
                (
                    "source",
                    models.CharField(
                        help_text="By what it came: rest, command, memory_tool, import, admin.", max_length=16
                    ),
                ),
                (
                    "message_id",
                    models.BigIntegerField(
                        blank=True, help_text="The message of a player that it rests on.", null=True
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("redacted_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("redacted_by", models.CharField(blank=True, max_length=120)),
                (
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="knowledge.notebookentry",
                    ),
                ),
                (
                    "notebook",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.notebook",
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
                "ordering": ["entry_id", "-number"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("message_id__isnull", False)),
                        fields=["tenant", "message_id"],
                        name="notebook_version_message",
                    ),
                    models.Index(fields=["notebook", "-created_at"], name="notebook_version_by_time"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("entry", "number"), name="notebook_version_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("operation__in", ["created", "modified", "renamed", "deleted"])),
                        name="notebook_version_operation_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("content__isnull", False),
                                ("name__isnull", False),
                                ("redacted_at__isnull", True),
                                ("redacted_by", ""),
                            ),
                            models.Q(
                                ("content__isnull", True),
                                ("redacted_at__isnull", False),
                                models.Q(("redacted_by", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="notebook_version_redacted_has_no_words",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="notebook_version_is_kept",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF current_setting('memory37.notebook_deletion', TRUE) = 'on' THEN\n                RETURN OLD;\n            END IF;\n            RAISE EXCEPTION 'notebook_version_is_kept' USING ERRCODE = 'check_violation';\n        ",
                            hash="3dedc563992bd68b63afddda37c8f3cbfac40e2d",
                            operation="DELETE",
                            pgid="pgtrigger_notebook_version_is_kept_2fa5a",
                            table="knowledge_notebookversion",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_version_same_notebook",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_notebook n WHERE n.id = NEW.notebook_id AND n.tenant_id = NEW.tenant_id)) OR (NEW.entry_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM knowledge_notebookentry p WHERE p.id = NEW.entry_id AND p.notebook_id = NEW.notebook_id)) THEN\n                RAISE EXCEPTION 'notebook_version_same_notebook' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="3ecfbbcc679ac07d9c0de1e683a2036cb84121a8",
                            operation='INSERT OR UPDATE OF "tenant_id", "notebook_id", "entry_id"',
                            pgid="pgtrigger_notebook_version_same_notebook_327fe",
                            table="knowledge_notebookversion",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_version_fixed",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept knowledge_notebookversion;",
                            func="\n                    kept := NEW;\n                    kept.name := OLD.name; kept.content := OLD.content; kept.sha256 := OLD.sha256;\n                    kept.redacted_at := OLD.redacted_at; kept.redacted_by := OLD.redacted_by;\n                    kept.message_id := OLD.message_id;\n                    IF current_setting('memory37.notebook_redaction', TRUE) = 'on' AND kept IS NOT DISTINCT FROM OLD\n                        AND NEW.redacted_at IS NOT NULL AND NEW.content IS NULL\n                    THEN\n                        RETURN NEW;\n                    END IF;\n                    RAISE EXCEPTION 'notebook_version_fixed' USING ERRCODE = 'check_violation';\n                ",
                            hash="b391b67ff83b8de6a455a973845caca545eddd9c",
                            operation="UPDATE",
                            pgid="pgtrigger_notebook_version_fixed_24193",
                            table="knowledge_notebookversion",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Release",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "base_number",
                    models.PositiveIntegerField(
                        blank=True, help_text="The release it was built on; empty for the first.", null=True
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("building", "Building"),
                            ("staged", "Staged"),
                            ("published", "Published"),
                            ("failed", "Failed"),
                            ("discarded", "Discarded"),
                        ],
                        default="building",
                        max_length=16,
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=200)),
                (
                    "rebuild",
                    models.BooleanField(
                        default=False, help_text="Every passage is made anew from its revision (re-index)."
                    ),
                ),
                (
                    "undone",
                    models.BooleanField(
                        default=False,
                        help_text="What releases after the base changed has been undone (or there was nothing to undo).",
                    ),
                ),
                ("analysis_version", models.PositiveIntegerField()),
                (
                    "length_pivot",
                    models.FloatField(help_text="The passage length, in lexemes, that BM25 treats as average."),
                ),
                ("edits_total", models.PositiveIntegerField(default=0)),
                ("edits_done", models.PositiveIntegerField(default=0)),
                ("passage_count", models.PositiveIntegerField(default=0, help_text="Passages live in this release.")),
                ("document_count", models.PositiveIntegerField(default=0, help_text="Documents live in this release.")),
                ("error", models.TextField(blank=True, help_text="Why the build failed.")),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "heartbeat_at",
                    models.DateTimeField(
                        blank=True, help_text="Last sign of life of the worker that builds it.", null=True
                    ),
                ),
                (
                    "gate_state",
                    models.CharField(
                        choices=[
                            ("pending", "Not run yet"),
                            ("running", "Running"),
                            ("passed", "Passed"),
                            ("failed", "Failed"),
                            ("overridden", "Failed, overridden by an owner"),
                            ("exempt", "First load: nothing to compare with"),
                        ],
                        default="pending",
                        max_length=16,
                    ),
                ),
                ("gate_reason", models.TextField(blank=True, help_text="Why a failed gate was overridden.")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("staged_at", models.DateTimeField(blank=True, null=True)),
                ("published_at", models.DateTimeField(blank=True, help_text="When it first went live.", null=True)),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="releases",
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
                (
                    "vector_space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.vectorspace",
                    ),
                ),
            ],
            options={
                "ordering": ["domain_index_id", "-number"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "building")), fields=["heartbeat_at"], name="release_building"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("domain_index", "number"), name="release_number_unique"),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["building", "staged", "failed"])),
                        fields=("domain_index",),
                        name="release_one_stage_at_a_time",
                    ),
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="release_number_positive"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("base_number__isnull", True), ("base_number__lt", models.F("number")), _connector="OR"
                        ),
                        name="release_built_on_earlier",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["building", "staged", "published", "failed", "discarded"])),
                        name="release_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("gate_state__in", ["pending", "running", "passed", "failed", "overridden", "exempt"])
                        ),
                        name="release_gate_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "published"), _negated=True),
                            ("gate_state__in", ("passed", "overridden", "exempt")),
                            _connector="OR",
                        ),
                        name="release_published_through_gate",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("gate_state", "overridden"), _negated=True),
                            models.Q(("gate_reason", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="release_override_has_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "published"), _negated=True),
                            ("published_at__isnull", False),
                            _connector="OR",
                        ),
                        name="release_published_has_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("edits_done__lte", models.F("edits_total"))),
                        name="release_edits_done_within_total",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("length_pivot__gt", 0)), name="release_length_pivot_positive"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="release_closed_gate_ends_canary",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (NOT (NEW.\"gate_state\" IN ('passed', 'overridden', 'exempt')))",
                            func="\n                    UPDATE knowledge_domainindex d SET canary_percent = 0\n                    WHERE d.id = NEW.domain_index_id AND d.canary_percent > 0\n                      AND EXISTS (SELECT 1 FROM knowledge_alias a WHERE a.release_id = NEW.id AND a.name = 'stage')\n                      AND NOT EXISTS (SELECT 1 FROM knowledge_canaryoverride o WHERE o.release_id = NEW.id);\n                    RETURN NULL;\n                ",
                            hash="2a74ca71f5a246f497ec9f170b74b6658d3d7c46",
                            operation='UPDATE OF "gate_state"',
                            pgid="pgtrigger_release_closed_gate_ends_canary_fd7cb",
                            table="knowledge_release",
                            when="AFTER",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LoreChunk",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ordinal", models.PositiveIntegerField()),
                (
                    "anchor",
                    models.CharField(
                        help_text="Heading path as a fragment: what the chunk keeps between revisions.", max_length=300
                    ),
                ),
                (
                    "heading_path",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=300), default=list, size=None
                    ),
                ),
                ("title", models.CharField(max_length=300)),
                ("text", models.TextField()),
                ("token_count", models.PositiveIntegerField()),
                (
                    "version",
                    models.CharField(
                        help_text="SemVer: patch = form, minor = wording, major = meaning may have changed.",
                        max_length=32,
                    ),
                ),
                (
                    "content_hash",
                    models.BinaryField(help_text="SHA-256 of all that a hit shows or filters by.", max_length=32),
                ),
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
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chunks",
                        to="knowledge.loredocument",
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        help_text="The revision that first said this.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chunks",
                        to="knowledge.lorerevision",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["document", "id"], name="chunk_by_document")],
            },
        ),
        migrations.CreateModel(
            name="NotebookProposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("fact", "Fact"), ("note", "Note"), ("document", "Document")], max_length=8
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=1024)),
                ("content", models.TextField(blank=True)),
                ("metadata", models.JSONField(blank=True, default=dict)),
                (
                    "base_sha256",
                    models.CharField(blank=True, help_text="Of the version that the author had read.", max_length=64),
                ),
                ("author", models.CharField(max_length=120)),
                ("source", models.CharField(max_length=16)),
                ("message_id", models.BigIntegerField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "Waits"), ("approved", "Approved"), ("rejected", "Rejected")],
                        default="pending",
                        max_length=8,
                    ),
                ),
                ("decided_by", models.CharField(blank=True, max_length=120)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "notebook",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="knowledge.notebook",
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
                    "version",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="knowledge.notebookversion",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["notebook", "state", "-id"], name="notebook_proposal_by_state")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["fact", "note", "document"])),
                        name="notebook_proposal_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["pending", "approved", "rejected"])),
                        name="notebook_proposal_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at__isnull", True), ("decided_by", ""), ("state", "pending")),
                            models.Q(
                                models.Q(("state", "pending"), _negated=True),
                                ("decided_at__isnull", False),
                                models.Q(("decided_by", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="notebook_proposal_decision_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "approved"), _negated=True),
                            models.Q(("decided_by", models.F("author")), _negated=True),
                            _connector="OR",
                        ),
                        name="notebook_proposal_by_another",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="notebook_proposal_is_kept",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF current_setting('memory37.notebook_deletion', TRUE) = 'on' THEN\n                RETURN OLD;\n            END IF;\n            RAISE EXCEPTION 'notebook_proposal_is_kept' USING ERRCODE = 'check_violation';\n        ",
                            hash="d927bd7d07a37043c20762ce2e99b882ac1fa866",
                            operation="DELETE",
                            pgid="pgtrigger_notebook_proposal_is_kept_bf496",
                            table="knowledge_notebookproposal",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_proposal_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_notebook n WHERE n.id = NEW.notebook_id AND n.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'notebook_proposal_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="b41b9c0244935322e3af4921960594a310d11c46",
                            operation='INSERT OR UPDATE OF "tenant_id", "notebook_id"',
                            pgid="pgtrigger_notebook_proposal_same_tenant_27b25",
                            table="knowledge_notebookproposal",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_proposal_moves",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."state" IS DISTINCT FROM (NEW."state"))',
                            func="\n            IF (OLD.state, NEW.state) NOT IN (('pending', 'approved'), ('pending', 'rejected')) THEN\n                RAISE EXCEPTION 'notebook_proposal_moves' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="9606cd9179a600ad3c8c78debd6c96f1a5daaeb4",
                            operation='UPDATE OF "state"',
                            pgid="pgtrigger_notebook_proposal_moves_ec10c",
                            table="knowledge_notebookproposal",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NotebookConflict",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("overwritten", "A fact was given another value by another author"),
                            ("contradicted", "A newer note says something else than a fact"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "says",
                    models.CharField(
                        blank=True, help_text="What the newer one says instead, where it is known.", max_length=200
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "Open"), ("resolved", "Resolved")], default="open", max_length=8
                    ),
                ),
                (
                    "resolution",
                    models.CharField(
                        blank=True, help_text="older, newer, both, or changed by a later write.", max_length=8
                    ),
                ),
                ("resolved_by", models.CharField(blank=True, max_length=120)),
                ("resolved_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "notebook",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conflicts",
                        to="knowledge.notebook",
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
                    "entry",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conflicts",
                        to="knowledge.notebookentry",
                    ),
                ),
                (
                    "newer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.notebookversion",
                    ),
                ),
                (
                    "older",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.notebookversion",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["notebook", "state", "entry"], name="notebook_conflict_by_state")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["overwritten", "contradicted"])),
                        name="notebook_conflict_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("resolution", ""),
                                ("resolved_at__isnull", True),
                                ("resolved_by", ""),
                                ("state", "open"),
                            ),
                            models.Q(
                                ("resolution__in", ["older", "newer", "both", "changed"]),
                                ("resolved_at__isnull", False),
                                ("state", "resolved"),
                                models.Q(("resolved_by", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="notebook_conflict_resolution_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("older", models.F("newer")), _negated=True),
                        name="notebook_conflict_two_sides",
                    ),
                    models.UniqueConstraint(fields=("older", "newer"), name="notebook_conflict_unique"),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="notebook_conflict_is_kept",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF current_setting('memory37.notebook_deletion', TRUE) = 'on' THEN\n                RETURN OLD;\n            END IF;\n            RAISE EXCEPTION 'notebook_conflict_is_kept' USING ERRCODE = 'check_violation';\n        ",
                            hash="532b554bf6f70dced795420188019609cfe23682",
                            operation="DELETE",
                            pgid="pgtrigger_notebook_conflict_is_kept_70b2a",
                            table="knowledge_notebookconflict",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_conflict_same_notebook",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_notebook n WHERE n.id = NEW.notebook_id AND n.tenant_id = NEW.tenant_id)) OR (NEW.entry_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM knowledge_notebookentry p WHERE p.id = NEW.entry_id AND p.notebook_id = NEW.notebook_id)) OR (NEW.older_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM knowledge_notebookversion p WHERE p.id = NEW.older_id AND p.notebook_id = NEW.notebook_id)) OR (NEW.newer_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM knowledge_notebookversion p WHERE p.id = NEW.newer_id AND p.notebook_id = NEW.notebook_id)) THEN\n                RAISE EXCEPTION 'notebook_conflict_same_notebook' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="27675c19890527fa6a6b2d98bfd0af711386ef31",
                            operation='INSERT OR UPDATE OF "tenant_id", "notebook_id", "entry_id", "older_id", "newer_id"',
                            pgid="pgtrigger_notebook_conflict_same_notebook_8fcfd",
                            table="knowledge_notebookconflict",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_conflict_moves",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."state" IS DISTINCT FROM (NEW."state"))',
                            func="\n            IF (OLD.state, NEW.state) NOT IN (('open', 'resolved')) THEN\n                RAISE EXCEPTION 'notebook_conflict_moves' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="4e09b564b05b3701358260f91527773a6a6773be",
                            operation='UPDATE OF "state"',
                            pgid="pgtrigger_notebook_conflict_moves_2c9e4",
                            table="knowledge_notebookconflict",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Publication",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=120)),
                ("title", models.CharField(max_length=300)),
                ("type", models.CharField(max_length=32)),
                (
                    "names",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=300),
                        help_text="Title and aliases, normalised for look-up.",
                        size=None,
                    ),
                ),
                ("rule_id", models.CharField(blank=True, max_length=64)),
                (
                    "audience",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=160), size=None),
                ),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), default=list, size=None
                    ),
                ),
                (
                    "mentions",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120), default=list, size=None
                    ),
                ),
                ("added_in", models.PositiveIntegerField()),
                ("removed_in", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="publications",
                        to="knowledge.loredocument",
                    ),
                ),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="publications",
                        to="knowledge.domainindex",
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="publications",
                        to="knowledge.lorerevision",
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
                "indexes": [
                    models.Index(fields=["domain_index", "added_in"], name="publication_added_in"),
                    models.Index(fields=["domain_index", "removed_in"], name="publication_removed_in"),
                    models.Index(
                        condition=models.Q(("rule_id", ""), _negated=True),
                        fields=["domain_index", "rule_id"],
                        name="publication_rule_id",
                    ),
                    django.contrib.postgres.indexes.GinIndex(fields=["names"], name="publication_names"),
                    django.contrib.postgres.indexes.GinIndex(fields=["mentions"], name="publication_mentions"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("removed_in__isnull", True)),
                        fields=("domain_index", "slug"),
                        name="publication_slug_unique_when_open",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("removed_in__isnull", True)),
                        fields=("document",),
                        name="publication_one_open_per_document",
                    ),
                    models.UniqueConstraint(
                        fields=("document", "added_in"), name="publication_document_added_in_unique"
                    ),
                    models.UniqueConstraint(
                        fields=("domain_index", "slug", "added_in"), name="publication_slug_added_in_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("removed_in__isnull", True), ("removed_in__gt", models.F("added_in")), _connector="OR"
                        ),
                        name="publication_range_not_empty",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LivePeriod",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("began_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "began_how",
                    models.CharField(
                        choices=[("loaded", "Loaded"), ("swapped", "Swapped in"), ("rolled_back", "Rolled back to")],
                        max_length=16,
                    ),
                ),
                (
                    "began_by",
                    models.CharField(blank=True, help_text="Empty: an operator at the shell.", max_length=200),
                ),
                ("began_why", models.TextField(blank=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ended_how",
                    models.CharField(
                        blank=True,
                        choices=[("loaded", "Loaded"), ("swapped", "Swapped in"), ("rolled_back", "Rolled back to")],
                        help_text="What came in its place.",
                        max_length=16,
                    ),
                ),
                ("ended_by", models.CharField(blank=True, max_length=200)),
                ("ended_why", models.TextField(blank=True)),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="live_periods",
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
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="live_periods", to="knowledge.release"
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["domain_index", "-id"], name="live_period_newest")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("domain_index",),
                        name="live_period_one_open",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("ended_how", "")),
                            models.Q(
                                ("ended_at__gte", models.F("began_at")),
                                ("ended_at__isnull", False),
                                ("ended_how__in", ["loaded", "swapped", "rolled_back"]),
                            ),
                            _connector="OR",
                        ),
                        name="live_period_end_is_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("began_how__in", ["loaded", "swapped", "rolled_back"])),
                        name="live_period_began_how_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CanaryOverride",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "gate_state",
                    models.CharField(
                        choices=[
                            ("pending", "Not run yet"),
                            ("running", "Running"),
                            ("passed", "Passed"),
                            ("failed", "Failed"),
                            ("overridden", "Failed, overridden by an owner"),
                            ("exempt", "First load: nothing to compare with"),
                        ],
                        help_text="What the gate was then.",
                        max_length=16,
                    ),
                ),
                ("reason", models.TextField()),
                ("author", models.CharField(help_text="Who gave their word.", max_length=200)),
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
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="canary_overrides",
                        to="knowledge.release",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="canary_override_has_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("author", ""), _negated=True), name="canary_override_has_author"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="canary_override_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'canary_override_append_only' USING ERRCODE = 'check_violation';",
                            hash="e9633308361294020f44ba191a94ca849d3558e3",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_canary_override_append_only_c4045",
                            table="knowledge_canaryoverride",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Alias",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(choices=[("latest", "Latest"), ("stage", "Stage")], max_length=16)),
                ("moved_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "moved_how",
                    models.CharField(db_default="loaded", help_text="A kind of `LivePeriod`.", max_length=16),
                ),
                ("moved_by", models.CharField(blank=True, db_default="", max_length=200)),
                ("moved_why", models.TextField(blank=True, db_default="")),
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
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="aliases",
                        to="knowledge.domainindex",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="aliases", to="knowledge.release"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "aliases",
                "constraints": [
                    models.UniqueConstraint(fields=("domain_index", "name"), name="alias_name_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("name__in", ["latest", "stage"])), name="alias_name_known"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="alias_points_at_ready_release",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE target knowledge_release%ROWTYPE;",
                            func="\n                    SELECT * INTO target FROM knowledge_release r WHERE r.id = NEW.release_id;\n                    IF target.domain_index_id <> NEW.domain_index_id THEN\n                        RAISE EXCEPTION 'alias_release_same_domain_index' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.name = 'latest' AND target.state <> 'published' THEN\n                        RAISE EXCEPTION 'alias_latest_is_published' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.name = 'stage' AND target.state <> 'staged' THEN\n                        RAISE EXCEPTION 'alias_stage_is_staged' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="b24e55e7d1571dd23c069538fcb5ef7e52e538b4",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_alias_points_at_ready_release_56af6",
                            table="knowledge_alias",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="alias_latest_writes_live_period",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (NEW.\"name\" = 'latest')",
                            func="\n                    IF TG_OP = 'UPDATE' AND OLD.release_id = NEW.release_id THEN RETURN NULL; END IF;\n                    UPDATE knowledge_liveperiod SET ended_at = GREATEST(NEW.moved_at, began_at),\n                        ended_how = NEW.moved_how, ended_by = NEW.moved_by, ended_why = NEW.moved_why\n                    WHERE domain_index_id = NEW.domain_index_id AND ended_at IS NULL;\n                    INSERT INTO knowledge_liveperiod\n                        (tenant_id, domain_index_id, release_id, began_at, began_how, began_by, began_why, ended_how, ended_by, ended_why)\n                    VALUES (NEW.tenant_id, NEW.domain_index_id, NEW.release_id, NEW.moved_at, NEW.moved_how, NEW.moved_by, NEW.moved_why, '', '', '');\n                    RETURN NULL;\n                ",
                            hash="9516d2854d0c2583c7aecd40b0b6b67b448f142a",
                            operation='INSERT OR UPDATE OF "release_id"',
                            pgid="pgtrigger_alias_latest_writes_live_period_ff88d",
                            table="knowledge_alias",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="alias_moved_stage_ends_canary",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.\"name\" = 'stage')",
                            func="\n                    UPDATE knowledge_domainindex d SET canary_percent = 0\n                    WHERE d.id = OLD.domain_index_id AND d.canary_percent > 0;\n                    RETURN NULL;\n                ",
                            hash="f0c32cb647b0fea37916d9fede97327cfec1b3e0",
                            operation='UPDATE OF "release_id" OR DELETE',
                            pgid="pgtrigger_alias_moved_stage_ends_canary_2fa82",
                            table="knowledge_alias",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ReleaseEdit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("done", "Done")], default="pending", max_length=8
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="release_edits",
                        to="knowledge.loredocument",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="edits",
                        to="knowledge.release",
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="release_edits",
                        to="knowledge.lorerevision",
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
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "pending")), fields=["release", "id"], name="release_edit_pending"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("release", "document"), name="release_edit_document_unique")
                ],
            },
        ),
        migrations.CreateModel(
            name="NotebookCommand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("turn_id", models.UUIDField(help_text="The text that it stood in.")),
                ("index", models.PositiveSmallIntegerField(help_text="Its place among the commands of the text.")),
                ("agent", models.CharField(max_length=120)),
                ("command", models.CharField(max_length=32)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("executed", "Executed"),
                            ("proposed", "Proposed"),
                            ("refused", "Refused"),
                            ("malformed", "Malformed"),
                            ("failed", "Failed"),
                        ],
                        max_length=9,
                    ),
                ),
                ("code", models.CharField(blank=True, help_text="Why it was not executed.", max_length=60)),
                ("start", models.PositiveIntegerField(help_text="Where it stood in the text.")),
                ("length", models.PositiveIntegerField()),
                (
                    "found",
                    models.PositiveSmallIntegerField(blank=True, help_text="Entries that a read gave.", null=True),
                ),
                ("request_id", models.CharField(blank=True, max_length=64)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "notebook",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="commands",
                        to="knowledge.notebook",
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
                    "proposal",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="knowledge.notebookproposal",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="knowledge.notebookversion",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["notebook", "-id"], name="notebook_command_by_notebook")],
                "constraints": [
                    models.UniqueConstraint(fields=("notebook", "turn_id", "index"), name="notebook_command_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["executed", "proposed", "refused", "malformed", "failed"])),
                        name="notebook_command_status_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("code", ""), ("status__in", ["executed", "proposed"])),
                            models.Q(
                                models.Q(("status__in", ["executed", "proposed"]), _negated=True),
                                models.Q(("code", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="notebook_command_refusal_is_told",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="notebook_command_is_kept",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF current_setting('memory37.notebook_deletion', TRUE) = 'on' THEN\n                RETURN OLD;\n            END IF;\n            RAISE EXCEPTION 'notebook_command_is_kept' USING ERRCODE = 'check_violation';\n        ",
                            hash="8c7df46da332ee3f78076e8474c899f55d090a4e",
                            operation="DELETE",
                            pgid="pgtrigger_notebook_command_is_kept_1263b",
                            table="knowledge_notebookcommand",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="notebook_command_same_notebook",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NOT EXISTS (SELECT 1 FROM knowledge_notebook n WHERE n.id = NEW.notebook_id AND n.tenant_id = NEW.tenant_id)) OR (NEW.version_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM knowledge_notebookversion p WHERE p.id = NEW.version_id AND p.notebook_id = NEW.notebook_id)) THEN\n                RAISE EXCEPTION 'notebook_command_same_notebook' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="3511560590ac1a00ff930cf88c84412be6ff13c3",
                            operation='INSERT OR UPDATE OF "tenant_id", "notebook_id", "version_id"',
                            pgid="pgtrigger_notebook_command_same_notebook_c9882",
                            table="knowledge_notebookcommand",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LorePassage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(max_length=16)),
                ("length", models.PositiveIntegerField(help_text="Lexemes in the passage, repeats counted.")),
                ("lexemes", django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ("bm25", pgvector.django.sparsevec.SparseVectorField(dimensions=1000000000)),
                ("embedding", pgvector.django.halfvec.HalfVectorField(null=True)),
                (
                    "embedding_hash",
                    models.BinaryField(
                        help_text="SHA-256 of the embedded text: equal texts are embedded once.", max_length=32
                    ),
                ),
                (
                    "embedding_state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("done", "Done"), ("failed", "Failed")],
                        db_default="pending",
                        max_length=8,
                    ),
                ),
                ("embedding_attempts", models.PositiveSmallIntegerField(db_default=0)),
                ("embedding_error", models.TextField(db_default="")),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("type", models.CharField(max_length=32)),
                (
                    "audience",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=160), size=None),
                ),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), default=list, size=None
                    ),
                ),
                ("added_in", models.PositiveIntegerField()),
                ("removed_in", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "chunk",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="passages",
                        to="knowledge.lorechunk",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="passages",
                        to="knowledge.loredocument",
                    ),
                ),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passages",
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
                (
                    "vector_space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.vectorspace",
                    ),
                ),
            ],
            options={
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fastupdate=False, fields=["lexemes"], name="passage_lexemes"
                    ),
                    models.Index(fields=["domain_index", "added_in"], name="passage_added_in"),
                    models.Index(
                        condition=models.Q(("removed_in__isnull", False)),
                        fields=["domain_index", "removed_in"],
                        name="passage_removed_in",
                    ),
                    models.Index(
                        condition=models.Q(("removed_in__isnull", True)),
                        fields=["document"],
                        name="passage_open_by_document",
                    ),
                    models.Index(
                        condition=models.Q(("embedding_state", "pending")),
                        fields=["domain_index", "id"],
                        name="passage_embedding_pending",
                    ),
                    models.Index(
                        condition=models.Q(("embedding_state", "failed")),
                        fields=["domain_index", "id"],
                        name="passage_embedding_failed",
                    ),
                    models.Index(fields=["vector_space", "embedding_hash"], name="passage_embedding_hash"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("domain_index", "chunk", "added_in"), name="passage_chunk_added_in_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("removed_in__isnull", True), ("removed_in__gt", models.F("added_in")), _connector="OR"
                        ),
                        name="passage_range_not_empty",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("embedding_state__in", ["pending", "done", "failed"])),
                        name="passage_embedding_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("embedding__isnull", False), ("embedding_state", "done")),
                            models.Q(models.Q(("embedding_state", "done"), _negated=True), ("embedding__isnull", True)),
                            _connector="OR",
                        ),
                        name="passage_embedding_done_has_vector",
                    ),
                ],
            },
        ),
        memoryproject.trigger_migrations.AddTriggers(),
        migrations.RunSQL(
            sql="ALTER TABLE knowledge_lorepassage ALTER COLUMN embedding SET STORAGE PLAIN, ALTER COLUMN bm25 SET STORAGE MAIN, ALTER COLUMN lexemes SET STORAGE EXTERNAL, SET (toast_tuple_target = 3500, autovacuum_vacuum_insert_scale_factor = 0.05)",
            reverse_sql="",
        ),
    ]
