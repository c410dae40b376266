"""Whatever is posted, edited, swiped, chosen, branched, forgotten: facts stand as if only what is left was said."""

from __future__ import annotations

import os
import uuid

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes.alternatives.branches import branch_conversation
from episodes.conversations.models import PLACE_ID
from episodes.forgetting.actions.forgetting import forget_message
from episodes.models import Message, MessagePassage
from factcheck.rebuild.actions.rebuild import rebuild_facts
from knowledge.facts.models import PROTECTED_TYPES, UserFact
from knowledge.facts.selectors.facts import view_fact
from tests.factcheck.alternatives.talks import edit, select, swipe
from tests.factories.conversations import open_chat, post

EXAMPLES = int(os.environ.get("EDIT_EXAMPLES", "25"))
OWN = (
    "My size is M.",
    "My size is S.",
    "I'm allergic to nuts.",
    "I'm allergic to nickel and my size is L.",
    "I'm not allergic to nuts.",
    "No, I wear size S.",
    "No, that's wrong.",
    "No.",
    "Yes.",
    "M",
    "I hate wool, never show me wool.",
    "My budget is 300 EUR.",
    "My budget is 50 USD.",
    "What a lovely evening.",
)
TOLD = (
    "You are allergic to nuts, right?",
    "So you wear size M?",
    "Your size is L.",
    "What is your size?",
    "You wear size M.",
    "The inn is warm.",
)
NOTHING = {"user": "What a lovely evening.", "assistant": "The inn is warm."}
ACTS = st.one_of(
    st.tuples(st.just("say"), st.integers(0, 20), st.integers(0, 20)),
    st.tuples(st.just("say"), st.integers(0, 20), st.integers(0, 20)),
    st.tuples(st.just("tell"), st.integers(0, 20), st.integers(0, 20)),
    st.tuples(st.sampled_from(["edit", "swipe", "select", "branch"]), st.integers(0, 20), st.integers(0, 20)),
)
LOSING = st.tuples(st.just("forget"), st.integers(0, 20), st.integers(0, 20))


class Play:
    """A player's talk in a tree of conversations."""

    def __init__(self, tenant):
        self.tenant_id = tenant.pk
        trunk = open_chat(tenant, f"player-{uuid.uuid4()}")
        self.end_user_id = trunk.end_user_id
        self.chats = [trunk]
        self.has_forgotten = False

    def act(self, name, first, second):
        chat = self.chats[first % len(self.chats)]
        chat.refresh_from_db()
        living = list(Message.objects.living().filter(conversation__in=self.chats).order_by("pk"))
        if name == "say":
            post(chat, ("user", OWN[second % len(OWN)]))
        elif name == "tell":
            post(chat, ("assistant", TOLD[second % len(TOLD)]))
        elif not living:
            return
        else:
            self.change(name, living[first % len(living)], second)

    def change(self, name, message, number):
        lines = OWN if message.role == "user" else TOLD
        if name == "edit":
            edit(message, lines[number % len(lines)])
        elif name == "swipe":
            swipe(message.conversation, message.seq, lines[number % len(lines)])
        elif name == "select":
            rows = Message.objects.kept().filter(conversation=message.conversation, seq=message.seq).order_by("pk")
            select(rows[number % rows.count()])
        elif name == "branch" and len(self.chats) < 3:
            place = {"tenant_id": self.tenant_id, "conversation_id": message.conversation_id}
            self.chats.append(branch_conversation(**place, from_seq=message.seq).conversation)
        elif name == "forget":
            self.has_forgotten = True
            forget_message(tenant_id=self.tenant_id, message_id=message.pk, requested_by="test")

    def facts(self):
        rows = UserFact.objects.filter(end_user_id=self.end_user_id, is_active=True)
        views = [view_fact(row) for row in rows]
        return {(view.type, view.key): (view.value.casefold(), view.is_disputed) for view in views}

    def list_spared(self):
        """Keys of what protects the player and was answered barely: it outlives a forgotten question."""
        bare = set(Message.objects.filter(conversation__in=self.chats, content="Yes.").values_list("pk", flat=True))
        rows = UserFact.objects.filter(end_user_id=self.end_user_id, is_active=True, type__in=PROTECTED_TYPES)
        views = [view_fact(row) for row in rows if bare.issuperset(row.evidence)]
        return {(view.type, view.key) for view in views if self.has_forgotten}

    def list_current(self):
        rows = Message.objects.filter(conversation__in=self.chats, is_current=True)
        return list(rows.select_related("conversation").order_by("sent_at", PLACE_ID))

    def list_living(self):
        return [message for message in self.list_current() if message.forgotten_at is None]


def say_once(tenant, play):
    """What is left of a play, said once by somebody else; nothing to speak of stands where words are forgotten."""
    again = Play(tenant)
    chats = {play.chats[0].pk: again.chats[0]}
    told = {}
    for chat in play.chats:
        chat.refresh_from_db()
    for message in play.list_current():
        if message.conversation_id not in chats:
            old = message.conversation
            fork = {"conversation_id": chats[old.trunk_id].pk, "from_seq": old.fork_seq}
            chats[old.pk] = branch_conversation(tenant_id=tenant.pk, **fork).conversation
            again.chats.append(chats[old.pk])
        chat = chats[message.conversation_id]
        content = message.content if message.forgotten_at is None else NOTHING[message.role]
        [posted] = post(chat, (message.role, content), sent_at=message.sent_at)
        told[message.pk] = posted.pk
    return again


def drop(facts, keys):
    return {key: each for key, each in facts.items() if key not in keys}


def check_index(play):
    """Exactly what is living can be found."""
    chats = [chat.pk for chat in play.chats]
    found = set(MessagePassage.objects.filter(conversation__in=chats).values_list("message_id", flat=True))
    assert found == {message.pk for message in play.list_living()}
    current = Message.objects.filter(conversation__in=chats, is_current=True).values_list("conversation_id", "seq")
    assert len(set(current)) == len(list(current))


def compare(play):
    differences = rebuild_facts(tenant_id=play.tenant_id, end_user_id=play.end_user_id, dry_run=True).differences
    assert differences.is_none, differences


@pytest.mark.django_db
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(st.one_of(ACTS, ACTS, LOSING), min_size=4, max_size=12))
def test_what_is_left_gives_the_facts(tenant, acts):
    with transaction.atomic():
        play = Play(tenant)
        for act in acts:
            play.act(*act)
        check_index(play)
        once = say_once(tenant, play)
        spared = play.list_spared()
        assert drop(play.facts(), spared) == drop(once.facts(), spared)
        compare(play)
        transaction.set_rollback(True)
