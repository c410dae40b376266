"""Claims that were held against canon and found false."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class ContradictedClaim(models.Model):
    """A claim that canon contradicts, kept for audit with the source that says otherwise."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(
        "knowledge.DomainIndex", on_delete=models.CASCADE, related_name="contradicted_claims", db_index=False
    )
    release_number = models.PositiveIntegerField()
    claim = models.TextField()
    npc_id = models.CharField(max_length=120, blank=True)
    method = models.CharField(max_length=16, help_text="fields, retrieval or model.")
    source_slug = models.CharField(max_length=120)
    source_excerpt = models.TextField()
    expected = models.JSONField(
        null=True, blank=True, help_text="What canon says instead, where it is a structured fact."
    )
    request_id = models.CharField(max_length=128, blank=True)
    message_id = models.BigIntegerField(
        null=True,
        blank=True,
        help_text="What a player said to an NPC that answered so: the claim is forgotten with it.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        indexes = [
            # For a domain's log, newest first.
            models.Index(fields=["domain_index", "-id"], name="contradicted_claim_newest"),
            # For forgetting: what was claimed in the answers to a message.
            models.Index(
                fields=["tenant", "message_id"],
                condition=Q(message_id__isnull=False),
                name="contradicted_claim_message",
            ),
        ]

    def __str__(self) -> str:
        return self.claim[:80]
