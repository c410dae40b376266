"""Releases of one world's domain, the edits that make them, and the aliases that runtime reads follow."""

import pgtrigger
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from memoryproject.triggers import append_only, world_of_same_tenant

MAX_CANARY_PERCENT = 99


class DomainIndex(models.Model):
    """One domain (srd, lore) of one world: a partition of the search index, and what its releases are numbered within."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="domain_indexes", db_index=False)
    domain = models.CharField(max_length=32)
    canary_percent = models.PositiveSmallIntegerField(
        default=0,
        validators=[MaxValueValidator(MAX_CANARY_PERCENT)],
        help_text="Share of sessions, by hash, that read the staged release before the swap.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name_plural = "domain indexes"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "world", "domain"], name="domain_index_unique"),
            models.CheckConstraint(
                condition=Q(canary_percent__lte=MAX_CANARY_PERCENT), name="domain_index_canary_percent_range"
            ),
        ]
        triggers = [
            world_of_same_tenant("domain_index_world_same_tenant"),
            pgtrigger.Trigger(
                name="domain_index_canary_through_gate",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("canary_percent"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__canary_percent__gt=0),
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM knowledge_alias a JOIN knowledge_release r ON r.id = a.release_id
                        WHERE a.domain_index_id = NEW.id AND a.name = 'stage'
                          AND (r.gate_state IN ('passed', 'overridden', 'exempt')
                               OR EXISTS (SELECT 1 FROM knowledge_canaryoverride o WHERE o.release_id = r.id))
                    ) THEN
                        RAISE EXCEPTION 'domain_index_canary_through_gate' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.world} / {self.domain}"


class VectorSpace(models.Model):
    """One embedder at one number of dimensions, as used by a domain index. Vectors of different spaces are never compared."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(
        DomainIndex, on_delete=models.CASCADE, related_name="vector_spaces", db_index=False
    )
    embedder = models.CharField(
        max_length=200, help_text="Provider and model, for example hashing-v1 or openai:text-embedding-3-large."
    )
    dims = models.PositiveIntegerField()
    hnsw_ready = models.BooleanField(default=False, help_text="An HNSW index of this space exists and is valid.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["domain_index", "embedder", "dims"], name="vector_space_unique"),
            models.CheckConstraint(condition=Q(dims__gte=1) & Q(dims__lte=4000), name="vector_space_dims_range"),
        ]

    def __str__(self) -> str:
        return f"{self.embedder} ({self.dims})"


class ReleaseState(models.TextChoices):
    """Where a release stands. `latest` may only point at a published one."""

    BUILDING = "building", "Building"
    STAGED = "staged", "Staged"
    PUBLISHED = "published", "Published"
    FAILED = "failed", "Failed"
    DISCARDED = "discarded", "Discarded"


class GateState(models.TextChoices):
    """What the golden queries said about a release."""

    PENDING = "pending", "Not run yet"
    RUNNING = "running", "Running"
    PASSED = "passed", "Passed"
    FAILED = "failed", "Failed"
    OVERRIDDEN = "overridden", "Failed, overridden by an owner"
    EXEMPT = "exempt", "First load: nothing to compare with"


GATE_OPEN = (GateState.PASSED, GateState.OVERRIDDEN, GateState.EXEMPT)


