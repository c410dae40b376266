"""Golden queries: what search must find, and what it found in each release."""

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from memoryproject.triggers import refuse

_SAYS = "key, domain_index_id, query, language, must_hit, must_not_hit, relevant, k, npc_id, tags, note, active"
_JUDGES = "query, language, must_hit, must_not_hit, relevant, k, npc_id, active"
"""The columns that decide what a run of the query finds, and whether it is run at all."""


def _row(name: str, columns: str) -> str:
    return ", ".join(f"{name}.{column}" for column in columns.split(", "))


class GoldenQuery(models.Model):
    """A query with the articles that it must, should and must not find."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(
        "knowledge.DomainIndex", on_delete=models.CASCADE, related_name="golden_queries", db_index=False
    )
    key = models.CharField(max_length=120, help_text="Its id in the JSON file.")
    query = models.TextField()
    language = models.CharField(max_length=16)
    must_hit = ArrayField(
        models.CharField(max_length=120), default=list, blank=True, help_text="Slugs that must be among the first k."
    )
    must_not_hit = ArrayField(
        models.CharField(max_length=120), default=list, blank=True, help_text="Slugs that must not be found at all."
    )
    relevant = models.JSONField(default=dict, blank=True, help_text="Slug to grade 1-3, for nDCG and recall.")
    k = models.PositiveSmallIntegerField(default=8)
    npc_id = models.CharField(max_length=120, blank=True, help_text="Search as this NPC.")
    tags = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    note = models.TextField(blank=True)
    active = models.BooleanField(default=True)
    version = models.PositiveIntegerField(default=1, db_default=1, editable=False, help_text="Counted by the database.")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "golden queries"
        ordering = ["domain_index_id", "key"]
        constraints = [
            models.UniqueConstraint(fields=["domain_index", "key"], name="golden_query_key_unique"),
            models.CheckConstraint(condition=~Q(query=""), name="golden_query_not_empty"),
            models.CheckConstraint(condition=Q(k__gte=1) & Q(k__lte=50), name="golden_query_k_range"),
            models.CheckConstraint(
                condition=Q(must_hit__len__gt=0) | Q(must_not_hit__len__gt=0) | ~Q(relevant={}),
                name="golden_query_expects_something",
            ),
        ]
        triggers = [
            # No change without its reason, and no second thoughts alone about a query that can close a gate.
            pgtrigger.Trigger(
                name="golden_query_changed_with_reason",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                declare=[("is_guard", "boolean")],
                func=f"""
                    IF TG_OP = 'UPDATE' THEN
                        IF ({_row("OLD", _SAYS)}) IS NOT DISTINCT FROM ({_row("NEW", _SAYS)}) THEN
                            NEW.version := OLD.version;
                            RETURN NEW;
                        END IF;
                        NEW.version := OLD.version + 1;
                    END IF;
                    is_guard := OLD.active AND (cardinality(OLD.must_hit) > 0 OR cardinality(OLD.must_not_hit) > 0);
                    IF is_guard AND TG_OP = 'UPDATE' THEN
                        is_guard := ({_row("OLD", _JUDGES)}) IS DISTINCT FROM ({_row("NEW", _JUDGES)});
                    END IF;
                    IF NOT EXISTS (
                        SELECT 1 FROM reviews_goldenchange c
                        WHERE c.domain_index_id = OLD.domain_index_id AND c.key = OLD.key AND c.state = 'applied'
                          AND c.applied_in = pg_current_xact_id()::text::bigint
                          AND (NOT is_guard OR (c.decided_by_id IS NOT NULL AND c.decided_by_id IS DISTINCT FROM c.author_id))
                    ) THEN
                        RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE = CASE
                            WHEN is_guard THEN 'golden_query_guarded' ELSE 'golden_query_changed_with_reason' END;
                    END IF;
                    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                    RETURN NEW;
                """,  # noqa: S608 - our own columns
            ),
        ]

    def __str__(self) -> str:
        return self.key


class GoldenRunState(models.TextChoices):
    """How a run of all golden queries ended."""

    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"


class GoldenRun(models.Model):
    """One run of a domain's golden queries against a release, beside the release that was live then."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(
        "knowledge.DomainIndex", on_delete=models.CASCADE, related_name="golden_runs", db_index=False
    )
    release = models.ForeignKey("knowledge.Release", on_delete=models.CASCADE, related_name="golden_runs")
    baseline = models.ForeignKey(
        "knowledge.Release",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="What was live when the run began.",
    )
    state = models.CharField(max_length=8, choices=GoldenRunState, default=GoldenRunState.RUNNING)
    metrics = models.JSONField(
        default=dict, help_text="Means over the queries, of the release: nDCG@k, recall@k, RR, must-hit share."
    )
    baseline_metrics = models.JSONField(default=dict, help_text="The same of the baseline.")
    degraded = ArrayField(models.CharField(max_length=64), default=list, help_text="What search had to do without.")
    note = models.CharField(
        max_length=64, blank=True, help_text="What a reader should know, for example no_golden_queries."
    )
    error = models.TextField(blank=True)
    queries_hash = models.BinaryField(
        max_length=32, null=True, blank=True, help_text="SHA-256 of the queries that were asked."
    )
    started_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=GoldenRunState.values), name="golden_run_state_known")
        ]
        indexes = [
            # For the newest run of a domain or of a release.
            models.Index(fields=["domain_index", "-id"], name="golden_run_newest")
        ]

    def __str__(self) -> str:
        return f"run {self.pk}: {self.state}"


