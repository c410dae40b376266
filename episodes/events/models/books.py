"""The lorebook of a conversation, what people wrote into it, and how a world wants its events."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from episodes.conversations.models import Conversation
from episodes.events.core.chunks import EVERY, MAX_EVERY, MIN_EVERY
from episodes.events.models.nodes import EventNode
from episodes.models.guards import only_add
from memoryproject.triggers import keep_together

ARCHIVE_AT, ARCHIVE_TOKENS = 10, 2000
MAX_ARCHIVE_AT, MIN_ARCHIVE_TOKENS, MAX_ARCHIVE_TOKENS = 200, 100, 1_000_000


class ArchivedEntries(models.TextChoices):
    """What becomes of the entry of an archived event. Source: seed 001, section 3.2."""

    DISABLE = "disable", "Disabled: search alone finds it"
    LOWER = "lower", "Kept, below all others"


class EventPolicy(models.Model):
    """How events are made in a world. A world without a row keeps to the defaults."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.OneToOneField("tenancy.World", on_delete=models.CASCADE, related_name="event_policy")
    is_enabled = models.BooleanField(default=True, help_text="Whether talk becomes events by itself.")
    every = models.PositiveSmallIntegerField(default=EVERY, help_text="Messages of one event, 10 to 20.")
    archive_at = models.PositiveSmallIntegerField(
        default=ARCHIVE_AT, help_text="Events of a conversation that wait in its lorebook until they are archived."
    )
    archive_tokens = models.PositiveIntegerField(
        default=ARCHIVE_TOKENS, help_text="Tokens of their cards together, after which they are archived as well."
    )
    archived_entries = models.CharField(max_length=8, choices=ArchivedEntries, default=ArchivedEntries.DISABLE)
    templates = models.JSONField(
        default=dict, blank=True, help_text='Language to the template of a card, such as {"en": "{summary}"}.'
    )
    version = models.PositiveIntegerField(default=1, editable=False)
    rendered_version = models.PositiveIntegerField(
        default=0, editable=False, help_text="By this version all books of the world were rendered."
    )
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = "event policy"
        verbose_name_plural = "event policies"
        constraints = [
            models.CheckConstraint(
                condition=Q(every__gte=MIN_EVERY, every__lte=MAX_EVERY), name="event_policy_every_in_bounds"
            ),
            models.CheckConstraint(
                condition=Q(archive_at__gte=1, archive_at__lte=200, archive_tokens__gte=100),
                name="event_policy_archive_in_bounds",
            ),
            models.CheckConstraint(
                condition=Q(archived_entries__in=ArchivedEntries.values), name="event_policy_entries_known"
            ),
            models.CheckConstraint(
                condition=Q(version__gte=1, rendered_version__lte=models.F("version")),
                name="event_policy_version_grows",
            ),
        ]
        triggers = [keep_together("event_policy_same_tenant", {"world_id": ("tenancy_world", ("tenant_id",))})]

    def __str__(self) -> str:
        return f"every {self.every} messages"


class EventBook(models.Model):
    """The lorebook of one conversation. Its row is the lock under which events get their range and their revision.

    So a revision is visible only when all before it are, and who asks for what changed since one misses nothing.
    """

    conversation = models.OneToOneField(
        Conversation, on_delete=models.PROTECT, primary_key=True, related_name="event_book"
    )
    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    reached = models.PositiveIntegerField(default=0, help_text="Up to this place messages belong to events.")
    tried_seq = models.PositiveIntegerField(
        default=0,
        help_text="The conversation's last place when chunks were looked for; the same is not looked at twice.",
    )
    is_tried_closed = models.BooleanField(default=False, help_text="Whether the session was over then.")
    rev = models.BigIntegerField(default=0)
    foreign = models.JSONField(
        default=dict,
        blank=True,
        help_text="Entries of the book that are nobody's event, and its other members, as they came.",
    )
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        triggers = [
            keep_together("event_book_same_tenant", {"conversation_id": ("episodes_conversation", ("tenant_id",))})
        ]

    def __str__(self) -> str:
        return f"book of conversation {self.conversation_id}, revision {self.rev}"


class EventEdit(models.Model):
    """What a person changed of an event, with who it was. Added only; emptied when its event is forgotten."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    node = models.ForeignKey(EventNode, on_delete=models.PROTECT, related_name="edits", db_index=False)
    author = models.CharField(max_length=150, help_text="A user, or the key that brought the book.")
    change = models.JSONField(null=True, blank=True, help_text="What was written, by field. Null: it was forgotten.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [models.CheckConstraint(condition=~Q(author=""), name="event_edit_has_author")]
        indexes = [
            # For the edits of an event, in order.
            models.Index(fields=["node", "id"], name="event_edit_by_node")
        ]
        triggers = [
            keep_together("event_edit_same_tenant", {"node_id": ("episodes_eventnode", ("tenant_id",))}),
            only_add("event_edit_append_only", "episodes_eventedit", may_change=("change",)),
        ]

    def __str__(self) -> str:
        return f"{self.author}, {self.created_at:%Y-%m-%d}"
