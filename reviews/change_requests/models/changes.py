"""Change requests: the only way by which canon changes."""

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class ChangeState(models.TextChoices):
    """Where a change request stands."""

    DRAFT = "draft", "Draft"
    IN_REVIEW = "in_review", "In review"
    NEEDS_CHANGES = "needs_changes", "Needs changes"
    APPROVED = "approved", "Approved"
    STAGED = "staged", "Staged"
    LIVE = "live", "Live"
    ROLLED_BACK = "rolled_back", "Rolled back"
    REJECTED = "rejected", "Rejected"
    WITHDRAWN = "withdrawn", "Withdrawn"


class ChangeKind(models.TextChoices):
    """What a change request changes."""

    CANON = "canon", "Articles of canon"
    NPC = "npc", "Profiles of NPCs"


EDITABLE_STATES = (ChangeState.DRAFT, ChangeState.NEEDS_CHANGES)
APPROVED_STATES = (ChangeState.APPROVED, ChangeState.STAGED, ChangeState.LIVE, ChangeState.ROLLED_BACK)
TRANSITIONS = {
    ChangeState.DRAFT: (ChangeState.IN_REVIEW, ChangeState.WITHDRAWN),
    ChangeState.IN_REVIEW: (
        ChangeState.APPROVED,
        ChangeState.NEEDS_CHANGES,
        ChangeState.REJECTED,
        ChangeState.WITHDRAWN,
    ),
    ChangeState.NEEDS_CHANGES: (ChangeState.IN_REVIEW, ChangeState.WITHDRAWN),
    # Only a request of NPC profiles goes live without a release.
    ChangeState.APPROVED: (
        ChangeState.STAGED,
        ChangeState.LIVE,
        ChangeState.NEEDS_CHANGES,
        ChangeState.WITHDRAWN,
    ),
    ChangeState.STAGED: (ChangeState.LIVE, ChangeState.APPROVED),
    ChangeState.LIVE: (ChangeState.ROLLED_BACK,),
    ChangeState.ROLLED_BACK: (ChangeState.LIVE, ChangeState.NEEDS_CHANGES, ChangeState.WITHDRAWN),
    ChangeState.REJECTED: (),
    ChangeState.WITHDRAWN: (),
}
_ALLOWED_TRANSITIONS = ", ".join(
    f"('{before}', '{after}')" for before, afters in TRANSITIONS.items() for after in afters
)


