"""Pages of events: how a world wants them, and edits that overtook one."""

from __future__ import annotations

import pytest
from django.urls import reverse

from episodes.events.actions.archive import archive_conversation
from episodes.events.actions.edits import bring_book
from episodes.events.models import EventNode, EventPolicy, EventProposal
from episodes.events.selectors.books import read_book
from reviews.models import AuditEntry, ChangeRequest
from tests.factcheck.plots.talks import TAVERN, make_events
from tests.factories.conversations import open_chat, say_alternately

pytestmark = pytest.mark.django_db
FORGED = "The crown was forged by a dwarf."


@pytest.fixture
def chat(selmar):
    chat = open_chat(selmar.world.tenant, world=selmar.world)
    say_alternately(chat, TAVERN)
    make_events(chat)
    return chat


def send(client, url, **values):
    """The form as the page gave it, with some values changed."""
    page = client.get(url)
    form = page.context["form"]
    sent = {name: form[name].value() for name in form.fields} | values
    return client.post(url, {name: value for name, value in sent.items() if value not in (None, False)})


def test_an_owner_sets_how_a_world_wants_its_events(selmar, sign_in):
    url = reverse("admin:event_policy", args=[selmar.world.pk])
    assert sign_in(selmar.editor).get(url).status_code in (403, 404)
    client = sign_in(selmar.owner)
    refused = send(client, url, every=21)
    assert (refused.status_code, EventPolicy.objects.count()) == (200, 0)
    broken = send(client, url, template_en="{secret}")
    assert "There is no {secret}" in broken.content.decode()
    assert send(client, url, every=20, template_en="{summary}").status_code == 302
    policy = EventPolicy.objects.get()
    assert (policy.every, policy.templates, policy.version) == (20, {"en": "{summary}"}, 1)
    assert AuditEntry.objects.filter(action="event_policy.replaced").count() == 1


def test_of_two_owners_the_second_sees_what_the_first_wrote(selmar, sign_in):
    url = reverse("admin:event_policy", args=[selmar.world.pk])
    client = sign_in(selmar.owner)
    form = client.get(url).context["form"]
    old = {name: form[name].value() for name in form.fields if form[name].value() not in (None, False)}
    send(client, url, every=20)
    late = client.post(url, {**old, "every": 12})
    assert (late.status_code, EventPolicy.objects.get().every) == (200, 20)


@pytest.mark.parametrize(("verb", "state"), [("accept", "accepted"), ("decline", "declined")])
def test_an_edit_that_overtook_is_listed_shown_and_decided_with_a_reason(selmar, chat, sign_in, verb, state):
    book = {"entries": read_book(conversation_id=chat.pk, world_id=chat.world_id).entries}
    archive_conversation(chat.pk, by_hand=True)
    book["entries"]["1"]["content"] = FORGED
    bring_book(conversation_id=chat.pk, world_id=chat.world_id, raw=book, author="key m37_test")
    proposal = EventProposal.objects.get()
    client = sign_in(selmar.reviewer)
    assert FORGED in client.get(reverse("admin:episodes_eventproposal_changelist")).content.decode()
    page = reverse("admin:episodes_eventnode_change", args=[proposal.node_id])
    assert "Let the event follow" in client.get(page).content.decode()
    url = reverse("admin:event_proposal_decide", args=[proposal.pk, verb])
    assert sign_in(selmar.editor).post(url, {"reason": "x"}).status_code in (403, 404)
    assert "Say why" in client.post(url, {"reason": " "}, follow=True).content.decode()
    client.post(url, {"reason": "So it was."})
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decided_by, proposal.reason) == (state, "selmar-reviewer", "So it was.")
    assert "Let the event follow" not in client.get(page).content.decode()


def test_an_archived_event_is_proposed_as_a_draft_once(selmar, chat, sign_in):
    node = EventNode.objects.get()
    page = reverse("admin:episodes_eventnode_change", args=[node.pk])
    url = reverse("admin:event_propose", args=[node.pk])
    client = sign_in(selmar.owner)
    assert "Propose as lore" not in client.get(page).content.decode()
    assert "not archived" in client.post(url, follow=True).content.decode()
    archive_conversation(chat.pk, by_hand=True)
    assert "Propose as lore" in client.get(page).content.decode()
    assert sign_in(selmar.editor).post(url).status_code in (403, 404)
    answer = sign_in(selmar.owner).post(url)
    request = ChangeRequest.objects.get()
    assert answer["Location"] == reverse("admin:change_request", args=[request.pk])
    assert (request.state, request.items.count()) == ("draft", 1)
    assert "nothing to propose" in sign_in(selmar.owner).post(url, follow=True).content.decode()
    assert ChangeRequest.objects.count() == 1
