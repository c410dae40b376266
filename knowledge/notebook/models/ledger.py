"""What happened in notebooks: proposals, conflicts, commands of models, receipts."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from knowledge.notebook.core.limits import MAX_AGENT_LENGTH, MAX_PATH_BYTES
from knowledge.notebook.models.entries import EntryKind, NotebookEntry, NotebookVersion
from knowledge.notebook.models.guards import only_with_notebook, within_notebook
from knowledge.notebook.models.notebooks import Notebook
from memoryproject.triggers import append_only, moves_between


class ProposalState(models.TextChoices):
    """Where a proposed write stands."""

    PENDING = "pending", "Waits"
    APPROVED = "approved", "Approved"
    REJECTED = "rejected", "Rejected"


class NotebookProposal(models.Model):
    """A write that waits for somebody else."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    notebook = models.ForeignKey(Notebook, on_delete=models.CASCADE, related_name="proposals", db_index=False)
    kind = models.CharField(max_length=8, choices=EntryKind)
    name = models.CharField(max_length=MAX_PATH_BYTES, blank=True)
    content = models.TextField(blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    base_sha256 = models.CharField(max_length=64, blank=True, help_text="Of the version that the author had read.")
    author = models.CharField(max_length=MAX_AGENT_LENGTH)
    source = models.CharField(max_length=16)
    message_id = models.BigIntegerField(null=True, blank=True)
    state = models.CharField(max_length=8, choices=ProposalState, default=ProposalState.PENDING)
    decided_by = models.CharField(max_length=MAX_AGENT_LENGTH, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    version = models.ForeignKey(
        NotebookVersion, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=EntryKind.values), name="notebook_proposal_kind_known"),
            models.CheckConstraint(condition=Q(state__in=ProposalState.values), name="notebook_proposal_state_known"),
            models.CheckConstraint(
                condition=Q(state=ProposalState.PENDING, decided_at__isnull=True, decided_by="")
                | ~Q(state=ProposalState.PENDING) & Q(decided_at__isnull=False) & ~Q(decided_by=""),
                name="notebook_proposal_decision_whole",
            ),
            # Nobody approves their own words.
            models.CheckConstraint(
                condition=~Q(state=ProposalState.APPROVED) | ~Q(decided_by=F("author")),
                name="notebook_proposal_by_another",
            ),
        ]
        indexes = [
            # For what waits, and for lists.
            models.Index(fields=["notebook", "state", "-id"], name="notebook_proposal_by_state"),
        ]
        triggers = [
            only_with_notebook("notebook_proposal_is_kept"),
            within_notebook("notebook_proposal_same_tenant"),
            moves_between("notebook_proposal", {"pending": ["approved", "rejected"]}),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name} by {self.author}"


class ConflictKind(models.TextChoices):
    """What speaks against what."""

    OVERWRITTEN = "overwritten", "A fact was given another value by another author"
    CONTRADICTED = "contradicted", "A newer note says something else than a fact"


class ConflictState(models.TextChoices):
    """Where a conflict stands."""

    OPEN = "open", "Open"
    RESOLVED = "resolved", "Resolved"


