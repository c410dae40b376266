"""How a world wants its events: replaced by version, logged, its books rendered by it."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from episodes.events.actions.archive import archive_conversation
from episodes.events.actions.policies import PolicyDraft, render_worlds, replace_policy
from episodes.events.errors import EventPolicyChanged, EventPolicyInvalid, EventPolicyVersionRequired
from episodes.events.models import EventNode, EventPolicy
from episodes.events.selectors.books import get_revision, read_book
from reviews.models import AuditEntry
from tenancy.core.audit_log import Decider
from tests.factcheck.plots.talks import TAVERN, make_events
from tests.factories.conversations import open_chat, say_alternately

pytestmark = pytest.mark.django_db
KEY = Decider("key", 1, "key m37_test")


def replace(world, seen: int | None, **values) -> EventPolicy:
    return replace_policy(world_id=world.pk, draft=PolicyDraft(**values), expected_version=seen, decider=KEY)


def test_a_policy_is_replaced_by_who_names_its_version_and_logged(world):
    assert replace(world, 0, every=20, archive_at=4).version == 1
    assert replace(world, 1, every=20, archive_at=4).version == 1  # the same again
    with pytest.raises(EventPolicyChanged):
        replace(world, 0, every=10)
    with pytest.raises(EventPolicyVersionRequired):
        replace(world, None, every=10)
    assert replace(world, 1, every=10).version == 2
    entries = AuditEntry.objects.filter(action="event_policy.replaced").order_by("pk")
    assert [entry.details.get("every") for entry in entries] == [
        {"before": 15, "after": 20},
        {"before": 20, "after": 10},
    ]


@pytest.mark.parametrize(
    "values",
    [
        {"every": 9},
        {"every": 21},
        {"archive_at": 0},
        {"archive_tokens": 99},
        {"archived_entries": "burn"},
        {"templates": {"tlh": "{summary}"}},
        {"templates": {"en": "{timestamp}"}},
        {"templates": {"en": "{summary} {secret}"}},
        {"templates": {"en": "{summary} {{char}}"}},
    ],
)
def test_a_policy_out_of_bounds_changes_nothing(world, values):
    with pytest.raises(EventPolicyInvalid):
        replace(world, 0, **values)
    assert not EventPolicy.objects.exists()


def test_the_database_keeps_versions_in_order(world):
    replace(world, 0, every=20)
    with pytest.raises(IntegrityError, match="event_policy_version_grows"), transaction.atomic():
        EventPolicy.objects.update(rendered_version=9)


def test_sizes_hold_from_the_next_chunk(world):
    chat = open_chat(world.tenant, world=world)
    replace(world, 0, every=10)
    say_alternately(chat, TAVERN)
    assert [(node.first_seq, node.last_seq) for node in make_events(chat)] == [(1, 10)]


def test_books_follow_a_template_and_what_becomes_of_archived_entries(world):
    chat = open_chat(world.tenant, world=world)
    say_alternately(chat, TAVERN)
    make_events(chat)
    archive_conversation(chat.pk, by_hand=True)
    rev = get_revision(chat.pk)
    replace(world, 0, archived_entries="lower", templates={"en": "WHAT: {summary}"})
    assert (render_worlds(), render_worlds()) == (1, 0)
    book = read_book(conversation_id=chat.pk, world_id=world.pk, since=rev)
    [entry] = book.entries.values()
    assert entry["content"].startswith("WHAT: ")
    assert not entry["disable"]
    assert EventNode.objects.get().display_text.startswith("WHAT: ")
    replace(world, 1, archived_entries="lower", templates={"en": "WHAT: {summary}"}, every=20)
    assert render_worlds() == 0  # nothing that books show has changed