class ChangeRequest(models.Model):
    """A proposed edit of canon on its way through review. The author is a person or a machine's key, never both."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(
        "knowledge.DomainIndex", on_delete=models.CASCADE, related_name="change_requests", db_index=False
    )
    kind = models.CharField(max_length=8, choices=ChangeKind, default=ChangeKind.CANON, db_default=ChangeKind.CANON)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    state = models.CharField(max_length=16, choices=ChangeState, default=ChangeState.DRAFT)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="change_requests"
    )
    author_key = models.ForeignKey(
        "tenancy.ApiKey", on_delete=models.PROTECT, null=True, blank=True, related_name="change_requests"
    )
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="claimed_change_requests",
        help_text="Who has claimed the review.",
    )
    due_on = models.DateField(null=True, blank=True)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="approved_change_requests",
    )
    approved_at = models.DateTimeField(null=True, blank=True)
    release = models.ForeignKey(
        "knowledge.Release",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="change_requests",
        help_text="The release that carries it.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    submitted_at = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(author__isnull=False, author_key__isnull=True)
                | Q(author__isnull=True, author_key__isnull=False),
                name="change_request_one_author",
            ),
            models.CheckConstraint(
                condition=Q(approved_by__isnull=True) | Q(author__isnull=True) | ~Q(approved_by=F("author")),
                name="change_request_four_eyes",
            ),
            models.CheckConstraint(condition=Q(state__in=ChangeState.values), name="change_request_state_known"),
            models.CheckConstraint(
                condition=Q(state__in=APPROVED_STATES, approved_by__isnull=False, approved_at__isnull=False)
                | (~Q(state__in=APPROVED_STATES) & Q(approved_by__isnull=True, approved_at__isnull=True)),
                name="change_request_approval_matches_state",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=[ChangeState.STAGED, ChangeState.LIVE, ChangeState.ROLLED_BACK])
                | Q(release__isnull=False)
                | Q(kind=ChangeKind.NPC),
                name="change_request_staged_has_release",
            ),
            models.CheckConstraint(condition=Q(kind__in=ChangeKind.values), name="change_request_kind_known"),
            models.CheckConstraint(
                condition=Q(kind=ChangeKind.CANON)
                | (Q(release__isnull=True) & ~Q(state__in=[ChangeState.STAGED, ChangeState.ROLLED_BACK])),
                name="change_request_npc_has_no_release",
            ),
            models.CheckConstraint(condition=~Q(title=""), name="change_request_title_not_empty"),
        ]
        indexes = [
            # For queues: what waits in a domain, by state, newest first.
            models.Index(fields=["tenant", "domain_index", "state", "-id"], name="change_request_queue"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="change_request_transition_allowed",
                operation=pgtrigger.UpdateOf("state"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(old__state__df=pgtrigger.F("new__state")),
                func=f"""
                    IF (OLD.state, NEW.state) NOT IN ({_ALLOWED_TRANSITIONS}) THEN
                        RAISE EXCEPTION 'change_request_transition_allowed' USING ERRCODE = 'check_violation';
                    END IF;
                    IF OLD.state = 'approved' AND NEW.state = 'live' AND NEW.kind <> 'npc' THEN
                        RAISE EXCEPTION 'change_request_transition_allowed' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="change_request_kind_stays",
                operation=pgtrigger.UpdateOf("kind"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(old__kind__df=pgtrigger.F("new__kind")),
                func="RAISE EXCEPTION 'change_request_kind_stays' USING ERRCODE = 'check_violation';",
            ),
            pgtrigger.Trigger(
                name="change_request_author_stays",
                operation=pgtrigger.UpdateOf("author_id", "author_key_id"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(old__author__df=pgtrigger.F("new__author"))
                | pgtrigger.Q(old__author_key__df=pgtrigger.F("new__author_key")),
                func="RAISE EXCEPTION 'change_request_author_stays' USING ERRCODE = 'check_violation';",
            ),
            pgtrigger.Trigger(
                name="change_request_key_owner_does_not_approve",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("approved_by_id"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__approved_by__isnull=False, new__author_key__isnull=False),
                func="""
                    IF EXISTS (SELECT 1 FROM tenancy_apikey k WHERE k.id = NEW.author_key_id AND k.created_by_id = NEW.approved_by_id) THEN
                        RAISE EXCEPTION 'change_request_four_eyes' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} {self.title}"


class Operation(models.TextChoices):
    """What a change item does to its document."""

    CREATE = "create", "Create"
    UPDATE = "update", "Update"
    RETIRE = "retire", "Retire"


class ChangeItem(models.Model):
    """What one change request does to one document. It can't be touched while the request is under or past review."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    change_request = models.ForeignKey(ChangeRequest, on_delete=models.CASCADE, related_name="items", db_index=False)
    operation = models.CharField(max_length=8, choices=Operation)
    document = models.ForeignKey(
        "knowledge.LoreDocument",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="change_items",
        help_text="Empty until a created document is staged.",
    )
    base_revision = models.ForeignKey(
        "knowledge.LoreRevision",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="The live revision that the edit was made from.",
    )
    slug = models.CharField(max_length=120, help_text="The slug after the change; of a retired article, its last one.")
    content = models.JSONField(
        default=dict, help_text="The whole article after the change, in the form of schemas/lore_document.schema.json."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["change_request", "slug"],
                condition=~Q(operation=Operation.RETIRE),
                name="change_item_slug_unique",
            ),
            models.UniqueConstraint(fields=["change_request", "document"], name="change_item_document_unique"),
            models.CheckConstraint(condition=Q(operation__in=Operation.values), name="change_item_operation_known"),
            models.CheckConstraint(
                condition=Q(operation=Operation.CREATE, base_revision__isnull=True)
                | (~Q(operation=Operation.CREATE) & Q(document__isnull=False, base_revision__isnull=False)),
                name="change_item_base_matches_operation",
            ),
        ]
        indexes = [
            # For "open requests on this document".
            models.Index(fields=["document"], condition=Q(document__isnull=False), name="change_item_by_document")
        ]
        triggers = [
            pgtrigger.Trigger(
                name="change_item_frozen_in_review",
                operation=pgtrigger.Insert
                | pgtrigger.Delete
                | pgtrigger.UpdateOf("operation", "base_revision_id", "slug", "content", "change_request_id"),
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (
                        SELECT 1 FROM reviews_changerequest c
                        WHERE c.id IN (COALESCE(NEW.change_request_id, OLD.change_request_id), COALESCE(OLD.change_request_id, NEW.change_request_id))
                          AND (c.state NOT IN ('draft', 'needs_changes') OR c.kind <> 'canon')
                    ) THEN
                        RAISE EXCEPTION 'change_item_frozen_in_review' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN COALESCE(NEW, OLD);
                """,
            )
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.slug}"


class ReviewComment(models.Model):
    """A remark on a change request, on the whole or on one item."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    change_request = models.ForeignKey(ChangeRequest, on_delete=models.CASCADE, related_name="comments")
    item = models.ForeignKey(ChangeItem, on_delete=models.SET_NULL, null=True, blank=True, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="review_comment_not_empty")]

    def __str__(self) -> str:
        return self.text[:80]
