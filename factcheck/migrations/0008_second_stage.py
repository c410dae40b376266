"""Adds the tables of the second stage: runs, deltas, candidates, samples, breakers."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("factcheck", "0007_instructions_are_read"),
        ("knowledge", "0016_standing_instructions"),
        ("tenancy", "0007_extraction"),
    ]

    operations = [
        migrations.CreateModel(
            name="ExtractionRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "triggered_by",
                    models.CharField(
                        choices=[
                            ("session_closed", "the session is over"),
                            ("pending_15", "many messages wait"),
                            ("cron", "messages wait for long"),
                            ("manual", "a person asked for it"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "mode",
                    models.CharField(choices=[("shadow", "Shadow"), ("on", "On"), ("trial", "Trial")], max_length=8),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("claimed", "Claimed"),
                            ("answered", "Answered"),
                            ("applied", "Applied"),
                            ("failed", "Failed"),
                        ],
                        default="claimed",
                        max_length=8,
                    ),
                ),
                ("proposer", models.CharField(max_length=16)),
                ("model", models.CharField(blank=True, max_length=120)),
                ("prompt_version", models.CharField(blank=True, max_length=40)),
                (
                    "language",
                    models.CharField(blank=True, help_text="That most of the messages are in.", max_length=35),
                ),
                ("range_hash", models.BinaryField(help_text="SHA-256 of the messages' ids.", max_length=32)),
                (
                    "conversation_to",
                    models.JSONField(
                        default=dict, help_text="Conversation to the place up to which its messages are in the range."
                    ),
                ),
                ("messages", models.PositiveIntegerField(help_text="Of the player, in the range.")),
                ("extracted", models.PositiveIntegerField(default=0)),
                ("nothing", models.PositiveIntegerField(default=0)),
                ("rejected", models.PositiveIntegerField(default=0)),
                ("failed", models.PositiveIntegerField(default=0)),
                ("deltas", models.PositiveIntegerField(default=0)),
                ("deltas_applied", models.PositiveIntegerField(default=0)),
                ("tries", models.PositiveSmallIntegerField(default=1)),
                ("lease_until", models.DateTimeField()),
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
                ("reverted_at", models.DateTimeField(blank=True, null=True)),
                ("reverted_by", models.CharField(blank=True, max_length=150)),
                ("revert_reason", models.CharField(blank=True, max_length=500)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
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
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="ExtractionDelta",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "operation",
                    models.CharField(
                        choices=[("ADD", "add"), ("UPDATE", "update"), ("REMOVE", "remove"), ("CONFIRM", "confirm")],
                        max_length=8,
                    ),
                ),
                ("type", models.CharField(max_length=32)),
                ("subject", models.CharField(max_length=8)),
                ("stance", models.CharField(max_length=8)),
                ("confidence", models.FloatField()),
                ("language", models.CharField(blank=True, max_length=35)),
                (
                    "words_sealed",
                    models.BinaryField(help_text="JSON: key, value, quotes. Empty where it was forgotten."),
                ),
                ("sealed_by", models.PositiveSmallIntegerField(help_text="The number of the key of the ring.")),
                (
                    "evidence",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        default=list,
                        help_text="The messages that it quotes, by id.",
                        size=None,
                    ),
                ),
                (
                    "spans",
                    models.JSONField(default=list, help_text="[message, start, end] of each quote that was found."),
                ),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("accepted", "accepted"),
                            ("rejected_malformed", "rejected malformed"),
                            ("rejected_canary", "rejected canary"),
                            ("rejected_fact_unknown", "rejected fact unknown"),
                            ("rejected_subject", "rejected subject"),
                            ("rejected_stance", "rejected stance"),
                            ("rejected_low_confidence", "rejected low confidence"),
                            ("rejected_no_evidence", "rejected no evidence"),
                            ("rejected_no_quote", "rejected no quote"),
                            ("rejected_not_said_by_user", "rejected not said by user"),
                            ("rejected_fiction", "rejected fiction"),
                            ("rejected_echo", "rejected echo"),
                            ("rejected_no_anchor", "rejected no anchor"),
                            ("rejected_value_not_said", "rejected value not said"),
                            ("rejected_guarded", "rejected guarded"),
                            ("rejected_duplicate", "rejected duplicate"),
                        ],
                        max_length=32,
                    ),
                ),
                ("detail", models.CharField(blank=True, max_length=200)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("rejected", "Rejected"),
                            ("shadowed", "accepted in a run that writes nothing"),
                            ("candidate", "waits for more evidence"),
                            ("written", "Written"),
                            ("superseded", "took the place of another value"),
                            ("confirmed", "Confirmed"),
                            ("restored", "Restored"),
                            ("disputed", "Disputed"),
                            ("ended", "Ended"),
                            ("outdated", "something later is known"),
                        ],
                        max_length=10,
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
                    "fact",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.userfact",
                    ),
                ),
                (
                    "replaced_fact",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
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
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="delta_rows",
                        to="factcheck.extractionrun",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="ExtractionSample",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("delta", "Delta"), ("run", "Run")], max_length=5)),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("random", "drawn at the stratum's rate"),
                            ("floor", "among the first of a day"),
                            ("all", "too few to leave any out"),
                            ("risk", "looks doubtful"),
                            ("trial", "a breaker's trial"),
                        ],
                        max_length=8,
                    ),
                ),
                ("probability", models.FloatField()),
                ("stratum", models.CharField(max_length=120)),
                ("language", models.CharField(blank=True, max_length=35)),
                ("is_gone", models.BooleanField(db_default=False, default=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "delta",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="samples",
                        to="factcheck.extractiondelta",
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
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="samples",
                        to="factcheck.extractionrun",
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
            },
        ),
        migrations.CreateModel(
            name="FactCandidate",
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
                ("value_index", models.BinaryField(max_length=32)),
                ("key_sealed", models.BinaryField()),
                ("value_sealed", models.BinaryField()),
                ("sealed_by", models.PositiveSmallIntegerField(help_text="The number of the key of the ring.")),
                (
                    "confidence",
                    models.FloatField(help_text="The highest of its proposals; it promotes nothing by itself."),
                ),
                ("language", models.CharField(blank=True, max_length=35)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("promoted", "Promoted"),
                            ("rejected", "rejected by a person"),
                            ("expired", "not confirmed in time"),
                            ("contradicted", "the player said otherwise later"),
                            ("blocked", "denied or forgotten: not to be proposed again"),
                        ],
                        default="open",
                        max_length=12,
                    ),
                ),
                ("prompt_version", models.CharField(blank=True, max_length=40)),
                ("model", models.CharField(blank=True, max_length=120)),
                ("first_said_at", models.DateTimeField()),
                ("last_said_at", models.DateTimeField()),
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
                        related_name="+",
                        to="tenancy.enduser",
                    ),
                ),
                (
                    "fact",
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
                "ordering": ["-id"],
            },
        ),
        migrations.AddField(
            model_name="extractiondelta",
            name="candidate",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="deltas",
                to="factcheck.factcandidate",
            ),
        ),
        migrations.CreateModel(
            name="CandidateTransition",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "old_state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("promoted", "Promoted"),
                            ("rejected", "rejected by a person"),
                            ("expired", "not confirmed in time"),
                            ("contradicted", "the player said otherwise later"),
                            ("blocked", "denied or forgotten: not to be proposed again"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "new_state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("promoted", "Promoted"),
                            ("rejected", "rejected by a person"),
                            ("expired", "not confirmed in time"),
                            ("contradicted", "the player said otherwise later"),
                            ("blocked", "denied or forgotten: not to be proposed again"),
                        ],
                        max_length=12,
                    ),
                ),
                ("made_by", models.CharField(help_text="A user name, or what the service did.", max_length=150)),
                ("reason", models.CharField(max_length=500)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="transitions",
                        to="factcheck.factcandidate",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="CandidateSupport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("message_id", models.BigIntegerField()),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                ("said_at", models.DateTimeField()),
                ("is_independent", models.BooleanField(help_text="Whether it counts beside those before it.")),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="factcheck.extractionrun"
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="supports",
                        to="factcheck.factcandidate",
                    ),
                ),
            ],
            options={
                "ordering": ["said_at", "message_id"],
            },
        ),
        migrations.CreateModel(
            name="RunMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("message_id", models.BigIntegerField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("extracted", "Extracted"),
                            ("nothing", "Nothing"),
                            ("rejected", "Rejected"),
                            ("failed", "Failed"),
                        ],
                        max_length=9,
                    ),
                ),
                ("code", models.CharField(blank=True, help_text="Why it was rejected, or failed.", max_length=40)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="message_rows",
                        to="factcheck.extractionrun",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BreakerEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("reviews", "reviewers' labels"), ("denials", "players' denials")], max_length=8
                    ),
                ),
                ("language", models.CharField(blank=True, help_text="Empty: all languages.", max_length=35)),
                (
                    "state",
                    models.CharField(
                        choices=[("closed", "Closed"), ("open", "Open"), ("half_open", "Half Open")], max_length=9
                    ),
                ),
                ("n", models.PositiveIntegerField(help_text="Items looked at.")),
                ("errors", models.PositiveIntegerField()),
                ("lower", models.FloatField(help_text="Lower bound of the error rate.")),
                ("upper", models.FloatField(help_text="Upper bound of the error rate.")),
                ("rule", models.CharField(help_text="The rule that decided, by name.", max_length=80)),
                ("prompt_version", models.CharField(blank=True, max_length=40)),
                ("made_by", models.CharField(help_text="A user name, or `service`.", max_length=150)),
                ("reason", models.CharField(max_length=500)),
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
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["tenant", "kind", "language", "-id"], name="breaker_event_newest")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["reviews", "denials"])), name="breaker_event_kind_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["closed", "open", "half_open"])),
                        name="breaker_event_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("errors__lte", models.F("n"))), name="breaker_event_errors_of_n"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", ""), _negated=True), models.Q(("made_by", ""), _negated=True)
                        ),
                        name="breaker_event_is_told",
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="breakerevent",
            trigger=pgtrigger.compiler.Trigger(
                name="breaker_event_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept factcheck_breakerevent;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'breaker_event_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="fdb3f3dff50e5cedb11920705faa90c0d09e6285",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_breaker_event_append_only_f91bc",
                    table="factcheck_breakerevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="extractionrun",
            index=models.Index(fields=["tenant", "end_user", "-id"], name="extraction_run_by_user"),
        ),
        migrations.AddIndex(
            model_name="extractionrun",
            index=models.Index(
                condition=models.Q(("state__in", ["claimed", "answered"])),
                fields=["lease_until"],
                name="extraction_run_open",
            ),
        ),
        migrations.AddIndex(
            model_name="extractionrun",
            index=models.Index(fields=["tenant", "state", "-id"], name="extraction_run_by_state"),
        ),
        migrations.AddConstraint(
            model_name="extractionrun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "failed"), _negated=True),
                fields=("tenant", "end_user", "range_hash", "proposer", "prompt_version"),
                name="extraction_run_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionrun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["claimed", "answered"])),
                fields=("end_user",),
                name="extraction_run_one_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["claimed", "answered", "applied", "failed"])),
                name="extraction_run_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("mode__in", ["shadow", "on", "trial"])), name="extraction_run_mode_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("triggered_by__in", ["session_closed", "pending_15", "cron", "manual"])),
                name="extraction_run_trigger_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionrun",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished_at__isnull", True), ("state__in", ["claimed", "answered"])),
                    models.Q(
                        ("finished_at__isnull", False),
                        (
                            "messages",
                            django.db.models.expressions.CombinedExpression(
                                django.db.models.expressions.CombinedExpression(
                                    django.db.models.expressions.CombinedExpression(
                                        models.F("extracted"), "+", models.F("nothing")
                                    ),
                                    "+",
                                    models.F("rejected"),
                                ),
                                "+",
                                models.F("failed"),
                            ),
                        ),
                    ),
                    _connector="OR",
                ),
                name="extraction_run_messages_add_up",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionrun",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "failed"), _negated=True),
                    models.Q(models.Q(("error_code", ""), _negated=True), ("failed", models.F("messages"))),
                    _connector="OR",
                ),
                name="extraction_run_failure_is_told",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("state", "answered"), ("answer_sealed", b""), _connector="OR"),
                name="extraction_run_keeps_no_answer",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionrun",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("reverted_at__isnull", True),
                    models.Q(models.Q(("reverted_by", ""), _negated=True), ("state", "applied")),
                    _connector="OR",
                ),
                name="extraction_run_reverted_by_somebody",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extractionrun",
            trigger=pgtrigger.compiler.Trigger(
                name="extraction_run_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF NOT EXISTS (\n                SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n            ) OR (TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id))\n            THEN\n                RAISE EXCEPTION 'extraction_run_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="37bfd75a718ea9079bf350e2db995b4cbc3b02da",
                    operation='INSERT OR UPDATE OF "tenant_id", "end_user_id"',
                    pgid="pgtrigger_extraction_run_same_tenant_83088",
                    table="factcheck_extractionrun",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extractionrun",
            trigger=pgtrigger.compiler.Trigger(
                name="extraction_run_moves",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."state" IS DISTINCT FROM (NEW."state"))',
                    func="\n            IF (OLD.state, NEW.state) NOT IN (('claimed', 'answered'), ('claimed', 'applied'), ('claimed', 'failed'), ('answered', 'applied'), ('answered', 'failed')) THEN\n                RAISE EXCEPTION 'extraction_run_moves' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="a5edc14614efa52ba5b3e2534088c2b0b26358d0",
                    operation='UPDATE OF "state"',
                    pgid="pgtrigger_extraction_run_moves_ae40b",
                    table="factcheck_extractionrun",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="extractionsample",
            index=models.Index(
                condition=models.Q(("is_gone", False)), fields=["tenant", "id"], name="extraction_sample_queue"
            ),
        ),
        migrations.AddIndex(
            model_name="extractionsample",
            index=models.Index(fields=["tenant", "stratum", "created_at"], name="extraction_sample_stratum"),
        ),
        migrations.AddConstraint(
            model_name="extractionsample",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("delta__isnull", False), ("kind", "delta")),
                    models.Q(("delta__isnull", True), ("kind", "run")),
                    _connector="OR",
                ),
                name="extraction_sample_kind_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionsample",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason__in", ["random", "floor", "all", "risk", "trial"])),
                name="extraction_sample_reason_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionsample",
            constraint=models.CheckConstraint(
                condition=models.Q(("probability__gt", 0), ("probability__lte", 1)),
                name="extraction_sample_probability_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionsample",
            constraint=models.UniqueConstraint(
                condition=models.Q(("delta__isnull", False)), fields=("delta",), name="extraction_sample_of_a_delta"
            ),
        ),
        migrations.AddConstraint(
            model_name="extractionsample",
            constraint=models.UniqueConstraint(
                condition=models.Q(("delta__isnull", True)), fields=("run",), name="extraction_sample_of_a_run"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extractionsample",
            trigger=pgtrigger.compiler.Trigger(
                name="extraction_sample_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF NOT EXISTS (\n                SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n            ) OR (TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id))\n            THEN\n                RAISE EXCEPTION 'extraction_sample_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="09a0ed15d79839da892757ce410c9757ba2fabfb",
                    operation='INSERT OR UPDATE OF "tenant_id", "end_user_id"',
                    pgid="pgtrigger_extraction_sample_same_tenant_1951d",
                    table="factcheck_extractionsample",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extractionsample",
            trigger=pgtrigger.compiler.Trigger(
                name="extraction_sample_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept factcheck_extractionsample;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.is_gone := OLD.is_gone; \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'extraction_sample_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="84ad261a44f5f50b3265f63bba01a6918cca2854",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_extraction_sample_append_only_8fe90",
                    table="factcheck_extractionsample",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="factcandidate",
            index=models.Index(fields=["tenant", "end_user", "type", "key_index"], name="fact_candidate_by_key"),
        ),
        migrations.AddIndex(
            model_name="factcandidate",
            index=models.Index(
                condition=models.Q(("state", "open")), fields=["last_said_at"], name="fact_candidate_expiring"
            ),
        ),
        migrations.AddConstraint(
            model_name="factcandidate",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "open")),
                fields=("tenant", "end_user", "type", "key_index", "value_index"),
                name="fact_candidate_open_unique",
            ),
        ),
        migrations.AddConstraint(
            model_name="factcandidate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("state__in", ["open", "promoted", "rejected", "expired", "contradicted", "blocked"])
                ),
                name="fact_candidate_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="factcandidate",
            constraint=models.CheckConstraint(
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
                name="fact_candidate_type_guaranteed",
            ),
        ),
        migrations.AddConstraint(
            model_name="factcandidate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("fact__isnull", False), ("state", "promoted")),
                    models.Q(models.Q(("state", "promoted"), _negated=True), ("fact__isnull", True)),
                    _connector="OR",
                ),
                name="fact_candidate_promoted_to_a_fact",
            ),
        ),
        migrations.AddConstraint(
            model_name="factcandidate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("key_sealed", b""), ("state", "blocked"), ("value_sealed", b"")),
                    models.Q(
                        models.Q(("key_sealed", b""), _negated=True), models.Q(("value_sealed", b""), _negated=True)
                    ),
                    _connector="OR",
                ),
                name="fact_candidate_sealed_unless_blocked",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="factcandidate",
            trigger=pgtrigger.compiler.Trigger(
                name="fact_candidate_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF NOT EXISTS (\n                SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n            ) OR (TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id))\n            THEN\n                RAISE EXCEPTION 'fact_candidate_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="8f176e4474e396695818dcbf362d6b547dd4eb22",
                    operation='INSERT OR UPDATE OF "tenant_id", "end_user_id"',
                    pgid="pgtrigger_fact_candidate_same_tenant_c72e4",
                    table="factcheck_factcandidate",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="factcandidate",
            trigger=pgtrigger.compiler.Trigger(
                name="fact_candidate_moves",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."state" IS DISTINCT FROM (NEW."state"))',
                    func="\n            IF (OLD.state, NEW.state) NOT IN (('open', 'promoted'), ('open', 'rejected'), ('open', 'expired'), ('open', 'contradicted'), ('open', 'blocked'), ('promoted', 'open'), ('promoted', 'blocked'), ('rejected', 'blocked'), ('expired', 'blocked'), ('contradicted', 'blocked')) THEN\n                RAISE EXCEPTION 'fact_candidate_moves' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="7627092c28d4a482fb7eb7f0dbe10c9599ff00dd",
                    operation='UPDATE OF "state"',
                    pgid="pgtrigger_fact_candidate_moves_2b428",
                    table="factcheck_factcandidate",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="extractiondelta",
            index=django.contrib.postgres.indexes.GinIndex(
                fastupdate=False, fields=["evidence"], name="extraction_delta_evidence"
            ),
        ),
        migrations.AddIndex(
            model_name="extractiondelta",
            index=models.Index(
                condition=models.Q(("fact__isnull", False)), fields=["fact"], name="extraction_delta_fact"
            ),
        ),
        migrations.AddIndex(
            model_name="extractiondelta",
            index=models.Index(fields=["tenant", "verdict", "-id"], name="extraction_delta_by_verdict"),
        ),
        migrations.AddConstraint(
            model_name="extractiondelta",
            constraint=models.UniqueConstraint(fields=("run", "position"), name="extraction_delta_position"),
        ),
        migrations.AddConstraint(
            model_name="extractiondelta",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "outcome__in",
                        [
                            "rejected",
                            "shadowed",
                            "candidate",
                            "written",
                            "superseded",
                            "confirmed",
                            "restored",
                            "disputed",
                            "ended",
                            "outdated",
                        ],
                    )
                ),
                name="extraction_delta_outcome_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="extractiondelta",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("verdict", "accepted"), models.Q(("outcome", "rejected"), _negated=True)),
                    models.Q(models.Q(("verdict", "accepted"), _negated=True), ("outcome", "rejected")),
                    _connector="OR",
                ),
                name="extraction_delta_verdict_decides",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extractiondelta",
            trigger=pgtrigger.compiler.Trigger(
                name="extraction_delta_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF NOT EXISTS (\n                SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n            ) OR (TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id))\n            THEN\n                RAISE EXCEPTION 'extraction_delta_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="cf9675225d2279561e89722e56bac262cdffd0a7",
                    operation='INSERT OR UPDATE OF "tenant_id", "end_user_id"',
                    pgid="pgtrigger_extraction_delta_same_tenant_0b960",
                    table="factcheck_extractiondelta",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extractiondelta",
            trigger=pgtrigger.compiler.Trigger(
                name="extraction_delta_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept factcheck_extractiondelta;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.words_sealed := OLD.words_sealed; kept.sealed_by := OLD.sealed_by; kept.detail := OLD.detail; kept.spans := OLD.spans; kept.evidence := OLD.evidence; \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'extraction_delta_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="ebdb3ff594eff1fff5c9cdd64a1adc0e80ad1b6d",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_extraction_delta_append_only_1b634",
                    table="factcheck_extractiondelta",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extractiondelta",
            trigger=pgtrigger.compiler.Trigger(
                name="extraction_delta_stays_empty",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.\"words_sealed\" =  E''::bytea AND NOT (NEW.\"words_sealed\" =  E''::bytea))",
                    func="RAISE EXCEPTION 'extraction_delta_stays_empty' USING ERRCODE = 'check_violation';",
                    hash="27619182f1a773104f118b7564e98247f5df42db",
                    operation='UPDATE OF "words_sealed"',
                    pgid="pgtrigger_extraction_delta_stays_empty_f2b06",
                    table="factcheck_extractiondelta",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="candidatetransition",
            constraint=models.CheckConstraint(
                condition=models.Q(models.Q(("reason", ""), _negated=True), models.Q(("made_by", ""), _negated=True)),
                name="candidate_transition_is_told",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="candidatetransition",
            trigger=pgtrigger.compiler.Trigger(
                name="candidate_transition_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept factcheck_candidatetransition;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'candidate_transition_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="cb25e6ea91fec9dcd27ae5f32148f6d2aa72ff99",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_candidate_transition_append_only_2dca6",
                    table="factcheck_candidatetransition",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="candidatesupport",
            index=models.Index(fields=["message_id"], name="candidate_support_message"),
        ),
        migrations.AddConstraint(
            model_name="candidatesupport",
            constraint=models.UniqueConstraint(fields=("candidate", "message_id"), name="candidate_support_unique"),
        ),
        migrations.AddConstraint(
            model_name="candidatesupport",
            constraint=models.CheckConstraint(
                condition=models.Q(("end__gt", models.F("start"))), name="candidate_support_range"
            ),
        ),
        migrations.AddIndex(
            model_name="runmessage",
            index=models.Index(fields=["message_id", "-id"], name="run_message_newest"),
        ),
        migrations.AddConstraint(
            model_name="runmessage",
            constraint=models.UniqueConstraint(fields=("run", "message_id"), name="run_message_unique"),
        ),
        migrations.AddConstraint(
            model_name="runmessage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("code", ""), ("outcome__in", ["extracted", "nothing"])),
                    models.Q(("outcome__in", ["rejected", "failed"]), models.Q(("code", ""), _negated=True)),
                    _connector="OR",
                ),
                name="run_message_outcome_is_told",
            ),
        ),
    ]