class Release(models.Model):
    """A numbered state of one domain index. Its contents are the rows live in it: added_in <= number < removed_in."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(DomainIndex, on_delete=models.CASCADE, related_name="releases", db_index=False)
    number = models.PositiveIntegerField()
    base_number = models.PositiveIntegerField(
        null=True, blank=True, help_text="The release it was built on; empty for the first."
    )
    state = models.CharField(max_length=16, choices=ReleaseState, default=ReleaseState.BUILDING)
    title = models.CharField(max_length=200, blank=True)
    rebuild = models.BooleanField(default=False, help_text="Every passage is made anew from its revision (re-index).")
    undone = models.BooleanField(
        default=False, help_text="What releases after the base changed has been undone (or there was nothing to undo)."
    )
    analysis_version = models.PositiveIntegerField()
    length_pivot = models.FloatField(help_text="The passage length, in lexemes, that BM25 treats as average.")
    vector_space = models.ForeignKey(VectorSpace, on_delete=models.PROTECT, related_name="+", db_index=False)
    edits_total = models.PositiveIntegerField(default=0)
    edits_done = models.PositiveIntegerField(default=0)
    passage_count = models.PositiveIntegerField(default=0, help_text="Passages live in this release.")
    document_count = models.PositiveIntegerField(default=0, help_text="Documents live in this release.")
    error = models.TextField(blank=True, help_text="Why the build failed.")
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(
        null=True, blank=True, help_text="Last sign of life of the worker that builds it."
    )
    gate_state = models.CharField(max_length=16, choices=GateState, default=GateState.PENDING)
    gate_reason = models.TextField(blank=True, help_text="Why a failed gate was overridden.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    staged_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True, help_text="When it first went live.")

    class Meta:
        ordering = ["domain_index_id", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["domain_index", "number"], name="release_number_unique"),
            models.UniqueConstraint(
                fields=["domain_index"],
                condition=Q(state__in=[ReleaseState.BUILDING, ReleaseState.STAGED, ReleaseState.FAILED]),
                name="release_one_stage_at_a_time",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="release_number_positive"),
            models.CheckConstraint(
                condition=Q(base_number__isnull=True) | Q(base_number__lt=F("number")), name="release_built_on_earlier"
            ),
            models.CheckConstraint(condition=Q(state__in=ReleaseState.values), name="release_state_known"),
            models.CheckConstraint(condition=Q(gate_state__in=GateState.values), name="release_gate_state_known"),
            models.CheckConstraint(
                condition=~Q(state=ReleaseState.PUBLISHED) | Q(gate_state__in=GATE_OPEN),
                name="release_published_through_gate",
            ),
            models.CheckConstraint(
                condition=~Q(gate_state=GateState.OVERRIDDEN) | ~Q(gate_reason=""), name="release_override_has_reason"
            ),
            models.CheckConstraint(
                condition=~Q(state=ReleaseState.PUBLISHED) | Q(published_at__isnull=False),
                name="release_published_has_time",
            ),
            models.CheckConstraint(
                condition=Q(edits_done__lte=F("edits_total")), name="release_edits_done_within_total"
            ),
            models.CheckConstraint(condition=Q(length_pivot__gt=0), name="release_length_pivot_positive"),
        ]
        indexes = [
            # For the sweeper: builds whose worker fell silent.
            models.Index(fields=["heartbeat_at"], condition=Q(state=ReleaseState.BUILDING), name="release_building"),
        ]
        triggers = [
            # A gate that closes again takes the sessions back.
            pgtrigger.Trigger(
                name="release_closed_gate_ends_canary",
                operation=pgtrigger.UpdateOf("gate_state"),
                when=pgtrigger.After,
                condition=~pgtrigger.Q(new__gate_state__in=GATE_OPEN),
                func="""
                    UPDATE knowledge_domainindex d SET canary_percent = 0
                    WHERE d.id = NEW.domain_index_id AND d.canary_percent > 0
                      AND EXISTS (SELECT 1 FROM knowledge_alias a WHERE a.release_id = NEW.id AND a.name = 'stage')
                      AND NOT EXISTS (SELECT 1 FROM knowledge_canaryoverride o WHERE o.release_id = NEW.id);
                    RETURN NULL;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"release {self.number}"


