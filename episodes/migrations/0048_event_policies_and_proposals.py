"""Policies of events with a version, proposals of edits that overtook, and events that are forgotten may be tried again."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("episodes", "0047_event_name_by_entity"),
        ("tenancy", "0008_labeller"),
    ]

    operations = [
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
            ],
            options={
                "verbose_name": "proposal for an event",
                "verbose_name_plural": "proposals for events",
                "ordering": ["-id"],
            },
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="eventnode",
            name="event_node_moves",
        ),
        migrations.AddField(
            model_name="eventpolicy",
            name="rendered_version",
            field=models.PositiveIntegerField(
                default=0, editable=False, help_text="By this version all books of the world were rendered."
            ),
        ),
        migrations.AddField(
            model_name="eventpolicy",
            name="updated_at",
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
        ),
        migrations.AddField(
            model_name="eventpolicy",
            name="version",
            field=models.PositiveIntegerField(default=1, editable=False),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="eventnode",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        migrations.AddConstraint(
            model_name="eventpolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(("rendered_version__lte", models.F("version")), ("version__gte", 1)),
                name="event_policy_version_grows",
            ),
        ),
        migrations.AddField(
            model_name="eventproposal",
            name="node",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="proposals",
                to="episodes.eventnode",
            ),
        ),
        migrations.AddField(
            model_name="eventproposal",
            name="tenant",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tenancy.tenant"
            ),
        ),
        migrations.AddIndex(
            model_name="eventproposal",
            index=models.Index(fields=["tenant", "state", "-id"], name="event_proposal_by_state"),
        ),
        migrations.AddIndex(
            model_name="eventproposal",
            index=models.Index(fields=["node", "id"], name="event_proposal_by_node"),
        ),
        migrations.AddConstraint(
            model_name="eventproposal",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["open", "accepted", "declined", "withdrawn"])),
                name="event_proposal_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="eventproposal",
            constraint=models.CheckConstraint(
                condition=models.Q(("author", ""), _negated=True), name="event_proposal_has_author"
            ),
        ),
        migrations.AddConstraint(
            model_name="eventproposal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "open"), _negated=True), models.Q(("after", ""), _negated=True), _connector="OR"
                ),
                name="event_proposal_open_has_words",
            ),
        ),
        migrations.AddConstraint(
            model_name="eventproposal",
            constraint=models.CheckConstraint(
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
        ),
        migrations.AddConstraint(
            model_name="eventproposal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "open")), fields=("node",), name="event_proposal_one_open"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="eventproposal",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="eventproposal",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
    ]
