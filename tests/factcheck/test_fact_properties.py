"""Whatever is said, corrected, deleted and forgotten: facts stay single, proven, and what RAW gives once more.

Two exceptions are left out of the last rule, since no replay of the words alone can know them: a person's deletion or
a forgotten message that took part in a correction. There the log of corrections decides, which a rebuild reads.

Every run tries the same examples; `FACT_EXAMPLES=500` explores others.
"""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter
from dataclasses import dataclass, field

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from episodes.facts.actions import remove_fact, write_fact
from episodes.forgetting.actions.forgetting import forget_message
from episodes.models import Conversation, Message
from factcheck.rebuild.actions.rebuild import rebuild_facts
from factcheck.rebuild.actions.replay import replay_on_shadow
from knowledge.facts.actions import Correction, deactivate_fact, dispute_fact, expire_facts, restore_fact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import UserFact
from knowledge.facts.selectors import list_facts
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import EndUser
from tests.factories.conversations import open_chat, post

SAID = (
    "My size is M.",
    "My size is S.",
    "I am allergic to nickel.",
    "I'm allergic to wool.",
    "No, I'm not allergic to nickel",
    "no, wrong, not M, I'm S",
    "No, my size is not M",
    "where did you get that?",
    "no",
    "yes that's right",
    "My budget is 300 dollars",
    "My budget is up to 500 euros.",
    "Скоро переезд",
    "Please, no spiders.",
    "У меня аллергия на никель",
    "Нет, у меня нет аллергии на никель",
    "The weather is lovely today.",
    "What shall we play?",
)
CLAIMED = (
    "You are allergic to nickel, so no steel.",
    "Your size is M, so this one fits.",
    "You are allergic to nickel and wool.",
    "Your budget is 300 dollars.",
    "It rains in the valley.",
)
OLD = ("My size is S.", "I am allergic to nickel.", "I'm allergic to wool.")
SUPPORT = Correction("support", reason="The player wrote to us.", made_by="support")