class CanaryOverride(models.Model):
    """An owner's word that sessions may read a release although its gate is closed or has not run."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="canary_overrides")
    gate_state = models.CharField(max_length=16, choices=GateState, help_text="What the gate was then.")
    reason = models.TextField()
    author = models.CharField(max_length=200, help_text="Who gave their word.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="canary_override_has_reason"),
            models.CheckConstraint(condition=~Q(author=""), name="canary_override_has_author"),
        ]
        triggers = [append_only("canary_override_append_only")]

    def __str__(self) -> str:
        return f"canary of {self.release_id}: {self.reason[:60]}"


class EditState(models.TextChoices):
    """Whether an edit has been worked into its release."""

    PENDING = "pending"
    DONE = "done"


class ReleaseEdit(models.Model):
    """One document's change in one release: a new revision, or (revision empty) its retirement."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="edits", db_index=False)
    document = models.ForeignKey("knowledge.LoreDocument", on_delete=models.PROTECT, related_name="release_edits")
    revision = models.ForeignKey(
        "knowledge.LoreRevision", on_delete=models.PROTECT, null=True, blank=True, related_name="release_edits"
    )
    state = models.CharField(max_length=8, choices=EditState, default=EditState.PENDING)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "document"], name="release_edit_document_unique")]
        indexes = [
            # For the builder: the edits still to be worked in.
            models.Index(fields=["release", "id"], condition=Q(state=EditState.PENDING), name="release_edit_pending"),
        ]

    def __str__(self) -> str:
        return f"edit {self.pk}: {self.state}"


class AliasName(models.TextChoices):
    """The names that runtime reads follow."""

    LATEST = "latest"
    STAGE = "stage"


class Alias(models.Model):
    """A name that points at a release. Moving it is the swap: one row, constant time."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(DomainIndex, on_delete=models.CASCADE, related_name="aliases", db_index=False)
    name = models.CharField(max_length=16, choices=AliasName)
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="aliases")
    moved_at = models.DateTimeField(db_default=Now())
    moved_how = models.CharField(max_length=16, db_default="loaded", help_text="A kind of `LivePeriod`.")
    moved_by = models.CharField(max_length=200, blank=True, db_default="")
    moved_why = models.TextField(blank=True, db_default="")

    class Meta:
        verbose_name_plural = "aliases"
        constraints = [
            models.UniqueConstraint(fields=["domain_index", "name"], name="alias_name_unique"),
            models.CheckConstraint(condition=Q(name__in=AliasName.values), name="alias_name_known"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="alias_points_at_ready_release",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                declare=[("target", "knowledge_release%ROWTYPE")],
                func="""
                    SELECT * INTO target FROM knowledge_release r WHERE r.id = NEW.release_id;
                    IF target.domain_index_id <> NEW.domain_index_id THEN
                        RAISE EXCEPTION 'alias_release_same_domain_index' USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.name = 'latest' AND target.state <> 'published' THEN
                        RAISE EXCEPTION 'alias_latest_is_published' USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.name = 'stage' AND target.state <> 'staged' THEN
                        RAISE EXCEPTION 'alias_stage_is_staged' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            # What was live when is written wherever `latest` moves, past the ORM too.
            pgtrigger.Trigger(
                name="alias_latest_writes_live_period",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("release_id"),
                when=pgtrigger.After,
                condition=pgtrigger.Q(new__name="latest"),
                func="""
                    IF TG_OP = 'UPDATE' AND OLD.release_id = NEW.release_id THEN RETURN NULL; END IF;
                    UPDATE knowledge_liveperiod SET ended_at = GREATEST(NEW.moved_at, began_at),
                        ended_how = NEW.moved_how, ended_by = NEW.moved_by, ended_why = NEW.moved_why
                    WHERE domain_index_id = NEW.domain_index_id AND ended_at IS NULL;
                    INSERT INTO knowledge_liveperiod
                        (tenant_id, domain_index_id, release_id, began_at, began_how, began_by, began_why, ended_how, ended_by, ended_why)
                    VALUES (NEW.tenant_id, NEW.domain_index_id, NEW.release_id, NEW.moved_at, NEW.moved_how, NEW.moved_by, NEW.moved_why, '', '', '');
                    RETURN NULL;
                """,
            ),
            # A share belongs to the release that it was set for.
            pgtrigger.Trigger(
                name="alias_moved_stage_ends_canary",
                operation=pgtrigger.UpdateOf("release_id") | pgtrigger.Delete,
                when=pgtrigger.After,
                condition=pgtrigger.Q(old__name="stage"),
                func="""
                    UPDATE knowledge_domainindex d SET canary_percent = 0
                    WHERE d.id = OLD.domain_index_id AND d.canary_percent > 0;
                    RETURN NULL;
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.name
