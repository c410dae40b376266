"""A lorebook edited by hand while we archive: the edit wins in the book, and comes back as a proposal."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from episodes.events.actions.archive import archive_conversation
from episodes.events.actions.edits import bring_book
from episodes.events.actions.proposals import accept_proposal, decline_proposal
from episodes.events.errors import EventProposalDecided, UnknownEventProposal
from episodes.events.models import EventPassage, EventProposal
from episodes.events.selectors.books import read_book
from episodes.events.selectors.event_filters import EventFilters
from episodes.events.selectors.recall import recall_events
from episodes.forgetting.actions.forgetting import forget_message
from episodes.models import Message
from reviews.models import AuditEntry
from tenancy.core.audit_log import Decider
from tests.factcheck.plots.talks import TAVERN, make_events
from tests.factories.conversations import open_chat, say_alternately
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db
KEY = Decider("key", 1, "key m37_test")
FORGED = "The crown was forged by a dwarf."


@pytest.fixture
def chat(db):
    world = make_world("selmar", tenant="studio")
    chat = open_chat(world.tenant, world=world)
    say_alternately(chat, TAVERN)
    make_events(chat)
    return chat


def read(chat) -> dict:
    return {"entries": read_book(conversation_id=chat.pk, world_id=chat.world_id).entries}


def bring(chat, book):
    return bring_book(conversation_id=chat.pk, world_id=chat.world_id, raw=book, author="key m37_test")


def overtake(chat) -> EventProposal:
    """The book is given out, its event is archived, and then the book comes back with another text."""
    book = read(chat)
    archive_conversation(chat.pk, by_hand=True)
    book["entries"]["1"]["content"] = FORGED
    report = bring(chat, book)
    assert len(report.overtaken) == 1
    return EventProposal.objects.get(pk=report.proposed[0])


def found(chat, query: str) -> int:
    filters = EventFilters(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id, world_id=chat.world_id)
    return len(recall_events(filters, query=query).hits)


def decide(action, proposal, **more):
    return action(tenant_id=proposal.tenant_id, proposal_id=proposal.pk, decider=KEY, reason="So it was.", **more)


def test_an_edit_that_overtook_stands_in_the_book_and_waits_for_the_event(chat):
    proposal = overtake(chat)
    assert (proposal.state, proposal.after, proposal.seen_rev < proposal.rev) == ("open", FORGED, True)
    assert read(chat)["entries"]["1"]["content"] == FORGED
    assert (found(chat, "forged dwarf"), found(chat, "silver key")) == (0, 1)


def test_accepted_the_event_follows_and_its_vector_is_renewed(chat):
    proposal = decide(accept_proposal, overtake(chat))
    assert (proposal.state, proposal.decided_by, found(chat, "forged dwarf")) == ("accepted", KEY.name, 1)
    assert EventPassage.objects.get().embedding_state == "pending"
    assert read(chat)["entries"]["1"]["content"] == FORGED
    assert AuditEntry.objects.filter(action="event_proposal.accepted", object_id=proposal.pk).count() == 1
    with pytest.raises(EventProposalDecided):
        decide(decline_proposal, proposal)


def test_declined_the_entry_tells_the_event_again(chat):
    before = read(chat)["entries"]["1"]["content"]
    decide(decline_proposal, overtake(chat))
    assert read(chat)["entries"]["1"]["content"] == before
    assert found(chat, "silver key") == 1


def test_an_edit_on_top_of_the_newest_needs_no_proposal_and_withdraws_an_older(chat):
    proposal = overtake(chat)
    book = read(chat)
    book["entries"]["1"]["content"] = "The crown was melted."
    assert bring(chat, book).proposed == ()
    proposal.refresh_from_db()
    assert (proposal.state, found(chat, "crown melted")) == ("withdrawn", 1)


def test_what_is_forgotten_leaves_no_word_in_proposals_and_none_is_another_worlds(chat):
    proposal = overtake(chat)
    with pytest.raises(UnknownEventProposal):
        decide(accept_proposal, proposal, world_id=make_world("other", tenant="studio").pk)
    message = Message.objects.get(conversation=chat, seq=4)
    forget_message(tenant_id=chat.tenant_id, message_id=message.pk, requested_by="test")
    proposal.refresh_from_db()
    assert (proposal.state, proposal.before, proposal.after) == ("withdrawn", "", "")
    with pytest.raises(EventProposalDecided):
        decide(accept_proposal, proposal)
    with pytest.raises(IntegrityError, match="event_proposal"), transaction.atomic():
        EventProposal.objects.update(state="open")
