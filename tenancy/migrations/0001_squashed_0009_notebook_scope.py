"""Everything up to 0009_notebook_scope in one step: a new installation migrates in seconds, an old one has it already."""

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
from django.conf import settings
from django.db import migrations, models

import memoryproject.batched_migrations
import memoryproject.trigger_migrations


class Migration(memoryproject.batched_migrations.BatchedMigration):
    replaces = [
        ("tenancy", "0001_initial"),
        ("tenancy", "0002_idempotency_path"),
        ("tenancy", "0003_erased_users"),
        ("tenancy", "0004_idempotency_keys_by_world"),
        ("tenancy", "0005_world_kind"),
        ("tenancy", "0006_world_npc_review"),
        ("tenancy", "0007_extraction"),
        ("tenancy", "0008_labeller"),
        ("tenancy", "0009_notebook_scope"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Tenant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.CharField(
                        help_text="Sent as X-Tenant-ID.",
                        max_length=63,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z0-9]+(?:[-_][a-z0-9]+)*$",
                                "Use lowercase Latin letters, digits, '-' and '_'.",
                                code="slug_invalid",
                            )
                        ],
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                (
                    "extraction",
                    models.CharField(
                        choices=[
                            ("off", "Off: rules alone read what players say"),
                            ("shadow", "Shadow: proposals are gated and reviewed, nothing is written"),
                            ("on", "On: what passes the gate becomes a fact"),
                        ],
                        db_default="off",
                        default="off",
                        help_text="Whether talk is read a second time, in the background, for what no rule understood.",
                        max_length=6,
                    ),
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
                        condition=models.Q(("slug__regex", "^[a-z0-9]+(?:[-_][a-z0-9]+)*$")), name="tenant_slug_form"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("extraction__in", ["off", "shadow", "on"])), name="tenant_extraction_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="World",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.CharField(
                        help_text="Sent as X-Site-ID.",
                        max_length=63,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z0-9]+(?:[-_][a-z0-9]+)*$",
                                "Use lowercase Latin letters, digits, '-' and '_'.",
                                code="slug_invalid",
                            )
                        ],
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                (
                    "languages",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=16),
                        blank=True,
                        default=list,
                        help_text="BCP 47 tags, for example en, ru, ar, zh.",
                        size=None,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("game", "Game"), ("companion", "Companion")],
                        db_default="game",
                        default="game",
                        help_text="A game with its characters, or a companion: how a model is told to speak of memories.",
                        max_length=16,
                    ),
                ),
                (
                    "npc_review",
                    models.CharField(
                        choices=[
                            ("on", "On: a second person approves each change"),
                            ("off", "Off: changes are in force at once"),
                        ],
                        db_default="on",
                        default="on",
                        help_text="Whether profiles and secrets of NPCs change by reviewed requests only.",
                        max_length=3,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="worlds", to="tenancy.tenant"
                    ),
                ),
            ],
            options={
                "ordering": ["tenant_id", "slug"],
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "slug"), name="world_slug_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("slug__regex", "^[a-z0-9]+(?:[-_][a-z0-9]+)*$")), name="world_slug_form"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("npc_review__in", ["on", "off"])), name="world_npc_review_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["game", "companion"])), name="world_kind_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            (
                                "labeller",
                                "Labeller: labels extractions of players who stay unnamed, and sees nothing else",
                            ),
                            ("editor", "Editor: proposes changes of canon"),
                            ("reviewer", "Reviewer: also approves, stages, swaps and rolls back"),
                            ("owner", "Owner: also overrides a failed gate, sets the canary share and issues keys"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="tenancy.tenant"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "user"), name="membership_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["labeller", "editor", "reviewer", "owner"])),
                        name="membership_role_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="IdempotencyRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "bound_world_id",
                    models.BigIntegerField(
                        db_default=0,
                        default=0,
                        help_text="The one world that the key is for: its ids are its own. 0: all worlds.",
                    ),
                ),
                ("key", models.CharField(max_length=255)),
                ("method_and_path", models.CharField(max_length=500)),
                ("request_hash", models.BinaryField(max_length=32)),
                ("status_code", models.PositiveSmallIntegerField()),
                ("response", models.JSONField()),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "tenant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tenancy.tenant"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["created_at"], name="idempotency_created_at"),
                    models.Index(
                        fields=["tenant", "method_and_path"],
                        name="idempotency_path",
                        opclasses=["int8_ops", "varchar_pattern_ops"],
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "bound_world_id", "key"), name="idempotency_key_unique")
                ],
            },
        ),
        migrations.CreateModel(
            name="EndUser",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("external_id", models.CharField(max_length=200)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "erased_in",
                    models.BigIntegerField(
                        blank=True,
                        editable=False,
                        help_text="The transaction that erased the user. Set by the database.",
                        null=True,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="end_users", to="tenancy.tenant"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "external_id"), name="end_user_external_id_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("external_id", ""), _negated=True), name="end_user_external_id_not_empty"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="end_user_id_fixed",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF TG_OP = 'INSERT' THEN\n                        IF NEW.erased_in IS NOT NULL THEN\n                            RAISE EXCEPTION 'end_user_id_fixed' USING ERRCODE = 'check_violation';\n                        END IF;\n                        RETURN NEW;\n                    END IF;\n                    IF (OLD.tenant_id, OLD.external_id, OLD.erased_in)\n                            IS NOT DISTINCT FROM (NEW.tenant_id, NEW.external_id, NEW.erased_in)\n                    THEN\n                        RETURN NEW;\n                    END IF;\n                    IF pg_trigger_depth() < 2 OR NEW.tenant_id <> OLD.tenant_id\n                        OR NEW.erased_in IS DISTINCT FROM pg_current_xact_id()::text::bigint\n                        OR (NEW.external_id <> OLD.external_id\n                            AND (OLD.erased_in IS NOT NULL OR NEW.external_id NOT LIKE 'erased-%'))\n                    THEN\n                        RAISE EXCEPTION 'end_user_id_fixed' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="769f3fa999ccb812cbcaa5eb4c8310ce03bee1ac",
                            operation='INSERT OR UPDATE OF "tenant_id", "external_id", "erased_in"',
                            pgid="pgtrigger_end_user_id_fixed_6055b",
                            table="tenancy_enduser",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=200)),
                (
                    "prefix",
                    models.CharField(
                        editable=False,
                        help_text="The public part of the key, for logs and look-ups.",
                        max_length=16,
                        unique=True,
                    ),
                ),
                ("secret_hash", models.BinaryField(max_length=32)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("read", "Read canon and memory"),
                                ("engine", "Write what happened in play"),
                                ("editor", "Propose changes of canon"),
                                ("notebook", "Keep notes as an agent, in notebooks that it is a member of"),
                            ],
                            max_length=16,
                        ),
                        size=None,
                    ),
                ),
                (
                    "requests_per_minute",
                    models.PositiveIntegerField(
                        blank=True, help_text="Empty: the installation's default rate.", null=True
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "last_used_at",
                    models.DateTimeField(blank=True, editable=False, help_text="To the nearest minute.", null=True),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="api_keys", to="tenancy.tenant"
                    ),
                ),
                (
                    "world",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: every world of the tenant.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_keys",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "verbose_name": "API key",
                "ordering": ["tenant_id", "name", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("scopes__contained_by", ["read", "engine", "editor", "notebook"]), ("scopes__len__gt", 0)
                        ),
                        name="api_key_scopes_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("expires_at__isnull", True), ("expires_at__gt", models.F("created_at")), _connector="OR"
                        ),
                        name="api_key_expires_after_creation",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="api_key_world_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NEW."world_id" IS NOT NULL)',
                            func="\n                    IF NOT EXISTS (SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id) THEN\n                        RAISE EXCEPTION 'api_key_world_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="fdb56d619111b2a317a591734616f571e1a1f953",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_api_key_world_same_tenant_f501f",
                            table="tenancy_apikey",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        memoryproject.trigger_migrations.AddTriggers(),
    ]