class NotebookConflict(models.Model):
    """Two statements of which one may not hold; both stay, with their authors, until somebody decides."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    notebook = models.ForeignKey(Notebook, on_delete=models.CASCADE, related_name="conflicts", db_index=False)
    kind = models.CharField(max_length=12, choices=ConflictKind)
    entry = models.ForeignKey(NotebookEntry, on_delete=models.CASCADE, related_name="conflicts", db_index=False)
    older = models.ForeignKey(NotebookVersion, on_delete=models.CASCADE, related_name="+", db_index=False)
    newer = models.ForeignKey(NotebookVersion, on_delete=models.CASCADE, related_name="+", db_index=False)
    says = models.CharField(max_length=200, blank=True, help_text="What the newer one says instead, where it is known.")
    state = models.CharField(max_length=8, choices=ConflictState, default=ConflictState.OPEN)
    resolution = models.CharField(
        max_length=8, blank=True, help_text="older, newer, both, or changed by a later write."
    )
    resolved_by = models.CharField(max_length=MAX_AGENT_LENGTH, blank=True)
    resolved_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=ConflictKind.values), name="notebook_conflict_kind_known"),
            models.CheckConstraint(
                condition=Q(state=ConflictState.OPEN, resolved_at__isnull=True, resolved_by="", resolution="")
                | Q(
                    state=ConflictState.RESOLVED,
                    resolved_at__isnull=False,
                    resolution__in=["older", "newer", "both", "changed"],
                )
                & ~Q(resolved_by=""),
                name="notebook_conflict_resolution_whole",
            ),
            models.CheckConstraint(condition=~Q(older=F("newer")), name="notebook_conflict_two_sides"),
            models.UniqueConstraint(fields=["older", "newer"], name="notebook_conflict_unique"),
        ]
        indexes = [
            # For open conflicts of a fact, and for lists.
            models.Index(fields=["notebook", "state", "entry"], name="notebook_conflict_by_state"),
        ]
        triggers = [
            only_with_notebook("notebook_conflict_is_kept"),
            within_notebook(
                "notebook_conflict_same_notebook",
                {
                    "entry_id": "knowledge_notebookentry",
                    "older_id": "knowledge_notebookversion",
                    "newer_id": "knowledge_notebookversion",
                },
            ),
            moves_between("notebook_conflict", {"open": ["resolved"]}),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.entry}"


class CommandStatus(models.TextChoices):
    """What became of a command in a model's text."""

    EXECUTED = "executed", "Executed"
    PROPOSED = "proposed", "Proposed"
    REFUSED = "refused", "Refused"
    MALFORMED = "malformed", "Malformed"
    FAILED = "failed", "Failed"


class NotebookCommand(models.Model):
    """The ledger of commands. It names what was written by its version and holds no words."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    notebook = models.ForeignKey(Notebook, on_delete=models.CASCADE, related_name="commands", db_index=False)
    turn_id = models.UUIDField(help_text="The text that it stood in.")
    index = models.PositiveSmallIntegerField(help_text="Its place among the commands of the text.")
    agent = models.CharField(max_length=MAX_AGENT_LENGTH)
    command = models.CharField(max_length=32)
    status = models.CharField(max_length=9, choices=CommandStatus)
    code = models.CharField(max_length=60, blank=True, help_text="Why it was not executed.")
    start = models.PositiveIntegerField(help_text="Where it stood in the text.")
    length = models.PositiveIntegerField()
    version = models.ForeignKey(
        NotebookVersion, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    proposal = models.ForeignKey(
        NotebookProposal, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    found = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Entries that a read gave.")
    request_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["notebook", "turn_id", "index"], name="notebook_command_unique"),
            models.CheckConstraint(condition=Q(status__in=CommandStatus.values), name="notebook_command_status_known"),
            models.CheckConstraint(
                condition=Q(status__in=["executed", "proposed"], code="")
                | ~Q(status__in=["executed", "proposed"]) & ~Q(code=""),
                name="notebook_command_refusal_is_told",
            ),
        ]
        indexes = [
            # For lists, newest first.
            models.Index(fields=["notebook", "-id"], name="notebook_command_by_notebook"),
        ]
        triggers = [
            only_with_notebook("notebook_command_is_kept"),
            within_notebook("notebook_command_same_notebook", {"version_id": "knowledge_notebookversion"}),
        ]

    def __str__(self) -> str:
        return f"{self.command}: {self.status}"


class ReceiptKind(models.TextChoices):
    """What a receipt is for."""

    REDACTION = "redaction", "Redaction"
    ARCHIVING = "archiving", "Archiving"
    DELETION = "deletion", "Deletion of a notebook"
    FORGETTING = "forgetting", "Forgetting of a player's messages, or of all"


class NotebookReceipt(models.Model):
    """What was taken away, in figures. It outlives its notebook and holds none of its words."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey(
        "tenancy.World", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    notebook_ref = models.BigIntegerField(help_text="The notebook's id, which may be gone.")
    kind = models.CharField(max_length=10, choices=ReceiptKind)
    counts = models.JSONField()
    requested_by = models.CharField(max_length=MAX_AGENT_LENGTH)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=ReceiptKind.values), name="notebook_receipt_kind_known")
        ]
        indexes = [
            # For the receipts of a notebook.
            models.Index(fields=["tenant", "notebook_ref", "-created_at"], name="notebook_receipt_by_notebook"),
        ]
        triggers = [append_only("notebook_receipt_fixed")]

    def __str__(self) -> str:
        return f"{self.kind} {self.created_at:%Y-%m-%d}"
