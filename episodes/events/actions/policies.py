"""How a world wants its events: replaced as a whole, by version, logged; its books follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from episodes.events.actions.books import lock_book, take_revision
from episodes.events.actions.cards import render_event
from episodes.events.core.cards import TEMPLATES, TemplateInvalid, validate_template
from episodes.events.core.chunks import EVERY, MAX_EVERY, MIN_EVERY
from episodes.events.errors import EventPolicyChanged, EventPolicyInvalid, EventPolicyVersionRequired
from episodes.events.models import SHOWN_STATES, EventNode, EventPolicy, EventState
from episodes.events.models.books import (
    ARCHIVE_AT,
    ARCHIVE_TOKENS,
    MAX_ARCHIVE_AT,
    MAX_ARCHIVE_TOKENS,
    MIN_ARCHIVE_TOKENS,
    ArchivedEntries,
)
from episodes.events.selectors.policies import get_policy
from tenancy.core.audit_log import AuditRecord, Decider, record_decision
from tenancy.models import World

SHOWN_VALUES = ("templates", "archived_entries")
"""What books show: when one of these changes they are rendered anew."""


@dataclass(frozen=True, slots=True)
class PolicyDraft:
    """A policy as somebody writes it."""

    is_enabled: bool = True
    every: int = EVERY
    archive_at: int = ARCHIVE_AT
    archive_tokens: int = ARCHIVE_TOKENS
    archived_entries: str = ArchivedEntries.DISABLE
    templates: Mapping[str, str] = field(default_factory=dict)


def read_draft(policy: EventPolicy) -> PolicyDraft:
    """What stands, as a draft."""
    return PolicyDraft(**{each.name: getattr(policy, each.name) for each in fields(PolicyDraft)})


def replace_policy(*, world_id: int, draft: PolicyDraft, expected_version: int | None, decider: Decider) -> EventPolicy:
    """The policy as it stands now; the same again changes nothing. Version 0 is that of a world without one.

    A change is in the audit log, and the sweep renders the world's books by it. Locks the world. Raises
    EventPolicyInvalid, EventPolicyVersionRequired, EventPolicyChanged.
    """
    validate_policy(draft)
    with transaction.atomic():
        world = World.objects.select_for_update(no_key=True).get(pk=world_id)
        policy = get_policy(world.pk)
        version = policy.version if policy.pk else 0
        if expected_version is None:
            raise EventPolicyVersionRequired(f"The policy has version {version}: send If-Match.", version=version)
        if expected_version != version:
            raise EventPolicyChanged(f"The policy has version {version}, not {expected_version}.", version=version)
        before = asdict(read_draft(policy))
        after = {**asdict(draft), "templates": dict(draft.templates)}
        if policy.pk and before == after:
            return policy
        for name, value in after.items():
            setattr(policy, name, value)
        policy.tenant_id, policy.world_id = world.tenant_id, world.pk
        if policy.rendered_version == version and not any(before[name] != after[name] for name in SHOWN_VALUES):
            policy.rendered_version = version + 1
        policy.version, policy.updated_at = version + 1, timezone.now()
        policy.save()
        record_decision(_describe(world, decider, before, after, version))
    return policy


def validate_policy(draft: PolicyDraft) -> None:
    """Raises EventPolicyInvalid, naming the value."""
    bounds = (
        ("every", MIN_EVERY, MAX_EVERY),
        ("archive_at", 1, MAX_ARCHIVE_AT),
        ("archive_tokens", MIN_ARCHIVE_TOKENS, MAX_ARCHIVE_TOKENS),
    )
    for name, least, most in bounds:
        if not least <= getattr(draft, name) <= most:
            raise EventPolicyInvalid(f"{name} lies between {least} and {most}.", field=name)
    if draft.archived_entries not in ArchivedEntries.values:
        raise EventPolicyInvalid("archived_entries is disable or lower.", field="archived_entries")
    for language, template in draft.templates.items():
        if language not in TEMPLATES:
            raise EventPolicyInvalid(f"templates: {language!r} is none of {', '.join(TEMPLATES)}.", field="templates")
        try:
            validate_template(template)
        except TemplateInvalid as error:
            raise EventPolicyInvalid(f"templates.{language}: {error}", field="templates") from error


def render_books(world_id: int, conversation_id: int) -> int:
    """How many entries of a conversation's book changed by its world's policy; each has a new revision.

    Locks the conversation's book: one transaction, run again it changes nothing.
    """
    changed = 0
    with transaction.atomic():
        book = lock_book(conversation_id)
        policy = get_policy(world_id)
        rows = EventNode.objects.select_for_update(no_key=True).filter(conversation_id=conversation_id)
        for node in rows.filter(state__in=SHOWN_STATES).order_by("pk"):
            # An archived entry is on or off by the policy alone: its revision says that it may have changed.
            if render_event(node, policy) or node.state == EventState.ARCHIVED:
                node.rev, node.updated_at = take_revision(book), timezone.now()
                node.save(update_fields=["title", "display_text", "tokens", "rev", "updated_at"])
                changed += 1
    return changed


def list_unrendered() -> list[tuple[int, int, int]]:
    """World, version and policy of those whose books are not rendered by their newest version."""
    rows = EventPolicy.objects.filter(rendered_version__lt=F("version")).order_by("pk")
    return list(rows.values_list("world_id", "version", "pk"))


def render_worlds() -> int:
    """How many books were rendered anew because the policy of their world changed. Run again it goes on."""
    books = 0
    for world_id, version, policy_id in list_unrendered():
        rows = EventNode.objects.filter(conversation__world_id=world_id, state__in=SHOWN_STATES)
        for conversation_id in rows.order_by("conversation_id").values_list("conversation_id", flat=True).distinct():
            render_books(world_id, conversation_id)
            books += 1
        EventPolicy.objects.filter(pk=policy_id, rendered_version__lt=version).update(rendered_version=version)
    return books


def _describe(
    world: World, decider: Decider, before: Mapping[str, object], after: Mapping[str, object], version: int
) -> AuditRecord:
    changed = sorted(name for name in after if after[name] != before[name])
    return AuditRecord(
        tenant_id=world.tenant_id,
        decider=decider,
        action="event_policy.replaced",
        object_type="event_policy",
        object_id=world.pk,
        object_label=world.name,
        before=f"version {version}",
        after=f"version {version + 1}",
        details={name: {"before": before[name], "after": after[name]} for name in changed},
    )
