"""Golden queries: what search must find, and what it found in each release."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


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
