"""Everything up to 0048_event_policies_and_proposals in one step: a new installation migrates in seconds, an old one has it already."""

import datetime
import uuid

import django.contrib.postgres.constraints
import django.contrib.postgres.fields
import django.contrib.postgres.fields.ranges
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import django.db.models.functions.math
import django.db.models.functions.text
import django.db.models.lookups
import pgtrigger.compiler
import pgvector.django.halfvec
import pgvector.django.sparsevec
from django.db import migrations, models

import episodes.embedding.models.vector_codes
import memoryproject.batched_migrations
import memoryproject.trigger_migrations


class Migration(memoryproject.batched_migrations.BatchedMigration):
    replaces = [
        ("episodes", "0001_initial"),
        ("episodes", "0002_passage_storage"),
        ("episodes", "0003_forgetting"),
        ("episodes", "0004_campaigns_and_summaries"),
        ("episodes", "0005_summary_passage_storage"),
        ("episodes", "0006_art_cards"),
        ("episodes", "0007_user_index_counts_vectors"),
        ("episodes", "0008_message_by_session"),
        ("episodes", "0009_message_mood"),
        ("episodes", "0010_placeholders_of_erased_users"),
        ("episodes", "0011_art_card_embedding"),
        ("episodes", "0012_last_values_of_flags"),
        ("episodes", "0013_art_card_campaign"),
        ("episodes", "0014_worlds_of_receipts_and_erasures"),
        ("episodes", "0015_art_card_passages"),
        ("episodes", "0016_art_passage_storage"),
        ("episodes", "0017_echoes_of_receipts"),
        ("episodes", "0018_orders_to_forget"),
        ("episodes", "0019_open_orders_index"),
        ("episodes", "0020_conversation_participants"),
        ("episodes", "0021_vector_codes"),
        ("episodes", "0022_message_passage_sample"),
        ("episodes", "0023_extracted_to"),
        ("episodes", "0024_message_snippets"),
        ("episodes", "0025_talk_summaries"),
        ("episodes", "0035_rollback_of_play"),
        ("episodes", "0036_alternatives"),
        ("episodes", "0037_alternative_indexes"),
        ("episodes", "0038_derived_of_current_messages"),
        ("episodes", "0039_event_nodes"),
        ("episodes", "0040_event_passage_storage"),
        ("episodes", "0041_npc_sharing"),
        ("episodes", "0042_npc_told_by_via"),
        ("episodes", "0043_event_book_tries"),
        ("episodes", "0044_rumour_replaced"),
        ("episodes", "0045_message_told_late"),
        ("episodes", "0046_event_names_of_entities"),
        ("episodes", "0047_event_name_by_entity"),
        ("episodes", "0048_event_policies_and_proposals"),
    ]

    initial = True

    dependencies = [
        ("knowledge", "0001_squashed_0019_notebooks"),  # brings pgvector
        ("tenancy", "0001_squashed_0009_notebook_scope"),
    ]

    operations = [
        migrations.CreateModel(
            name="Conversation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "external_id",
                    models.CharField(blank=True, help_text="The tenant's own id.", max_length=200, null=True),
                ),
                ("npc_id", models.CharField(blank=True, max_length=120)),
                ("session_id", models.CharField(blank=True, max_length=200)),
                (
                    "user_name",
                    models.CharField(
                        blank=True,
                        db_default="",
                        help_text="What the player is called: questions name speakers.",
                        max_length=80,
                    ),
                ),
                (
                    "assistant_name",
                    models.CharField(
                        blank=True,
                        db_default="",
                        help_text="What whoever answers is called; of an NPC, in all languages of its profile, split by semicolons.",
                        max_length=200,
                    ),
                ),
                ("last_seq", models.PositiveIntegerField(db_default=0, editable=False)),
                (
                    "pending_extraction_count",
                    models.PositiveIntegerField(
                        db_default=0, editable=False, help_text="User messages since the last batch extraction."
                    ),
                ),
                ("last_extraction_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "extracted_to",
                    models.PositiveIntegerField(
                        db_default=0,
                        default=0,
                        editable=False,
                        help_text="Up to this place batch extraction has worked the messages off.",
                    ),
                ),
                ("last_message_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "gone_to",
                    models.PositiveIntegerField(
                        db_default=0,
                        default=0,
                        editable=False,
                        help_text="Up to this place an order forgets or erases what was said: nobody reads it.",
                    ),
                ),
                (
                    "gone_at",
                    models.DateTimeField(blank=True, editable=False, help_text="When the last order came.", null=True),
                ),
                (
                    "fork_seq",
                    models.PositiveIntegerField(
                        db_default=0,
                        default=0,
                        editable=False,
                        help_text="Of a branch, the last place of its trunk that it sees; its own places follow.",
                    ),
                ),
                (
                    "tree_id",
                    models.BigIntegerField(
                        blank=True,
                        editable=False,
                        help_text="The first trunk of all, in it and in each of its branches.",
                        null=True,
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
                        related_name="conversations",
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
                    "trunk",
                    models.ForeignKey(
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
                (
                    "world",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tenant", "end_user", "-id"], name="conversation_by_user"),
                    models.Index(
                        condition=models.Q(("tree_id__isnull", False)),
                        fields=["tree_id", "id"],
                        name="conversation_by_tree",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("external_id__isnull", False)),
                        fields=("tenant", "world", "external_id"),
                        name="conversation_external_id_unique",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("external_id__isnull", True), models.Q(("external_id", ""), _negated=True), _connector="OR"
                        ),
                        name="conversation_external_id_not_empty",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("extracted_to__lte", models.F("last_seq"))),
                        name="conversation_extracted_was_said",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("gone_to", 0),
                            models.Q(("gone_at__isnull", False), ("gone_to__lte", models.F("last_seq"))),
                            _connector="OR",
                        ),
                        name="conversation_gone_was_said",
                    ),
                    models.CheckConstraint(
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
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="conversation_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id) THEN\n                        RAISE EXCEPTION 'conversation_owner_fixed' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NOT EXISTS (SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id)\n                        OR (NEW.world_id IS NOT NULL AND NOT EXISTS (\n                            SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id\n                        ))\n                    THEN\n                        RAISE EXCEPTION 'conversation_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="5eb6af0b47e5f11e4756166a63a8a8e5b348e259",
                            operation='INSERT OR UPDATE OF "tenant_id", "end_user_id", "world_id"',
                            pgid="pgtrigger_conversation_same_tenant_fe348",
                            table="episodes_conversation",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="EventPolicy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_enabled", models.BooleanField(default=True, help_text="Whether talk becomes events by itself.")),
                ("every", models.PositiveSmallIntegerField(default=15, help_text="Messages of one event, 10 to 20.")),
                (
                    "archive_at",
                    models.PositiveSmallIntegerField(
                        default=10,
                        help_text="Events of a conversation that wait in its lorebook until they are archived.",
                    ),
                ),
                (
                    "archive_tokens",
                    models.PositiveIntegerField(
                        default=2000, help_text="Tokens of their cards together, after which they are archived as well."
                    ),
                ),
                (
                    "archived_entries",
                    models.CharField(
                        choices=[("disable", "Disabled: search alone finds it"), ("lower", "Kept, below all others")],
                        default="disable",
                        max_length=8,
                    ),
                ),
                (
                    "templates",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='Language to the template of a card, such as {"en": "{summary}"}.',
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "rendered_version",
                    models.PositiveIntegerField(
                        default=0, editable=False, help_text="By this version all books of the world were rendered."
                    ),
                ),
                (
                    "updated_at",
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
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="event_policy", to="tenancy.world"
                    ),
                ),
            ],
            options={
                "verbose_name": "event policy",
                "verbose_name_plural": "event policies",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("every__gte", 10), ("every__lte", 20)), name="event_policy_every_in_bounds"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("archive_at__gte", 1), ("archive_at__lte", 200), ("archive_tokens__gte", 100)
                        ),
                        name="event_policy_archive_in_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("archived_entries__in", ["disable", "lower"])),
                        name="event_policy_entries_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("rendered_version__lte", models.F("version")), ("version__gte", 1)),
                        name="event_policy_version_grows",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="event_policy_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.world_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tenancy_world p WHERE p.id = NEW.world_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'event_policy_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="c8c7d600d0fe529dde5957adf2d7d83ed9b1ce76",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_event_policy_same_tenant_b7169",
                            table="episodes_eventpolicy",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ForgetReceipt",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("asked", models.JSONField(help_text="The scope and its times; never words.")),
                (
                    "requested_by",
                    models.CharField(help_text="The API key's prefix, or the person's name.", max_length=200),
                ),
                (
                    "order_kind",
                    models.CharField(
                        blank=True,
                        choices=[("forget", "Forget"), ("erase", "Erase")],
                        db_default="",
                        default="",
                        help_text="Worked off in batches; empty: at once.",
                        max_length=6,
                    ),
                ),
                (
                    "message_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        help_text="What was forgotten by this call; of an order, by its batches so far.",
                        size=None,
                    ),
                ),
                (
                    "echo_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        db_default=[],
                        default=list,
                        help_text="Those of them that nobody chose: an assistant said the forgotten words again.",
                        size=None,
                    ),
                ),
                (
                    "echoes_searched",
                    models.CharField(
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
                ("cleared", models.JSONField(default=dict, help_text="Counts by store.")),
                (
                    "verification",
                    models.JSONField(default=dict, help_text="What is left by store: all 0 once it is done."),
                ),
                (
                    "errors",
                    models.JSONField(blank=True, default=dict, help_text="Stores that failed, with the kind of error."),
                ),
                (
                    "work",
                    models.JSONField(
                        help_text="Hashes and talks that stores and the check still need, and how far an order is; empty once it is done.",
                        null=True,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="pending",
                        max_length=8,
                    ),
                ),
                (
                    "code",
                    models.CharField(
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
                (
                    "attempts",
                    models.PositiveIntegerField(default=0, help_text="Tries; of an order, those since it last got on."),
                ),
                (
                    "advanced_at",
                    models.DateTimeField(blank=True, editable=False, help_text="When an order last got on.", null=True),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("finished_at", models.DateTimeField(blank=True, editable=False, null=True)),
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
                    "world",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The one world that the caller's key reaches; empty: the whole tenant.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tenant", "end_user", "-created_at", "id"], name="forget_receipt_by_user"),
                    models.Index(
                        condition=models.Q(("state__in", ["pending", "running", "failed"])),
                        fields=["tenant", "state", "created_at"],
                        name="forget_receipt_open",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["pending", "running", "done", "failed"])),
                        name="forget_receipt_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("echoes_searched__in", ["not_needed", "complete", "truncated"])),
                        name="forget_receipt_echo_search_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("echo_ids__contained_by", models.F("message_ids"))),
                        name="forget_receipt_echoes_forgotten",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("errors", {}),
                                ("finished_at__isnull", False),
                                ("state", "done"),
                                ("work__isnull", True),
                            ),
                            models.Q(
                                models.Q(("state", "done"), _negated=True),
                                ("finished_at__isnull", True),
                                ("work__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="forget_receipt_done_keeps_no_hash",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("code__in", ["interrupted", "still_found"]), ("state", "failed")),
                            models.Q(models.Q(("state", "failed"), _negated=True), ("code", "")),
                            _connector="OR",
                        ),
                        name="forget_receipt_failed_says_why",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("advanced_at__isnull", True),
                                ("order_kind", ""),
                                models.Q(("state", "running"), _negated=True),
                            ),
                            models.Q(("advanced_at__isnull", False), ("order_kind__in", ["forget", "erase"])),
                            _connector="OR",
                        ),
                        name="forget_receipt_orders_advance",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            models.Q(("order_kind", ""), _negated=True), models.Q(("state", "done"), _negated=True)
                        ),
                        fields=("tenant", "end_user", "world", "order_kind"),
                        name="forget_receipt_one_open_order",
                        nulls_distinct=False,
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="forget_receipt_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF TG_OP = 'DELETE' OR OLD.state = 'done'\n                        OR (OLD.id, OLD.tenant_id, OLD.end_user_id, OLD.world_id, OLD.order_kind, OLD.asked, OLD.requested_by,\n                            OLD.echo_ids, OLD.echoes_searched, OLD.created_at)\n                        IS DISTINCT FROM\n                        (NEW.id, NEW.tenant_id, NEW.end_user_id, NEW.world_id, NEW.order_kind, NEW.asked, NEW.requested_by,\n                            NEW.echo_ids, NEW.echoes_searched, NEW.created_at)\n                        OR (NEW.order_kind = '' AND OLD.message_ids <> NEW.message_ids)\n                        OR OLD.message_ids <> NEW.message_ids[1:cardinality(OLD.message_ids)]\n                        OR EXISTS (\n                            SELECT 1 FROM jsonb_each_text(OLD.cleared) o\n                            WHERE coalesce((NEW.cleared ->> o.key)::bigint, -1) < o.value::bigint\n                        )\n                    THEN\n                        RAISE EXCEPTION 'forget_receipt_stays' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="1c4d3c8082290246103482a32d6d82103ee29a0c",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_forget_receipt_stays_5e1e9",
                            table="episodes_forgetreceipt",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="VectorCenter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "vector_space",
                    models.CharField(help_text="What made the vectors; those of others have no code.", max_length=216),
                ),
                ("center", pgvector.django.halfvec.HalfVectorField()),
                ("is_ready", models.BooleanField(db_default=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "end_user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tenancy.enduser"
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
                    models.CheckConstraint(
                        condition=models.Q(("vector_space", ""), _negated=True), name="vector_center_has_space"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="WorldPlayPolicy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "summary_ttl_days",
                    models.PositiveSmallIntegerField(
                        default=180, help_text="Days after which a summary is no longer found, 90 to 180."
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="play_policy", to="tenancy.world"
                    ),
                ),
            ],
            options={
                "verbose_name": "play policy",
                "verbose_name_plural": "play policies",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("summary_ttl_days__gte", 90), ("summary_ttl_days__lte", 180)),
                        name="play_policy_ttl_in_bounds",
                    )
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="play_policy_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.world_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tenancy_world p WHERE p.id = NEW.world_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'play_policy_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="fbe6bfee438f7556b7694eb8e1c9c95ba5efe722",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_play_policy_same_tenant_80936",
                            table="episodes_worldplaypolicy",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="EventBook",
            fields=[
                (
                    "conversation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="event_book",
                        serialize=False,
                        to="episodes.conversation",
                    ),
                ),
                (
                    "reached",
                    models.PositiveIntegerField(default=0, help_text="Up to this place messages belong to events."),
                ),
                (
                    "tried_seq",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="The conversation's last place when chunks were looked for; the same is not looked at twice.",
                    ),
                ),
                ("is_tried_closed", models.BooleanField(default=False, help_text="Whether the session was over then.")),
                ("rev", models.BigIntegerField(default=0)),
                (
                    "foreign",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Entries of the book that are nobody's event, and its other members, as they came.",
                    ),
                ),
                (
                    "updated_at",
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
            ],
            options={
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="event_book_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.conversation_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_conversation p WHERE p.id = NEW.conversation_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'event_book_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="452d625e590e6937223f82d0cce53851dcb3d0fe",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_event_book_same_tenant_85c0d",
                            table="episodes_eventbook",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ConversationAncestor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("through_seq", models.PositiveIntegerField()),
                (
                    "ancestor",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.conversation",
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ancestors",
                        to="episodes.conversation",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["ancestor", "through_seq"], name="conversation_ancestor_below")],
                "constraints": [
                    models.UniqueConstraint(fields=("conversation", "ancestor"), name="conversation_ancestor_unique"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("through_seq__gte", 1), models.Q(("conversation", models.F("ancestor")), _negated=True)
                        ),
                        name="conversation_ancestor_possible",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
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
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="EventNode",
            fields=[
                ("proposer", models.CharField(max_length=16)),
                ("model", models.CharField(blank=True, max_length=120)),
                ("prompt_version", models.CharField(blank=True, max_length=40)),
                (
                    "language",
                    models.CharField(blank=True, help_text="That most of the messages are in.", max_length=35),
                ),
                (
                    "answer_sealed",
                    models.BinaryField(default=b"", help_text="What the proposer answered, until it is applied."),
                ),
                (
                    "sealed_by",
                    models.PositiveSmallIntegerField(default=0, help_text="The number of the key of the ring."),
                ),
                ("input_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("output_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("cost_usd", models.DecimalField(blank=True, decimal_places=6, max_digits=10, null=True)),
                ("duration_ms", models.PositiveIntegerField(blank=True, null=True)),
                ("error_code", models.CharField(blank=True, max_length=40)),
                ("error_detail", models.CharField(blank=True, max_length=300)),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("first_seq", models.PositiveIntegerField()),
                ("last_seq", models.PositiveIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "waits to be extracted"),
                            ("extracting", "is being extracted"),
                            ("buffer", "in the lorebook"),
                            ("archiving", "in the lorebook, is being archived"),
                            ("archived", "archived"),
                            ("failed", "could not be extracted"),
                            ("stale", "rested on words that are gone; waits to be extracted again"),
                            ("forgotten", "rested on words that are gone"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                (
                    "triggered_by",
                    models.CharField(
                        choices=[
                            ("count", "enough was said"),
                            ("session_closed", "the session is over"),
                            ("manual", "a person asked for it"),
                            ("again", "what it rested on has changed"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "npc_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120),
                        blank=True,
                        default=list,
                        help_text="NPCs that took part: they know of it.",
                        size=None,
                    ),
                ),
                (
                    "evidence",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        default=list,
                        help_text="The messages that it rests on, by id.",
                        size=None,
                    ),
                ),
                ("raw_data", models.JSONField(blank=True, help_text="The extraction as it came.", null=True)),
                ("plot", models.JSONField(blank=True, help_text="What passed the gate of it.", null=True)),
                ("refusals", models.JSONField(blank=True, default=list, help_text="What did not, each with a code.")),
                (
                    "spans",
                    models.JSONField(blank=True, default=dict, help_text="Name or keyword to [message, start, end]."),
                ),
                ("edit", models.JSONField(blank=True, help_text="What a person wrote instead.", null=True)),
                ("title", models.CharField(blank=True, max_length=80)),
                ("display_text", models.TextField(blank=True)),
                ("tokens", models.PositiveIntegerField(default=0, help_text="o200k tokens of the card.")),
                (
                    "is_hidden",
                    models.BooleanField(
                        default=False, help_text="Hidden by a person: neither in the lorebook nor found."
                    ),
                ),
                (
                    "is_disabled",
                    models.BooleanField(default=False, help_text="Its entry was disabled by hand in the lorebook."),
                ),
                (
                    "rev",
                    models.BigIntegerField(default=0, help_text="Of its conversation's book, when it last changed."),
                ),
                (
                    "batch",
                    models.UUIDField(blank=True, editable=False, help_text="With which it is archived.", null=True),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("outages", models.PositiveSmallIntegerField(default=0, help_text="Of the model, while it waited.")),
                ("lease_until", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "wait_until",
                    models.DateTimeField(
                        blank=True, editable=False, help_text="After an outage of the model.", null=True
                    ),
                ),
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
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="episodes.conversation",
                    ),
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
                    "superseded_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="episodes.eventnode",
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
                "verbose_name": "event",
                "ordering": ["-created_at"],
                "indexes": [
                    models.Index(fields=["conversation", "first_seq"], name="event_node_by_conversation"),
                    models.Index(fields=["conversation", "rev"], name="event_node_by_rev"),
                    models.Index(fields=["tenant", "state", "-created_at"], name="event_node_by_state"),
                    models.Index(
                        condition=models.Q(("state__in", ["pending", "extracting", "stale", "archiving"])),
                        fields=["tenant", "created_at"],
                        name="event_node_open",
                    ),
                    models.Index(
                        condition=models.Q(("state", "buffer")),
                        fields=["conversation"],
                        include=("tokens",),
                        name="event_node_buffer",
                    ),
                    django.contrib.postgres.indexes.GinIndex(
                        fastupdate=False, fields=["evidence"], name="event_node_evidence"
                    ),
                    models.Index(fields=["tenant", "end_user", "state"], name="event_node_by_user"),
                ],
                "constraints": [
                    django.contrib.postgres.constraints.ExclusionConstraint(
                        condition=models.Q(("state__in", ("pending", "extracting", "buffer", "archiving", "archived"))),
                        expressions=[
                            (
                                models.Func(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("conversation_id"), "*", models.Value(2147483648)
                                        ),
                                        "+",
                                        models.F("first_seq"),
                                    ),
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("conversation_id"), "*", models.Value(2147483648)
                                        ),
                                        "+",
                                        models.F("last_seq"),
                                    ),
                                    models.Value("[]"),
                                    function="int8range",
                                    output_field=django.contrib.postgres.fields.ranges.BigIntegerRangeField(),
                                ),
                                "&&",
                            )
                        ],
                        name="event_node_range_free",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                [
                                    "pending",
                                    "extracting",
                                    "buffer",
                                    "archiving",
                                    "archived",
                                    "failed",
                                    "stale",
                                    "forgotten",
                                ],
                            )
                        ),
                        name="event_node_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("triggered_by__in", ["count", "session_closed", "manual", "again"])),
                        name="event_node_trigger_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("first_seq__gte", 1), ("last_seq__gte", models.F("first_seq"))),
                        name="event_node_range_ordered",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("plot__isnull", False),
                                ("state__in", ("buffer", "archiving", "archived")),
                                models.Q(("display_text", ""), _negated=True),
                                models.Q(("evidence", []), _negated=True),
                            ),
                            models.Q(
                                models.Q(("state__in", ("buffer", "archiving", "archived")), _negated=True),
                                ("display_text", ""),
                                ("edit__isnull", True),
                                ("plot__isnull", True),
                                ("raw_data__isnull", True),
                                ("refusals", []),
                                ("spans", {}),
                                ("title", ""),
                            ),
                            _connector="OR",
                        ),
                        name="event_node_words_where_shown",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("lease_until__isnull", False), ("state__in", ("extracting", "archiving"))),
                            models.Q(
                                models.Q(("state__in", ("extracting", "archiving")), _negated=True),
                                ("lease_until__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="event_node_leased_while_worked_on",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "extracting"), ("answer_sealed", b""), _connector="OR"),
                        name="event_node_keeps_no_answer",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "failed"), models.Q(("error_code", ""), _negated=True)),
                            models.Q(("state", "failed"), _negated=True),
                            _connector="OR",
                        ),
                        name="event_node_failure_is_told",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("archived_at__isnull", False), ("state", "archived")),
                            models.Q(models.Q(("state", "archived"), _negated=True), ("archived_at__isnull", True)),
                            _connector="OR",
                        ),
                        name="event_node_archived_has_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("batch__isnull", False), ("state", "archiving")),
                            models.Q(models.Q(("state", "archiving"), _negated=True), ("batch__isnull", True)),
                            _connector="OR",
                        ),
                        name="event_node_archiving_has_batch",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="event_node_moves",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."state" IS DISTINCT FROM (NEW."state"))',
                            func="\n            IF (OLD.state, NEW.state) NOT IN (('pending', 'extracting'), ('pending', 'stale'), ('pending', 'forgotten'), ('extracting', 'buffer'), ('extracting', 'pending'), ('extracting', 'failed'), ('extracting', 'stale'), ('extracting', 'forgotten'), ('buffer', 'archiving'), ('buffer', 'pending'), ('buffer', 'stale'), ('buffer', 'forgotten'), ('archiving', 'archived'), ('archiving', 'buffer'), ('archiving', 'stale'), ('archiving', 'forgotten'), ('archived', 'buffer'), ('archived', 'pending'), ('archived', 'stale'), ('archived', 'forgotten'), ('failed', 'pending'), ('failed', 'stale'), ('failed', 'forgotten'), ('stale', 'pending'), ('stale', 'forgotten'), ('forgotten', 'pending')) THEN\n                RAISE EXCEPTION 'event_node_moves' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="03c487796025042f454e057016a11797bcda4894",
                            operation='UPDATE OF "state"',
                            pgid="pgtrigger_event_node_moves_7bb11",
                            table="episodes_eventnode",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="event_node_of_living_messages",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE talk episodes_conversation;",
                            func="\n                    SELECT c.* INTO talk FROM episodes_conversation c WHERE c.id = NEW.conversation_id FOR SHARE;\n                    IF talk.tenant_id <> NEW.tenant_id OR talk.end_user_id <> NEW.end_user_id\n                        OR talk.world_id IS DISTINCT FROM NEW.world_id\n                    THEN\n                        RAISE EXCEPTION 'event_node_same_talk' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.state IN ('buffer', 'archiving', 'archived') AND EXISTS (\n                        SELECT 1 FROM unnest(NEW.evidence) AS proof (id)\n                        LEFT JOIN episodes_message m ON m.id = proof.id AND m.conversation_id = NEW.conversation_id\n                            AND m.forgotten_at IS NULL AND m.is_current AND m.seq > talk.gone_to\n                            AND m.seq BETWEEN NEW.first_seq AND NEW.last_seq\n                        WHERE m.id IS NULL\n                    ) THEN\n                        RAISE EXCEPTION 'event_node_of_living_messages' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="d0d9834b1c6735eed642c6b48fc620718be16519",
                            operation='INSERT OR UPDATE OF "state", "evidence", "conversation_id", "tenant_id", "end_user_id", "world_id"',
                            pgid="pgtrigger_event_node_of_living_messages_bf733",
                            table="episodes_eventnode",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="event_node_is_kept",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'event_node_is_kept' USING ERRCODE = 'check_violation';",
                            hash="d0c3491e931daaf7a5a653c71b137f401d716234",
                            operation="DELETE",
                            pgid="pgtrigger_event_node_is_kept_b2be3",
                            table="episodes_eventnode",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.CharField(max_length=500)),
                ("requested_by", models.CharField(max_length=200)),
                ("transaction_id", models.BigIntegerField(default=0, editable=False, help_text="Set by the database.")),
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
                (
                    "receipt",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="erasure", to="episodes.forgetreceipt"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "end_user", "-id"], name="erasure_by_user")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("reason", ""), _negated=True), name="erasure_has_reason")
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="erasure_in_this_transaction",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE erased tenancy_enduser;",
                            func="\n                    SELECT u.* INTO erased FROM tenancy_enduser u\n                        WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id FOR UPDATE;\n                    IF erased.id IS NULL THEN\n                        RAISE EXCEPTION 'erasure_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    NEW.transaction_id := pg_current_xact_id()::text::bigint;\n                    IF NEW.world_id IS NOT NULL THEN\n                        IF NOT EXISTS (\n                            SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id\n                        ) THEN\n                            RAISE EXCEPTION 'erasure_same_tenant' USING ERRCODE = 'check_violation';\n                        END IF;\n                        RETURN NEW;\n                    END IF;\n                    PERFORM set_config('memory37.erased_user', erased.id::text, true),\n                        set_config('memory37.erased_name', erased.external_id, true);\n                    UPDATE tenancy_enduser SET erased_in = NEW.transaction_id, external_id = CASE\n                            WHEN erased.erased_in IS NULL\n                            THEN 'erased-' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)\n                            ELSE erased.external_id END\n                        WHERE id = erased.id;\n                    RETURN NEW;\n                ",
                            hash="a456cce35c1c97b65fbc6ad4c5130aef4b2c7088",
                            operation="INSERT",
                            pgid="pgtrigger_erasure_in_this_transaction_c5385",
                            table="episodes_erasure",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="erasure_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'erasure_append_only' USING ERRCODE = 'check_violation';",
                            hash="69aceee98fe62f6fb4e7ed90e2ec07414da28c77",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_erasure_append_only_c4de6",
                            table="episodes_erasure",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.PositiveIntegerField(help_text="Place in the conversation, from 1, without gaps.")),
                (
                    "alternative",
                    models.PositiveIntegerField(
                        db_default=0,
                        default=0,
                        editable=False,
                        help_text="Which alternative of its place it is; 0 came first.",
                    ),
                ),
                (
                    "is_current",
                    models.BooleanField(
                        db_default=True,
                        default=True,
                        editable=False,
                        help_text="The one that is read, of all alternatives of a place.",
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("user", "User"), ("assistant", "Assistant"), ("system", "System")], max_length=16
                    ),
                ),
                ("content", models.TextField()),
                ("npc_id", models.CharField(blank=True, max_length=120)),
                ("session_id", models.CharField(blank=True, max_length=200)),
                (
                    "language",
                    models.CharField(help_text="BCP 47; by script where the runtime did not say.", max_length=35),
                ),
                (
                    "frame",
                    models.CharField(
                        choices=[
                            ("out_of_character", "Out Of Character"),
                            ("in_character", "In Character"),
                            ("unknown", "Unknown"),
                        ],
                        default="unknown",
                        max_length=16,
                    ),
                ),
                (
                    "memory_type",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("fact", "Fact"),
                            ("event", "Event"),
                            ("preference", "Preference"),
                            ("emotion", "Emotion"),
                            ("other", "Other"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "mood",
                    models.CharField(
                        blank=True,
                        db_default="",
                        help_text="Of whoever speaks, in the runtime's own word.",
                        max_length=40,
                    ),
                ),
                ("response_description", models.TextField(blank=True)),
                ("client_message_id", models.CharField(blank=True, max_length=200, null=True)),
                (
                    "body_hash",
                    models.BinaryField(
                        help_text="SHA-256 of what came under the client's id: a repeat is told from a clash.",
                        max_length=32,
                        null=True,
                    ),
                ),
                (
                    "sent_at",
                    models.DateTimeField(help_text="When it was said; of imported histories the original time."),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("forgotten_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "alternative_of",
                    models.ForeignKey(
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
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="episodes.conversation",
                    ),
                ),
                (
                    "reply_to",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.message",
                    ),
                ),
                (
                    "revision_of",
                    models.ForeignKey(
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
                        models.F("tenant"),
                        models.F("session_id"),
                        models.F("npc_id"),
                        models.OrderBy(
                            django.db.models.functions.comparison.Coalesce("alternative_of_id", "id"), descending=True
                        ),
                        condition=models.Q(("forgotten_at__isnull", True), ("is_current", True)),
                        name="message_by_place",
                    ),
                    models.Index(
                        condition=models.Q(("role", "user"), ("sent_at__lt", models.F("created_at"))),
                        fields=["conversation", "sent_at"],
                        include=("created_at",),
                        name="message_told_late",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("conversation", "seq", "alternative"), name="message_alternative_unique"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("alternative__gt", 0), ("is_current", True)),
                        fields=("conversation", "seq"),
                        name="message_current_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("alternative", 0), ("alternative_of__isnull", True), ("revision_of__isnull", True)
                            ),
                            models.Q(("alternative__gt", 0), ("alternative_of__isnull", False)),
                            _connector="OR",
                        ),
                        name="message_alternative_has_first",
                    ),
                    models.UniqueConstraint(
                        fields=("conversation", "client_message_id"), name="message_client_id_unique"
                    ),
                    models.CheckConstraint(condition=models.Q(("seq__gte", 1)), name="message_seq_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["user", "assistant", "system"])), name="message_role_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("frame__in", ["out_of_character", "in_character", "unknown"])),
                        name="message_frame_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("memory_type__in", ["", "fact", "event", "preference", "emotion", "other"])
                        ),
                        name="message_memory_type_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("content", ""), _negated=True), name="message_content_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("body_hash__isnull", True), ("client_message_id__isnull", True)),
                            models.Q(
                                ("body_hash__isnull", False),
                                ("client_message_id__isnull", False),
                                models.Q(("client_message_id", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="message_client_id_has_hash",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("sent_at__gte", datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.UTC)),
                            (
                                "sent_at__lte",
                                django.db.models.expressions.CombinedExpression(
                                    models.F("created_at"), "+", models.Value(datetime.timedelta(seconds=300))
                                ),
                            ),
                        ),
                        name="message_sent_at_possible",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
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
                    pgtrigger.compiler.Trigger(
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
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="TalkSummary",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("npc_id", models.CharField(blank=True, max_length=120)),
                ("session_id", models.CharField(blank=True, max_length=200)),
                ("text", models.TextField(blank=True, db_default="", default="")),
                (
                    "evidence",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), db_default=[], default=list, size=None
                    ),
                ),
                (
                    "through_seq",
                    models.PositiveIntegerField(
                        db_default=0, default=0, help_text="It covers the talk up to this place."
                    ),
                ),
                (
                    "tried_seq",
                    models.PositiveIntegerField(
                        db_default=0,
                        default=0,
                        help_text="Up to this place a model was asked; beyond `through_seq`: in vain.",
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        blank=True, db_default="", default="", help_text="Why the last try failed.", max_length=32
                    ),
                ),
                ("model", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("prompt_version", models.PositiveSmallIntegerField(help_text="Of config/prompts/*/summary.yaml.")),
                ("claim", models.UUIDField(editable=False, help_text="The worker that writes it.", null=True)),
                ("claimed_until", models.DateTimeField(editable=False, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.conversation",
                    ),
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
                "indexes": [
                    models.Index(fields=["tenant", "end_user", "session_id", "npc_id"], name="talk_summary_by_user")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("conversation", "npc_id", "session_id"), name="talk_summary_one_a_talk"
                    ),
                    models.CheckConstraint(
                        condition=django.db.models.lookups.LessThanOrEqual(
                            django.db.models.functions.text.Length("text"), 1000
                        ),
                        name="talk_summary_is_short",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("evidence", []), ("text", "")),
                            models.Q(models.Q(("text", ""), _negated=True), models.Q(("evidence", []), _negated=True)),
                            _connector="OR",
                        ),
                        name="talk_summary_has_evidence",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("claim__isnull", True), ("claimed_until__isnull", True)),
                            models.Q(("claim__isnull", False), ("claimed_until__isnull", False)),
                            _connector="OR",
                        ),
                        name="talk_summary_claim_ends",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="talk_summary_of_living_messages",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE talk episodes_conversation;",
                            func="\n                    SELECT c.* INTO talk FROM episodes_conversation c WHERE c.id = NEW.conversation_id FOR SHARE;\n                    IF talk.tenant_id <> NEW.tenant_id OR talk.end_user_id <> NEW.end_user_id THEN\n                        RAISE EXCEPTION 'talk_summary_same_user' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF talk.trunk_id IS NOT NULL THEN\n                        PERFORM 1 FROM episodes_conversation c\n                        WHERE c.id IN (\n                            SELECT a.ancestor_id FROM episodes_conversationancestor a WHERE a.conversation_id = talk.id\n                        )\n                        ORDER BY c.id FOR SHARE;\n                    END IF;\n                    IF EXISTS (\n                        SELECT 1 FROM unnest(NEW.evidence) AS proof (id)\n                        LEFT JOIN episodes_message m ON m.id = proof.id\n                            AND m.forgotten_at IS NULL AND m.is_current AND m.seq > talk.gone_to\n                            AND (m.conversation_id = NEW.conversation_id OR EXISTS (\n                                SELECT 1 FROM episodes_conversationancestor a\n                                WHERE a.conversation_id = NEW.conversation_id AND a.ancestor_id = m.conversation_id\n                                    AND m.seq <= a.through_seq\n                            ))\n                        WHERE m.id IS NULL\n                    ) THEN\n                        RAISE EXCEPTION 'talk_summary_of_living_messages' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="b23954bd051893d15d66cfe398f10eeac21ff06b",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_talk_summary_of_living_messages_88884",
                            table="episodes_talksummary",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="MessagePassage",
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
                ("seq", models.PositiveIntegerField()),
                (
                    "embedder",
                    models.CharField(
                        blank=True,
                        help_text="Name and dimensions of what made the vector; others are never compared.",
                        max_length=216,
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.conversation",
                    ),
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
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="passage", to="episodes.message"
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
                        fastupdate=False, fields=["lexemes"], name="message_passage_lexemes"
                    ),
                    django.contrib.postgres.indexes.GinIndex(
                        condition=models.Q(
                            django.db.models.lookups.Exact(
                                django.db.models.functions.math.Mod(
                                    models.Func(
                                        models.F("id"), function="hashint8", output_field=models.IntegerField()
                                    ),
                                    16,
                                    output_field=models.IntegerField(),
                                ),
                                0,
                            )
                        ),
                        fastupdate=False,
                        fields=["lexemes"],
                        name="message_passage_sample",
                    ),
                    models.Index(
                        fields=["tenant", "end_user", "created_at"],
                        include=("embedder",),
                        name="message_passage_by_user",
                    ),
                    models.Index(
                        condition=models.Q(("embedding_state", "pending")),
                        fields=["tenant", "id"],
                        name="message_passage_pending",
                    ),
                    models.Index(
                        condition=models.Q(("embedding_state", "failed")),
                        fields=["tenant", "id"],
                        name="message_passage_failed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("conversation", "seq"), name="message_passage_seq_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("embedding_state__in", ["pending", "done", "failed"])),
                        name="message_passage_embedding_state_known",
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
                        name="message_passage_done_has_vector",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="message_passage_code_follows_vector",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."embedder" IS DISTINCT FROM (NEW."embedder") OR OLD."embedding" IS DISTINCT FROM (NEW."embedding"))',
                            func="\n    DELETE FROM episodes_vectorcode WHERE passage_id = NEW.id;\n    INSERT INTO episodes_vectorcode\n        (passage_id, tenant_id, end_user_id, conversation_id, npc_id, role, sent_at, code)\n    SELECT NEW.id, NEW.tenant_id, NEW.end_user_id, NEW.conversation_id, m.npc_id, m.role, m.sent_at,\n           binary_quantize(NEW.embedding - c.center)\n    FROM episodes_vectorcenter c\n    JOIN episodes_message m ON m.id = NEW.message_id\n    WHERE c.end_user_id = NEW.end_user_id AND c.tenant_id = NEW.tenant_id AND c.vector_space = NEW.embedder\n        AND vector_dims(NEW.embedding) = vector_dims(c.center);\n    RETURN NULL;\n",
                            hash="3397896c2fe0d94675f3d99a2659735518c4ee69",
                            operation='UPDATE OF "embedding", "embedder"',
                            pgid="pgtrigger_message_passage_code_follows_vector_8bf70",
                            table="episodes_messagepassage",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="message_passage_code_of_new",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NEW."embedding" IS NOT NULL)',
                            func="\n    DELETE FROM episodes_vectorcode WHERE passage_id = NEW.id;\n    INSERT INTO episodes_vectorcode\n        (passage_id, tenant_id, end_user_id, conversation_id, npc_id, role, sent_at, code)\n    SELECT NEW.id, NEW.tenant_id, NEW.end_user_id, NEW.conversation_id, m.npc_id, m.role, m.sent_at,\n           binary_quantize(NEW.embedding - c.center)\n    FROM episodes_vectorcenter c\n    JOIN episodes_message m ON m.id = NEW.message_id\n    WHERE c.end_user_id = NEW.end_user_id AND c.tenant_id = NEW.tenant_id AND c.vector_space = NEW.embedder\n        AND vector_dims(NEW.embedding) = vector_dims(c.center);\n    RETURN NULL;\n",
                            hash="f3a5aed1c4d9ca29905f96399286592180c2bed1",
                            operation="INSERT",
                            pgid="pgtrigger_message_passage_code_of_new_2421e",
                            table="episodes_messagepassage",
                            when="AFTER",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="message_passage_code_goes",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF EXISTS (SELECT 1 FROM gone g JOIN episodes_vectorcenter c ON c.end_user_id = g.end_user_id) THEN\n                DELETE FROM episodes_vectorcode c USING gone g WHERE c.passage_id = g.id;\n                DELETE FROM episodes_vectorcenter c\n                USING (SELECT DISTINCT tenant_id, end_user_id FROM gone) g\n                WHERE c.tenant_id = g.tenant_id AND c.end_user_id = g.end_user_id AND NOT EXISTS (\n                    SELECT 1 FROM episodes_messagepassage p\n                    WHERE p.tenant_id = g.tenant_id AND p.end_user_id = g.end_user_id\n                );\n            END IF;\n            RETURN NULL;\n        ",
                            hash="5a104e72467b69ab05e2210766096904b4b1185b",
                            level="STATEMENT",
                            operation="DELETE",
                            pgid="pgtrigger_message_passage_code_goes_77881",
                            referencing="REFERENCING OLD TABLE AS gone ",
                            table="episodes_messagepassage",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EventName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120)),
                ("folded", models.CharField(help_text="As names are compared: normalised, by stems.", max_length=160)),
                ("type", models.CharField(blank=True, help_text="Of an entity; empty for a keyword.", max_length=40)),
                ("entity_id", models.BigIntegerField(blank=True, null=True)),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.conversation",
                    ),
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
                    "node",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="names",
                        to="episodes.eventnode",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tenant", "end_user", "folded"], name="event_name_by_user"),
                    models.Index(
                        condition=models.Q(("entity_id__isnull", False)),
                        fields=["tenant", "end_user", "entity_id"],
                        name="event_name_by_entity",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("node", "folded"), name="event_name_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("name", ""), _negated=True), models.Q(("folded", ""), _negated=True)
                        ),
                        name="event_name_not_empty",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="event_name_keeps_together",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.node_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_eventnode p WHERE p.id = NEW.node_id AND p.tenant_id = NEW.tenant_id AND p.end_user_id = NEW.end_user_id AND p.conversation_id = NEW.conversation_id)) THEN\n                RAISE EXCEPTION 'event_name_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="70f82f31eb611d12b983547e79015d4e82914102",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_event_name_keeps_together_90e40",
                            table="episodes_eventname",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="EventEdit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("author", models.CharField(help_text="A user, or the key that brought the book.", max_length=150)),
                (
                    "change",
                    models.JSONField(
                        blank=True, help_text="What was written, by field. Null: it was forgotten.", null=True
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
                    "node",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="edits",
                        to="episodes.eventnode",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [models.Index(fields=["node", "id"], name="event_edit_by_node")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("author", ""), _negated=True), name="event_edit_has_author"
                    )
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="event_edit_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.node_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_eventnode p WHERE p.id = NEW.node_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'event_edit_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="600aff5f6eaff08b1604bd73b75ecc905a3d9ed0",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_event_edit_same_tenant_44452",
                            table="episodes_eventedit",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="event_edit_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept episodes_eventedit;",
                            func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.change := OLD.change;\n\n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'event_edit_append_only' USING ERRCODE = 'check_violation';\n        ",
                            hash="d47a95bf711362d6b89c92ad375355bc47b736cc",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_event_edit_append_only_07345",
                            table="episodes_eventedit",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EventPassage",
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
                    "npc_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120), blank=True, default=list, size=None
                    ),
                ),
                (
                    "embedder",
                    models.CharField(
                        blank=True,
                        help_text="Name and dimensions of what made the vector; others are never compared.",
                        max_length=216,
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.conversation",
                    ),
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
                    "node",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="passage", to="episodes.eventnode"
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
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fastupdate=False, fields=["lexemes"], name="event_passage_lexemes"
                    ),
                    models.Index(fields=["tenant", "end_user"], include=("embedder",), name="event_passage_by_user"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("embedding_state__in", ["pending", "done", "failed"])),
                        name="event_passage_embedding_state_known",
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
                        name="event_passage_done_has_vector",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="event_passage_keeps_together",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.node_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_eventnode p WHERE p.id = NEW.node_id AND p.tenant_id = NEW.tenant_id AND p.end_user_id = NEW.end_user_id AND p.conversation_id = NEW.conversation_id)) THEN\n                RAISE EXCEPTION 'event_passage_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="2ae2ce1f6193bf8ec0aecc506809b8ee9b38be57",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_event_passage_keeps_together_d3b5a",
                            table="episodes_eventpassage",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="event_passage_vector_where_archived",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (NEW."embedding" IS NOT NULL)',
                            func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM episodes_eventnode n WHERE n.id = NEW.node_id AND n.state = 'archived'\n                    ) THEN\n                        RAISE EXCEPTION 'event_passage_vector_where_archived' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="d303e504a917d4af6269b8cfec370ddc919cd4b8",
                            operation='INSERT OR UPDATE OF "embedding"',
                            pgid="pgtrigger_event_passage_vector_where_archived_48d94",
                            table="episodes_eventpassage",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EventProposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Waits for a decision"),
                            ("accepted", "The event follows it"),
                            ("declined", "The entry tells the event again"),
                            ("withdrawn", "Replaced by a newer edit, or gone with its event"),
                        ],
                        default="open",
                        max_length=9,
                    ),
                ),
                ("author", models.CharField(help_text="A user, or the key that brought the book.", max_length=150)),
                ("seen_rev", models.BigIntegerField(help_text="Of the entry that was edited.")),
                ("rev", models.BigIntegerField(help_text="Of the event when the edit arrived.")),
                ("before", models.TextField(blank=True, help_text="The event's summary. Empty: it was forgotten.")),
                (
                    "after",
                    models.TextField(
                        blank=True, help_text="The entry's text, as people wrote it. Empty: it was forgotten."
                    ),
                ),
                ("decided_by", models.CharField(blank=True, max_length=150)),
                ("reason", models.CharField(blank=True, max_length=500)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("decided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "node",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="proposals",
                        to="episodes.eventnode",
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
                "verbose_name": "proposal for an event",
                "verbose_name_plural": "proposals for events",
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["tenant", "state", "-id"], name="event_proposal_by_state"),
                    models.Index(fields=["node", "id"], name="event_proposal_by_node"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["open", "accepted", "declined", "withdrawn"])),
                        name="event_proposal_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("author", ""), _negated=True), name="event_proposal_has_author"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "open"), _negated=True),
                            models.Q(("after", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="event_proposal_open_has_words",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("decided_at__isnull", False),
                                ("state__in", ("accepted", "declined")),
                                models.Q(("decided_by", ""), _negated=True),
                            ),
                            models.Q(
                                models.Q(("state__in", ("accepted", "declined")), _negated=True),
                                ("decided_at__isnull", True),
                                ("decided_by", ""),
                            ),
                            _connector="OR",
                        ),
                        name="event_proposal_decided_by_somebody",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "open")), fields=("node",), name="event_proposal_one_open"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="event_proposal_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.node_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_eventnode p WHERE p.id = NEW.node_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'event_proposal_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="82fdf0b4837fd44d92ba973d9a8058db43fa2331",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_event_proposal_same_tenant_7a9b3",
                            table="episodes_eventproposal",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="event_proposal_moves",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."state" IS DISTINCT FROM (NEW."state"))',
                            func="\n            IF (OLD.state, NEW.state) NOT IN (('open', 'accepted'), ('open', 'declined'), ('open', 'withdrawn')) THEN\n                RAISE EXCEPTION 'event_proposal_moves' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="faefc8933cbe56eac01c3700f7f223f9f168e793",
                            operation='UPDATE OF "state"',
                            pgid="pgtrigger_event_proposal_moves_805e2",
                            table="episodes_eventproposal",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
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
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.conversation",
                    ),
                ),
                (
                    "deselected",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.message",
                    ),
                ),
                (
                    "selected",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.message",
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
                "indexes": [models.Index(fields=["tenant", "conversation", "-id"], name="message_change_by_talk")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["edit", "swipe", "select"])), name="message_change_kind_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("deselected", models.F("selected")), _negated=True),
                        name="message_change_changes",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="message_change_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'message_change_append_only' USING ERRCODE = 'check_violation';",
                            hash="c9d604faac78f79e01fc6ff5a492d1923e440604",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_message_change_append_only_d508c",
                            table="episodes_messagechange",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="MessageSnippet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[("writing", "Writing"), ("ready", "Ready"), ("failed", "Failed")],
                        default="writing",
                        max_length=8,
                    ),
                ),
                ("text", models.TextField(blank=True, db_default="", default="")),
                (
                    "code",
                    models.CharField(
                        blank=True, db_default="", default="", help_text="Why there is none.", max_length=32
                    ),
                ),
                ("model", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("prompt_version", models.PositiveSmallIntegerField(help_text="Of config/prompts/*/snippet.yaml.")),
                ("claim", models.UUIDField(editable=False, help_text="The worker that writes it.", null=True)),
                ("claimed_until", models.DateTimeField(editable=False, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="snippet", to="episodes.message"
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
                        condition=models.Q(("state", "failed")), fields=["tenant", "id"], name="message_snippet_failed"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["writing", "ready", "failed"])),
                        name="message_snippet_state_known",
                    ),
                    models.CheckConstraint(
                        condition=django.db.models.lookups.LessThanOrEqual(
                            django.db.models.functions.text.Length("text"), 120
                        ),
                        name="message_snippet_is_short",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("claim__isnull", True),
                                ("claimed_until__isnull", True),
                                ("code", ""),
                                ("state", "ready"),
                                models.Q(("text", ""), _negated=True),
                            ),
                            models.Q(
                                ("claim__isnull", True),
                                ("claimed_until__isnull", True),
                                ("state", "failed"),
                                ("text", ""),
                                models.Q(("code", ""), _negated=True),
                            ),
                            models.Q(
                                ("claim__isnull", False),
                                ("claimed_until__isnull", False),
                                ("code", ""),
                                ("state", "writing"),
                                ("text", ""),
                            ),
                            _connector="OR",
                        ),
                        name="message_snippet_state_holds",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="snippet_of_living_message",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE told episodes_message; talk episodes_conversation;",
                            func="\n                    SELECT c.* INTO talk FROM episodes_conversation c\n                        WHERE c.id = (SELECT m.conversation_id FROM episodes_message m WHERE m.id = NEW.message_id)\n                        FOR SHARE;\n                    SELECT m.* INTO told FROM episodes_message m WHERE m.id = NEW.message_id FOR SHARE;\n                    IF told.id IS NULL OR told.tenant_id <> NEW.tenant_id THEN\n                        RAISE EXCEPTION 'snippet_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF told.forgotten_at IS NOT NULL OR NOT told.is_current OR told.seq <= talk.gone_to THEN\n                        RAISE EXCEPTION 'snippet_of_living_message' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF length(told.content) <= 200 OR told.role = 'system' OR told.memory_type IN ('fact', 'event') THEN\n                        RAISE EXCEPTION 'snippet_of_long_message' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="332c8fffb5895c11f37e34851556294a00a3bfc2",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_snippet_of_living_message_7a6b3",
                            table="episodes_messagesnippet",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="VectorCode",
            fields=[
                (
                    "passage",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="episodes.messagepassage",
                    ),
                ),
                ("npc_id", models.CharField(blank=True, max_length=120)),
                (
                    "role",
                    models.CharField(
                        choices=[("user", "User"), ("assistant", "Assistant"), ("system", "System")], max_length=16
                    ),
                ),
                ("sent_at", models.DateTimeField()),
                ("code", episodes.embedding.models.vector_codes.BitVaryingField()),
                (
                    "conversation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="episodes.conversation",
                    ),
                ),
                (
                    "end_user",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tenancy.enduser",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["tenant", "end_user", "passage"],
                        include=("conversation", "npc_id", "role", "sent_at", "code"),
                        name="vector_code_by_user",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Campaign",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("external_id", models.CharField(help_text="The engine's id, unique in the world.", max_length=120)),
                ("title", models.CharField(blank=True, max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("active", "Active: takes summaries and events"),
                            ("finished", "Finished: still found, takes nothing more"),
                            ("archived", "Archived: kept, but not found"),
                        ],
                        default="active",
                        max_length=8,
                    ),
                ),
                ("last_seq", models.PositiveIntegerField(db_default=0, editable=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("finished_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("archived_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("restored_at", models.DateTimeField(blank=True, editable=False, null=True)),
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
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="campaign_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.world_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tenancy_world p WHERE p.id = NEW.world_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'campaign_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="1eb70d5180a490c931f634885696e754a4fb194d",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_campaign_same_tenant_bbe80",
                            table="episodes_campaign",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="Party",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("external_id", models.CharField(help_text="The engine's id, unique in the world.", max_length=120)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="parties",
                        to="episodes.campaign",
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
                "verbose_name_plural": "parties",
                "indexes": [models.Index(fields=["tenant", "campaign"], name="party_by_campaign")],
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "world", "external_id"), name="party_external_id_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("external_id", ""), _negated=True), name="party_external_id_not_empty"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="party_keeps_together",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.campaign_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_campaign p WHERE p.id = NEW.campaign_id AND p.tenant_id = NEW.tenant_id AND p.world_id = NEW.world_id)) THEN\n                RAISE EXCEPTION 'party_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="c905a8afec90419f10d7d26da2365196c341f527",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_party_keeps_together_c6fdc",
                            table="episodes_party",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Flag",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120)),
                ("value", models.JSONField(help_text="A text, a number or a boolean.")),
                (
                    "is_set",
                    models.BooleanField(
                        db_default=True, default=True, help_text="False: a rollback undid all that ever set it."
                    ),
                ),
                ("set_at", models.DateTimeField(help_text="When what set it happened.")),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="flags",
                        to="episodes.campaign",
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
                    "party",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="flags",
                        to="episodes.party",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "campaign", "party", "name"), name="flag_unique", nulls_distinct=False
                    ),
                    models.CheckConstraint(condition=models.Q(("name", ""), _negated=True), name="flag_name_not_empty"),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="flag_keeps_together",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.campaign_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_campaign p WHERE p.id = NEW.campaign_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.party_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_party p WHERE p.id = NEW.party_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) THEN\n                RAISE EXCEPTION 'flag_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="ba1619f0a7df6e62366ac794281664fe01fd5578",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_flag_keeps_together_9def7",
                            table="episodes_flag",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Scene",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("external_id", models.CharField(help_text="The engine's id, unique in the campaign.", max_length=120)),
                ("location_id", models.CharField(help_text="Where it plays, by its latest summary.", max_length=120)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scenes",
                        to="episodes.campaign",
                    ),
                ),
                (
                    "party",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scenes",
                        to="episodes.party",
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
                        fields=("tenant", "campaign", "external_id"), name="scene_external_id_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("external_id", ""), _negated=True), name="scene_external_id_not_empty"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="scene_keeps_together",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.campaign_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_campaign p WHERE p.id = NEW.campaign_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.party_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_party p WHERE p.id = NEW.party_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) THEN\n                RAISE EXCEPTION 'scene_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="261df4b505b3d36436b9bceb48e543ceaa7d5e31",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_scene_keeps_together_d9ef4",
                            table="episodes_scene",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
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
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checkpoints",
                        to="episodes.campaign",
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
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
                    "scene",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ends",
                        to="episodes.scene",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "campaign", "-id"], name="checkpoint_by_campaign")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["engine", "scene_end", "before_rollback", "after_rollback"])),
                        name="checkpoint_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("label", ""), _negated=True), models.Q(("created_by", ""), _negated=True)
                        ),
                        name="checkpoint_says_who_and_what",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "scene_end"), ("scene__isnull", False)),
                            models.Q(models.Q(("kind", "scene_end"), _negated=True), ("scene__isnull", True)),
                            _connector="OR",
                        ),
                        name="checkpoint_scene_where_it_ended",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
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
                    pgtrigger.compiler.Trigger(
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
                ],
            },
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
                (
                    "before",
                    models.ForeignKey(
                        db_index=False,
                        help_text="Where play stood: its undo.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.checkpoint",
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rollbacks",
                        to="episodes.campaign",
                    ),
                ),
                (
                    "target",
                    models.ForeignKey(
                        db_index=False,
                        help_text="Where it led.",
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
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "campaign", "-id"], name="rollback_by_campaign")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", ""), _negated=True), models.Q(("created_by", ""), _negated=True)
                        ),
                        name="rollback_says_who_and_why",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("target", models.F("before")), _negated=True),
                        name="rollback_leads_elsewhere",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
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
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="EpisodicSummary",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "summary_id",
                    models.CharField(
                        help_text="The engine's id, unique in the world among what holds.", max_length=120
                    ),
                ),
                ("seq", models.PositiveIntegerField(help_text="Place in the campaign, shared with events.")),
                (
                    "body",
                    models.JSONField(help_text="As it was sent, in the form of schemas/episodic_summary.schema.json."),
                ),
                (
                    "body_hash",
                    models.BinaryField(
                        help_text="SHA-256 of the body: a repeat is told from another body.", max_length=32
                    ),
                ),
                ("happened_at", models.DateTimeField()),
                ("location_id", models.CharField(max_length=120)),
                ("event", models.CharField(max_length=64)),
                ("outcome", models.CharField(max_length=64)),
                ("notes", models.TextField()),
                ("notes_tokens", models.PositiveSmallIntegerField()),
                ("language", models.CharField(max_length=16)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "expired_at",
                    models.DateTimeField(blank=True, help_text="Since then it is no longer found.", null=True),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="summaries",
                        to="episodes.campaign",
                    ),
                ),
                (
                    "checkpoint",
                    models.ForeignKey(
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
                    "party",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="summaries",
                        to="episodes.party",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
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
                (
                    "scene",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="summaries", to="episodes.scene"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "episodic summaries",
                "indexes": [
                    models.Index(fields=["tenant", "party", "-happened_at", "-seq"], name="summary_by_party"),
                    models.Index(
                        condition=models.Q(("expired_at__isnull", True)),
                        fields=["tenant", "world", "created_at"],
                        name="summary_not_expired",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_by__isnull", True)),
                        fields=("tenant", "world", "summary_id"),
                        name="summary_id_unique",
                    ),
                    models.UniqueConstraint(fields=("tenant", "campaign", "seq"), name="summary_seq_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("summary_id", ""), _negated=True), name="summary_id_not_empty"
                    ),
                    models.CheckConstraint(condition=models.Q(("notes_tokens__lte", 40)), name="summary_notes_short"),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="summary_keeps_together",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.campaign_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_campaign p WHERE p.id = NEW.campaign_id AND p.tenant_id = NEW.tenant_id AND p.world_id = NEW.world_id)) OR (NEW.party_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_party p WHERE p.id = NEW.party_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) OR (NEW.scene_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_scene p WHERE p.id = NEW.scene_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id AND p.party_id = NEW.party_id)) THEN\n                RAISE EXCEPTION 'summary_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="ae74ed00e1a78dafcc4cdf118ec4d49d2ec95908",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_summary_keeps_together_ce5bf",
                            table="episodes_episodicsummary",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
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
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="EventFact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "event_id",
                    models.CharField(
                        help_text="The engine's id, unique in the world among what holds.", max_length=120
                    ),
                ),
                ("seq", models.PositiveIntegerField(help_text="Place in the campaign, shared with summaries.")),
                ("kind", models.CharField(max_length=64)),
                ("body", models.JSONField()),
                ("body_hash", models.BinaryField(max_length=32)),
                ("happened_at", models.DateTimeField()),
                ("notes", models.TextField(blank=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="episodes.campaign",
                    ),
                ),
                (
                    "checkpoint",
                    models.ForeignKey(
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
                    "party",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="episodes.party",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
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
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_by__isnull", True)),
                        fields=("tenant", "world", "event_id"),
                        name="event_id_unique",
                    ),
                    models.UniqueConstraint(fields=("tenant", "campaign", "seq"), name="event_seq_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("event_id", ""), _negated=True), name="event_id_not_empty"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="event_keeps_together",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.campaign_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_campaign p WHERE p.id = NEW.campaign_id AND p.tenant_id = NEW.tenant_id AND p.world_id = NEW.world_id)) OR (NEW.party_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_party p WHERE p.id = NEW.party_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id)) THEN\n                RAISE EXCEPTION 'event_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="dadd2b68513f16bf224095333350ba8295c8550f",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_event_keeps_together_14bfc",
                            table="episodes_eventfact",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
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
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="PartyMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "joined_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "checkpoint",
                    models.ForeignKey(
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
                    "party",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="members",
                        to="episodes.party",
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
                    "undone_by",
                    models.ForeignKey(
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
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "end_user"], name="party_member_by_user")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_by__isnull", True)),
                        fields=("tenant", "party", "end_user"),
                        name="party_member_unique",
                    )
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="party_member_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.party_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_party p WHERE p.id = NEW.party_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.end_user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tenancy_enduser p WHERE p.id = NEW.end_user_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'party_member_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="a8359c86266e3e500c09235fa4d4a1270bb52f99",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_party_member_same_tenant_79f0e",
                            table="episodes_partymember",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="ArtCard",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("image_id", models.CharField(help_text="The engine's id, unique in the world.", max_length=200)),
                ("scene_id", models.CharField(max_length=200)),
                (
                    "campaign_id",
                    models.CharField(
                        blank=True,
                        db_default="",
                        help_text="The engine's id of the scene's campaign; empty: shown for every scene of the id.",
                        max_length=120,
                    ),
                ),
                ("cdn_url", models.CharField(blank=True, max_length=2000)),
                ("prompt_text", models.TextField()),
                (
                    "npc_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120), blank=True, default=list, size=None
                    ),
                ),
                (
                    "location_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120), blank=True, default=list, size=None
                    ),
                ),
                (
                    "visual_tags",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), size=None),
                ),
                (
                    "added_tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64),
                        blank=True,
                        default=list,
                        help_text="Must-have markers that were missing.",
                        size=None,
                    ),
                ),
                (
                    "tag_source",
                    models.CharField(
                        choices=[("given", "Given"), ("model", "Model"), ("keywords", "Keywords")], max_length=16
                    ),
                ),
                ("style_preset", models.CharField(max_length=120)),
                ("style_seed", models.BigIntegerField(blank=True, null=True)),
                (
                    "is_safe",
                    models.BooleanField(
                        help_text="What the studio's moderation said; unsafe ones are never suggested from."
                    ),
                ),
                (
                    "embedding_model",
                    models.CharField(
                        blank=True,
                        db_default="",
                        help_text="What made the vector; empty where none was sent.",
                        max_length=120,
                    ),
                ),
                (
                    "embedding_vec",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.FloatField(),
                        blank=True,
                        help_text="As it was sent. Nothing is searched by it here, and no model is shown it.",
                        null=True,
                        size=None,
                    ),
                ),
                (
                    "body_hash",
                    models.BinaryField(
                        help_text="SHA-256 of what was sent: a repeat is told from a clash.", max_length=32
                    ),
                ),
                ("made_at", models.DateTimeField()),
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
                        related_name="+",
                        to="tenancy.world",
                    ),
                ),
                (
                    "checkpoint",
                    models.ForeignKey(
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
                (
                    "undone_by",
                    models.ForeignKey(
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
            ],
            options={
                "indexes": [
                    models.Index(fields=["tenant", "world", "scene_id", "-id"], name="art_card_by_scene"),
                    django.contrib.postgres.indexes.GinIndex(
                        fastupdate=False, fields=["npc_ids"], name="art_card_npcs"
                    ),
                    django.contrib.postgres.indexes.GinIndex(
                        fastupdate=False, fields=["location_ids"], name="art_card_locations"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_by__isnull", True)),
                        fields=("tenant", "world", "image_id"),
                        name="art_card_image_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("tag_source__in", ["given", "model", "keywords"])),
                        name="art_card_tag_source_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("visual_tags__len__gte", 5)), name="art_card_tags_enough"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("prompt_text", ""), _negated=True), models.Q(("style_preset", ""), _negated=True)
                        ),
                        name="art_card_says_something",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("style_seed__isnull", True), ("style_seed__gte", 0), _connector="OR"),
                        name="art_card_seed_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("embedding_model", ""), ("embedding_vec__isnull", True)),
                            models.Q(
                                models.Q(("embedding_model", ""), _negated=True),
                                ("embedding_vec__len__gte", 1),
                                ("embedding_vec__len__lte", 4096),
                                ("embedding_vec__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="art_card_embedding_whole",
                    ),
                    models.CheckConstraint(
                        condition=django.db.models.expressions.RawSQL(
                            "NOT embedding_vec && '{NaN,Infinity,-Infinity}' AND array_position(embedding_vec, NULL) IS NULL",
                            (),
                            output_field=models.BooleanField(),
                        ),
                        name="art_card_embedding_finite",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="art_card_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NOT EXISTS (SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id) THEN\n                        RAISE EXCEPTION 'art_card_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="11f483aaf3bfcf9118d629794a9f9d4472112c83",
                            operation="INSERT",
                            pgid="pgtrigger_art_card_same_tenant_46b36",
                            table="episodes_artcard",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="art_card_campaign_known",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (NOT (NEW.\"campaign_id\" = ''))",
                            func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM episodes_campaign c\n                        WHERE c.tenant_id = NEW.tenant_id AND c.world_id = NEW.world_id AND c.external_id = NEW.campaign_id\n                    ) THEN\n                        RAISE EXCEPTION 'art_card_campaign_known' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="005d751495b8a6956c46b58adde871a7843ea091",
                            operation="INSERT",
                            pgid="pgtrigger_art_card_campaign_known_dcb69",
                            table="episodes_artcard",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
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
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="RollbackOutcome",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=40)),
                ("undone", models.PositiveIntegerField()),
                ("restored", models.PositiveIntegerField()),
                ("changed", models.PositiveIntegerField()),
                (
                    "rollback",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="outcomes",
                        to="episodes.rollback",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("rollback", "kind"), name="rollback_outcome_unique")],
                "triggers": [
                    pgtrigger.compiler.Trigger(
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
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NpcPresence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("npc_id", models.CharField(max_length=120)),
                (
                    "summary",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="presences",
                        to="episodes.episodicsummary",
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
                    models.UniqueConstraint(fields=("tenant", "npc_id", "summary"), name="npc_presence_unique")
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="npc_presence_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.summary_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_episodicsummary p WHERE p.id = NEW.summary_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'npc_presence_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="8ae16376cf43289bab03d6c028dc7d281e144ff2",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_npc_presence_same_tenant_f5ff1",
                            table="episodes_npcpresence",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="npc_presence_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept episodes_npcpresence;",
                            func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'npc_presence_append_only' USING ERRCODE = 'check_violation';\n        ",
                            hash="5db147af25a3860196d1d9383809532e2d17b55b",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_npc_presence_append_only_cfdfe",
                            table="episodes_npcpresence",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Loot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item_id", models.CharField(max_length=120)),
                ("qty", models.PositiveIntegerField()),
                (
                    "summary",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="loot", to="episodes.episodicsummary"
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
                    "party",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="loot",
                        to="episodes.party",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "loot",
                "indexes": [models.Index(fields=["tenant", "party"], name="loot_by_party")],
                "constraints": [models.CheckConstraint(condition=models.Q(("qty__gte", 1)), name="loot_qty_positive")],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="loot_keeps_together",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.summary_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_episodicsummary p WHERE p.id = NEW.summary_id AND p.tenant_id = NEW.tenant_id AND p.party_id = NEW.party_id)) THEN\n                RAISE EXCEPTION 'loot_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="c78ec03c9e4888630441530cd1a228dbd404ab5f",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_loot_keeps_together_571cf",
                            table="episodes_loot",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="loot_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept episodes_loot;",
                            func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'loot_append_only' USING ERRCODE = 'check_violation';\n        ",
                            hash="23b5e2db374e92b1a0dfc52ebb6f566e55a90140",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_loot_append_only_90eb2",
                            table="episodes_loot",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NpcTold",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("npc_id", models.CharField(max_length=120)),
                ("source", models.CharField(help_text="Who told it: a player or an NPC.", max_length=120)),
                ("told_at", models.DateTimeField()),
                (
                    "hop",
                    models.PositiveSmallIntegerField(
                        db_default=0, default=0, help_text="0: the engine said so. Else how far it went."
                    ),
                ),
                (
                    "is_rumour",
                    models.BooleanField(
                        db_default=False, default=False, help_text="Told as a rumour: it sets no flags."
                    ),
                ),
                (
                    "revoked_at",
                    models.DateTimeField(blank=True, help_text="Since then the NPC was never told.", null=True),
                ),
                ("revoked_by", models.CharField(blank=True, db_default="", max_length=200)),
                ("revoked_reason", models.TextField(blank=True, db_default="")),
                (
                    "checkpoint",
                    models.ForeignKey(
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
                (
                    "event",
                    models.ForeignKey(
                        blank=True,
                        help_text="Of what.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="told",
                        to="episodes.eventfact",
                    ),
                ),
                (
                    "replaces",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The rumour whose place it took: it holds again when a rollback undoes this.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="episodes.npctold",
                    ),
                ),
                (
                    "shared_at",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The end of the scene at which NPCs passed it on.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shares",
                        to="episodes.checkpoint",
                    ),
                ),
                (
                    "summary",
                    models.ForeignKey(
                        blank=True,
                        help_text="Of what.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="told",
                        to="episodes.episodicsummary",
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
                    "told_in",
                    models.ForeignKey(
                        blank=True,
                        help_text="The summary of the scene in which it was told; empty: the engine said so by itself.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="told_here",
                        to="episodes.episodicsummary",
                    ),
                ),
                (
                    "via",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="What the teller itself was told; empty: it was there.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="passed_on",
                        to="episodes.npctold",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
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
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("via__isnull", False)), fields=["tenant", "via"], name="npc_told_by_via"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_by__isnull", True), ("revoked_at__isnull", True)),
                        fields=("tenant", "npc_id", "summary", "event"),
                        name="npc_told_unique",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("event__isnull", False), ("summary__isnull", True)),
                            models.Q(("event__isnull", True), ("summary__isnull", False)),
                            _connector="OR",
                        ),
                        name="npc_told_of_one_thing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("hop", 0), ("is_rumour", False), ("shared_at__isnull", True)),
                            models.Q(("hop__gte", 1), ("hop__lte", 2), ("shared_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="npc_told_hops_bounded",
                    ),
                    models.CheckConstraint(
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
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
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
                    pgtrigger.compiler.Trigger(
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
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="FlagChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("old_value", models.JSONField(help_text="Null: it was not set before.", null=True)),
                ("new_value", models.JSONField()),
                ("happened_at", models.DateTimeField()),
                (
                    "is_late",
                    models.BooleanField(
                        default=False, help_text="It was told after something newer, so the flag kept the newer value."
                    ),
                ),
                (
                    "checkpoint",
                    models.ForeignKey(
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
                (
                    "event",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="flag_changes",
                        to="episodes.eventfact",
                    ),
                ),
                (
                    "flag",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="changes",
                        to="episodes.flag",
                    ),
                ),
                (
                    "summary",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="flag_changes",
                        to="episodes.episodicsummary",
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
                    "undone_by",
                    models.ForeignKey(
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
            ],
            options={
                "indexes": [
                    models.Index(fields=["tenant", "flag", "id"], name="flag_change_by_flag"),
                    models.Index(
                        condition=models.Q(("is_late", False)),
                        fields=["tenant", "flag", "-happened_at", "-id"],
                        name="flag_change_in_time",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("event__isnull", False), ("summary__isnull", True)),
                            models.Q(("event__isnull", True), ("summary__isnull", False)),
                            _connector="OR",
                        ),
                        name="flag_change_has_one_source",
                    )
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="flag_change_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.flag_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_flag p WHERE p.id = NEW.flag_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.summary_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_episodicsummary p WHERE p.id = NEW.summary_id AND p.tenant_id = NEW.tenant_id)) OR (NEW.event_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_eventfact p WHERE p.id = NEW.event_id AND p.tenant_id = NEW.tenant_id)) THEN\n                RAISE EXCEPTION 'flag_change_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="dacd13a00472f7181822435166bb55e3763474a5",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_flag_change_same_tenant_8c04e",
                            table="episodes_flagchange",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
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
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="SummaryPassage",
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
                    "embedder",
                    models.CharField(
                        blank=True,
                        help_text="Name and dimensions of what made the vector; others are never compared.",
                        max_length=216,
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.campaign",
                    ),
                ),
                (
                    "party",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.party",
                    ),
                ),
                (
                    "summary",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="passage",
                        to="episodes.episodicsummary",
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
                        fastupdate=False, fields=["lexemes"], name="summary_passage_lexemes"
                    ),
                    models.Index(fields=["tenant", "campaign", "party"], name="summary_passage_by_party"),
                    models.Index(
                        condition=models.Q(("embedding_state", "pending")),
                        fields=["tenant", "id"],
                        name="summary_passage_pending",
                    ),
                    models.Index(
                        condition=models.Q(("embedding_state", "failed")),
                        fields=["tenant", "id"],
                        name="summary_passage_failed",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("embedding_state__in", ["pending", "done", "failed"])),
                        name="summary_passage_embedding_state_known",
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
                        name="summary_passage_done_has_vector",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="summary_passage_keeps_together",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.summary_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_episodicsummary p WHERE p.id = NEW.summary_id AND p.tenant_id = NEW.tenant_id AND p.campaign_id = NEW.campaign_id AND p.party_id = NEW.party_id)) THEN\n                RAISE EXCEPTION 'summary_passage_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="25ce3f03dd1f51030a5ce02614ff61c28b08165a",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_summary_passage_keeps_together_ce162",
                            table="episodes_summarypassage",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
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
                ],
            },
        ),
        migrations.CreateModel(
            name="ArtCardPassage",
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
                    "embedder",
                    models.CharField(
                        blank=True,
                        help_text="Name and dimensions of what made the vector; others are never compared.",
                        max_length=216,
                    ),
                ),
                (
                    "card",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="passage", to="episodes.artcard"
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
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fastupdate=False, fields=["lexemes"], name="art_passage_lexemes"
                    ),
                    models.Index(fields=["tenant", "world"], name="art_passage_by_world"),
                    models.Index(
                        condition=models.Q(("embedding_state", "pending")),
                        fields=["tenant", "id"],
                        name="art_passage_pending",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("embedding_state__in", ["pending", "done", "failed"])),
                        name="art_passage_embedding_state_known",
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
                        name="art_passage_done_has_vector",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="art_passage_keeps_together",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF (NEW.card_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM episodes_artcard p WHERE p.id = NEW.card_id AND p.tenant_id = NEW.tenant_id AND p.world_id = NEW.world_id)) THEN\n                RAISE EXCEPTION 'art_passage_keeps_together' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="60c007ee8c993ff7a16168424f0d98a2557be80d",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_art_passage_keeps_together_69206",
                            table="episodes_artcardpassage",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="Campaign",
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
        migrations.AddIndex(
            model_name="Campaign",
            index=models.Index(fields=["tenant", "world", "-id"], name="campaign_by_world"),
        ),
        migrations.AddConstraint(
            model_name="Campaign",
            constraint=models.UniqueConstraint(
                fields=("tenant", "world", "external_id"), name="campaign_external_id_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="Campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(("external_id", ""), _negated=True), name="campaign_external_id_not_empty"
            ),
        ),
        migrations.AddConstraint(
            model_name="Campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["active", "finished", "archived"])), name="campaign_state_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="Campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("archived_at__isnull", False), ("state", "archived")),
                    models.Q(models.Q(("state", "archived"), _negated=True), ("archived_at__isnull", True)),
                    _connector="OR",
                ),
                name="campaign_archived_has_time",
            ),
        ),
        memoryproject.trigger_migrations.AddTriggers(),
        migrations.RunSQL(
            sql="ALTER TABLE episodes_messagepassage ALTER COLUMN embedding SET STORAGE PLAIN, ALTER COLUMN bm25 SET STORAGE EXTERNAL, ALTER COLUMN lexemes SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.05)",
            reverse_sql="",
        ),
        migrations.RunSQL(
            sql="ALTER TABLE episodes_summarypassage ALTER COLUMN embedding SET STORAGE PLAIN, ALTER COLUMN bm25 SET STORAGE EXTERNAL, ALTER COLUMN lexemes SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.05)",
            reverse_sql="",
        ),
        migrations.RunSQL(
            sql="ALTER TABLE episodes_artcardpassage ALTER COLUMN embedding SET STORAGE PLAIN, ALTER COLUMN bm25 SET STORAGE EXTERNAL, ALTER COLUMN lexemes SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.05)",
            reverse_sql="",
        ),
        migrations.RunSQL(
            sql="ALTER TABLE episodes_eventpassage ALTER COLUMN embedding SET STORAGE PLAIN, ALTER COLUMN bm25 SET STORAGE EXTERNAL, ALTER COLUMN lexemes SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.05)",
            reverse_sql="",
        ),
        migrations.RunSQL(
            sql="ALTER TABLE episodes_vectorcode SET (parallel_workers = 0, autovacuum_vacuum_insert_scale_factor = 0.05)",
            reverse_sql="",
        ),
    ]