says = st.tuples(st.just("say"), st.sampled_from(SAID))
claims = st.tuples(st.just("claim"), st.sampled_from(CLAIMED))
acts = st.tuples(st.just("act"), st.sampled_from(SAID[:4]))
forgets = st.tuples(st.just("forget"), st.integers(0, 40))
by_hand = st.tuples(st.sampled_from(["dispute", "restore", "end", "delete"]), st.integers(0, 10))
imports = st.tuples(st.just("import"), st.sampled_from(OLD))
states = st.tuples(st.just("state"), st.sampled_from([("body_params", "L"), ("allergy", "nuts")]))
expiries = st.tuples(st.just("expire"), st.sampled_from([5, 20, 40]))
SPOKEN = st.lists(st.one_of(says, says, claims, acts, expiries), max_size=14)
ANYTHING = st.lists(
    st.one_of(says, says, claims, acts, forgets, by_hand, imports, states, expiries), min_size=2, max_size=16
)
MANY = settings(
    max_examples=int(os.environ.get("FACT_EXAMPLES", "40")),
    deadline=None,
    derandomize="FACT_EXAMPLES" not in os.environ,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@dataclass
class Player:
    """One player in one conversation, and the days that have passed."""

    conversation: Conversation
    said: list[int] = field(default_factory=list)

    @property
    def owner_filter(self):
        return {"tenant_id": self.conversation.tenant_id, "end_user_id": self.conversation.end_user_id}

    def do(self, step):
        verb, what = step
        if verb in ("say", "claim", "act", "import"):
            self.post(verb, what)
        elif verb == "forget":
            if self.said:
                forget_message(
                    tenant_id=self.conversation.tenant_id,
                    message_id=self.said[what % len(self.said)],
                    requested_by="test",
                )
        elif verb == "state":
            write_fact(
                tenant_id=self.conversation.tenant_id,
                user_id="player-1",
                draft=FactDraft(type=what[0], value=what[1], source="onboarding"),
            )
        elif verb == "expire":
            self.let_days_pass(what)
            expire_facts()
        else:
            self.correct_by_hand(verb, what)

    def post(self, verb, text):
        [message] = post(
            self.conversation,
            text,
            role="assistant" if verb == "claim" else "user",
            frame="in_character" if verb == "act" else "",
            ago=dt.timedelta(days=400) if verb == "import" else None,
        )
        self.said.append(message.pk)

    def correct_by_hand(self, verb, which):
        facts = [fact for fact in list_facts(**self.owner_filter) if verb != "restore" or fact.is_disputed]
        if not facts:
            return
        fact_id = facts[which % len(facts)].id
        if verb == "delete":
            remove_fact(**self.owner_filter, fact_id=fact_id, correction=SUPPORT)
        else:
            action = {"dispute": dispute_fact, "restore": restore_fact, "end": deactivate_fact}[verb]
            action(**self.owner_filter, fact_id=fact_id, correction=SUPPORT)

    def let_days_pass(self, days):
        """All that has happened so far happened so much earlier."""
        moved = {
            "episodes_message": ("sent_at", "created_at"),
            "knowledge_userfact": ("said_at", "valid_from", "valid_to", "expires_at", "disputed_at", "created_at"),
            "knowledge_memorycorrection": ("created_at",),
            "knowledge_facttombstone": ("holds_to", "deleted_to"),
        }
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for table, columns in moved.items():
                changes = ", ".join(f"{column} = {column} - interval '{days} days'" for column in columns)
                cursor.execute(f"UPDATE {table} SET {changes}")
            cursor.execute("SET LOCAL session_replication_role = origin")

    def known(self, end_user_id=None):
        facts = list_facts(
            tenant_id=self.conversation.tenant_id, end_user_id=end_user_id or self.conversation.end_user_id
        )
        return {(fact.type, fact.key, fact.value, fact.is_disputed) for fact in facts}


@pytest.fixture
def player(db):
    return Player(open_chat(ensure_tenant(slug="studio")))


def try_out(player, steps, check):
    player.said = []
    savepoint = transaction.savepoint()
    try:
        for step in steps:
            player.do(step)
            check_facts_are_single_and_proven(player)
        check()
    finally:
        transaction.savepoint_rollback(savepoint)


def check_facts_are_single_and_proven(player):
    active = list(UserFact.objects.filter(**player.owner_filter, is_active=True))
    keys = Counter((fact.type, bytes(fact.key_index)) for fact in active)
    assert all(count == 1 for count in keys.values())
    living = set(Message.objects.filter(forgotten_at__isnull=True).values_list("pk", flat=True))
    for fact in active:
        assert fact.source == "onboarding" or set(fact.evidence) & living
        assert {*fact.evidence, *fact.evidence_span} <= living


@MANY
@given(steps=SPOKEN)
def test_the_words_alone_give_the_same_facts_to_a_user_of_whom_nothing_is_known(player, steps):
    def check():
        user = EndUser.objects.get(pk=player.conversation.end_user_id)
        known = player.known()
        with transaction.atomic(), replay_on_shadow(user, words_alone=True) as shadow:
            assert player.known(shadow.pk) == known

    try_out(player, steps, check)


@MANY
@given(steps=ANYTHING)
def test_a_rebuild_finds_nothing_after_whatever_was_said_corrected_deleted_and_forgotten(player, steps):
    def check():
        known = player.known()
        report = rebuild_facts(**player.owner_filter)
        assert report.differences.is_none, f"{report.differences} after {steps!r}"
        assert player.known() == known

    try_out(player, steps, check)


def test_time_passes_for_a_player(player):
    with transaction.atomic():
        player.do(("say", "Скоро переезд"))
        before = Message.objects.get().sent_at
        assert len(player.known()) == 1
        player.do(("expire", 40))
        assert Message.objects.get().sent_at == before - dt.timedelta(days=40)
        assert player.known() == set()