class GoldenResult(models.Model):
    """What one golden query found in one run. The query's text is kept, so that the result outlives its query."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    run = models.ForeignKey(GoldenRun, on_delete=models.CASCADE, related_name="results", db_index=False)
    key = models.CharField(max_length=120)
    query = models.TextField()
    passed = models.BooleanField()
    problem = models.TextField(blank=True, help_text="Why the query could not be judged; it counts as failed then.")
    found = models.JSONField(default=list, help_text="Slugs found, best first.")
    baseline_found = models.JSONField(default=list)
    missed = models.JSONField(default=list, help_text="Must-hit slugs that were not found.")
    forbidden = models.JSONField(default=list, help_text="Must-not-hit slugs that were found.")
    metrics = models.JSONField(default=dict)
    baseline_metrics = models.JSONField(default=dict)

    class Meta:
        ordering = ["passed", "key"]
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="golden_result_key_unique")]

    def __str__(self) -> str:
        return f"{self.key}: {'passed' if self.passed else 'failed'}"


class GoldenOperation(models.TextChoices):
    """What a change does to a golden query."""

    UPDATE = "update", "Change"
    DELETE = "delete", "Delete"


class GoldenChangeState(models.TextChoices):
    """Where a change of a golden query stands."""

    PROPOSED = "proposed", "Waits for a second person"
    APPLIED = "applied", "Applied"
    REJECTED = "rejected", "Rejected"
    WITHDRAWN = "withdrawn", "Withdrawn"


class GoldenChange(models.Model):
    """Why a golden query was changed, switched off or deleted, and by whose word. It outlives its query."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(
        "knowledge.DomainIndex", on_delete=models.CASCADE, related_name="golden_changes", db_index=False
    )
    key = models.CharField(max_length=120, help_text="The query's id.")
    query_version = models.PositiveIntegerField(help_text="The version of the query that the author has seen.")
    operation = models.CharField(max_length=8, choices=GoldenOperation)
    before = models.JSONField(help_text="The query before, as the database held it.")
    after = models.JSONField(null=True, blank=True, help_text="The query after; empty for a deletion.")
    reason = models.TextField()
    guards = models.BooleanField(help_text="The query could close a gate, so a second person decides.")
    state = models.CharField(max_length=16, choices=GoldenChangeState, default=GoldenChangeState.PROPOSED)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Empty for the operator at the shell.",
    )
    author_label = models.CharField(max_length=200)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    decision = models.TextField(blank=True, help_text="What the second person said.")
    applied_in = models.BigIntegerField(
        null=True, blank=True, editable=False, help_text="The transaction that applied it. Set by the database."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="golden_change_has_reason"),
            models.CheckConstraint(condition=Q(state__in=GoldenChangeState.values), name="golden_change_state_known"),
            models.CheckConstraint(
                condition=Q(operation=GoldenOperation.UPDATE, after__isnull=False)
                | Q(operation=GoldenOperation.DELETE, after__isnull=True),
                name="golden_change_after_matches_operation",
            ),
            models.CheckConstraint(
                condition=~Q(state=GoldenChangeState.APPLIED, guards=True)
                | Q(decided_by__isnull=False, author__isnull=True)
                | (Q(decided_by__isnull=False) & ~Q(decided_by=F("author"))),
                name="golden_change_four_eyes",
            ),
            models.UniqueConstraint(
                fields=["domain_index", "key"],
                condition=Q(state=GoldenChangeState.PROPOSED),
                name="golden_change_one_open",
            ),
        ]
        indexes = [
            # For the changes of one query, newest first; the triggers of golden queries look here too.
            models.Index(fields=["domain_index", "key", "-id"], name="golden_change_by_query"),
            # For what waits for a second person.
            models.Index(
                fields=["tenant", "-id"], condition=Q(state=GoldenChangeState.PROPOSED), name="golden_change_waiting"
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="golden_change_decided_once",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF TG_OP = 'UPDATE' THEN
                        IF OLD.state <> 'proposed' OR NEW.state = 'proposed'
                            OR (OLD.tenant_id, OLD.domain_index_id, OLD.key, OLD.query_version, OLD.operation, OLD.before,
                                OLD.after, OLD.reason, OLD.guards, OLD.author_id, OLD.author_label)
                               IS DISTINCT FROM
                               (NEW.tenant_id, NEW.domain_index_id, NEW.key, NEW.query_version, NEW.operation, NEW.before,
                                NEW.after, NEW.reason, NEW.guards, NEW.author_id, NEW.author_label)
                        THEN
                            RAISE EXCEPTION 'golden_change_decided_once' USING ERRCODE = 'check_violation';
                        END IF;
                    END IF;
                    NEW.applied_in := CASE WHEN NEW.state = 'applied' THEN pg_current_xact_id()::text::bigint END;
                    RETURN NEW;
                """,
            ),
            refuse("golden_change_stays", pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.get_operation_display()} {self.key}"
