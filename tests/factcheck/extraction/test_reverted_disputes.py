"""Undoing a run settles what it alone had put in doubt."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from factcheck.extraction.actions.reverts import revert_run
from knowledge.facts.actions import Correction, apply_fact, dispute_fact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import MemoryCorrection
from knowledge.facts.selectors import list_facts
from tests.factcheck.extraction.proposers import FixedProposer, make_delta
from tests.factcheck.extraction.talks import extract
from tests.factories.conversations import say
from tests.factories.facts import owner_filter

pytestmark = pytest.mark.django_db
DENIED = "I'm not allergic to nuts any more"


@pytest.fixture
def fact(chat):
    before = timezone.now() - dt.timedelta(days=1)
    draft = FactDraft("allergy", "nuts", "instant_pattern", key="nuts", evidence=(1,), valid_from=before)
    return apply_fact(**owner_filter(chat), draft=draft).fact


def deny(chat):
    """A run that puts the allergy in doubt."""
    say(chat, DENIED)

    def answer(given):
        return [
            make_delta("nuts", (len(given.messages), DENIED), key="nuts", operation="REMOVE", fact=1, stance="denies")
        ]

    run = extract(chat, FixedProposer(answer))
    assert [row.outcome for row in run.delta_rows.all()] == ["disputed"]
    return run


def undo(run):
    return revert_run(tenant_id=run.tenant_id, run_id=run.pk, made_by="owner", reason="A bad prompt.")


def is_disputed(chat):
    [fact] = list_facts(**owner_filter(chat))
    return fact.is_disputed


def doubt(chat, fact):
    """The player doubts it in another message."""
    [message] = say(chat, "am I though?")
    correction = Correction("user_denied", trigger_message_id=message.pk, basis="claim")
    dispute_fact(**owner_filter(chat), fact_id=fact.pk, correction=correction)


def test_what_only_the_run_doubted_is_settled_and_the_log_says_by_whom(chat, fact):
    run = deny(chat)
    assert is_disputed(chat)
    assert undo(run).settled == (fact.pk,)
    assert not is_disputed(chat)
    last = MemoryCorrection.objects.order_by("-pk").first()
    assert (last.outcome, last.correction_type, last.made_by, last.reason) == (
        "restored", "support", "owner", "A bad prompt.",
    )  # fmt: skip


@pytest.mark.parametrize("when", ["before", "after"])
def test_what_the_player_doubts_as_well_stays_in_doubt(chat, fact, when):
    if when == "before":
        doubt(chat, fact)
    run = deny(chat)
    if when == "after":
        doubt(chat, fact)
    assert undo(run).settled == ()
    assert is_disputed(chat)


def test_what_two_runs_doubt_is_settled_with_the_second(chat, fact):
    first, second = deny(chat), deny(chat)
    assert undo(first).settled == ()
    assert is_disputed(chat)
    # The doubt of a run that is undone counts no more.
    assert undo(second).settled == (fact.pk,)
    assert not is_disputed(chat)


def test_what_was_settled_since_is_left_as_it_is(chat, fact):
    run = deny(chat)
    apply_fact(
        **owner_filter(chat),
        draft=FactDraft("allergy", "nuts", "explicit", key="nuts", evidence=(1,), valid_from=timezone.now()),
    )
    assert not is_disputed(chat)
    assert undo(run).settled == ()
