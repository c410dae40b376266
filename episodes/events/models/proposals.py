"""What people wrote into an entry while its event was changed here: it stands there, and waits to become the event's."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from episodes.events.models.nodes import EventNode
from memoryproject.triggers import keep_together, moves_between


class ProposalState(models.TextChoices):
    """What became of it."""

    OPEN = "open", "Waits for a decision"
    ACCEPTED = "accepted", "The event follows it"
    DECLINED = "declined", "The entry tells the event again"
    WITHDRAWN = "withdrawn", "Replaced by a newer edit, or gone with its event"


DECIDED = (ProposalState.ACCEPTED, ProposalState.DECLINED)


class EventProposal(models.Model):
    """The text of an entry that was edited on top of an older revision. Its words go with those of its event."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    node = models.ForeignKey(EventNode, on_delete=models.PROTECT, related_name="proposals", db_index=False)
    state = models.CharField(max_length=9, choices=ProposalState, default=ProposalState.OPEN)
    author = models.CharField(max_length=150, help_text="A user, or the key that brought the book.")
    seen_rev = models.BigIntegerField(help_text="Of the entry that was edited.")
    rev = models.BigIntegerField(help_text="Of the event when the edit arrived.")
    before = models.TextField(blank=True, help_text="The event's summary. Empty: it was forgotten.")
    after = models.TextField(blank=True, help_text="The entry's text, as people wrote it. Empty: it was forgotten.")
    decided_by = models.CharField(max_length=150, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = "proposal for an event"
        verbose_name_plural = "proposals for events"
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ProposalState.values), name="event_proposal_state_known"),
            models.CheckConstraint(condition=~Q(author=""), name="event_proposal_has_author"),
            models.CheckConstraint(
                condition=~Q(state=ProposalState.OPEN) | ~Q(after=""), name="event_proposal_open_has_words"
            ),
            models.CheckConstraint(
                condition=Q(state__in=DECIDED, decided_at__isnull=False) & ~Q(decided_by="")
                | ~Q(state__in=DECIDED) & Q(decided_at__isnull=True, decided_by=""),
                name="event_proposal_decided_by_somebody",
            ),
            models.UniqueConstraint(
                fields=["node"], condition=Q(state=ProposalState.OPEN), name="event_proposal_one_open"
            ),
        ]
        indexes = [
            # For the list of what waits.
            models.Index(fields=["tenant", "state", "-id"], name="event_proposal_by_state"),
            # For those of an event.
            models.Index(fields=["node", "id"], name="event_proposal_by_node"),
        ]
        triggers = [
            keep_together("event_proposal_same_tenant", {"node_id": ("episodes_eventnode", ("tenant_id",))}),
            moves_between("event_proposal", {"open": ["accepted", "declined", "withdrawn"]}),
        ]

    def __str__(self) -> str:
        return f"proposal {self.pk} by {self.author}"
