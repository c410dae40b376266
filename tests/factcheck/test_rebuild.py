"""Rebuilding facts from RAW: what differs is put right once, what people decided stays, nobody's words are printed."""

from __future__ import annotations

import datetime as dt
import io
import threading

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from episodes.facts.actions import remove_fact, write_fact
from episodes.forgetting.actions.erasure import erase_user
from episodes.forgetting.actions.forgetting import forget_message
from factcheck.rebuild.actions.rebuild import rebuild_facts
from factcheck.rebuild.core import Differences, FactState, compare_facts
from knowledge.facts.actions import Correction, deactivate_fact, end_unsupported_facts
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import FactTombstone, MemoryCorrection, UserFact
from knowledge.facts.selectors import list_facts
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import EndUser
from tests.database import run_apart
from tests.factories.conversations import open_chat, post, say
from tests.factories.facts import get_known, owner_filter

NICKEL = ("allergy", "nickel")
LONG_AGO = timezone.now() - dt.timedelta(days=400)


def test_what_differs_is_told_by_key():
    was = {
        ("a", "1"): FactState("x"),
        ("a", "2"): FactState("X"),
        ("a", "3"): FactState("x"),
        ("a", "4"): FactState("x", is_stated=True),
        ("a", "5"): FactState("x"),
    }
    now = {("a", "1"): FactState("x", is_disputed=True), ("a", "2"): FactState("x"), ("a", "5"): FactState("y")}
    assert compare_facts(was, {**now, ("b", "1"): FactState("z")}) == Differences(
        added=(("b", "1"),), changed=(("a", "5"),), ended=(("a", "3"),), disputes=(("a", "1"),), unchanged=2
    )


def test_messages_that_nobody_read_become_facts_with_their_time_and_evidence(chat):
    said = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
    say(chat, ("assistant", "Any allergies?"), "I am allergic to nickel.", "Well then.", sent_at=said)
    assert rebuild_facts(**owner_filter(chat), dry_run=True).differences.added == (NICKEL,)
    assert (get_known(chat), EndUser.objects.count()) == ({}, 1)
    report = rebuild_facts(**owner_filter(chat))
    assert (report.is_applied, get_known(chat)) == (True, {NICKEL: "nickel"})
    fact = UserFact.objects.get()
    assert (fact.valid_from, fact.said_at, len(fact.evidence), len(fact.evidence_span)) == (said, said, 1, 2)
    again = rebuild_facts(**owner_filter(chat))
    assert (again.is_applied, again.differences) == (False, Differences(unchanged=1))


def test_what_no_words_bear_out_ends_and_may_come_back(chat):
    (message,) = post(chat, "The tower is old.")
    draft = FactDraft(
        type="body_params", key="size", value="M", source="instant_pattern", evidence=(message.pk,), valid_from=LONG_AGO
    )
    write_fact(tenant_id=chat.tenant_id, user_id="player-1", draft=draft)
    assert rebuild_facts(**owner_filter(chat)).differences.ended == (("body_params", "size"),)
    fact = UserFact.objects.get()
    assert (fact.is_active, fact.ended_reason, get_known(chat)) == (False, "rebuilt", {})
    assert rebuild_facts(**owner_filter(chat)).differences.is_none
    post(chat, "My size is M.", sent_at=LONG_AGO)
    assert get_known(chat) == {("body_params", "size"): "M"}


@pytest.mark.parametrize(("type_", "value"), [("allergy", "wool"), ("hard_ban", "spiders")])
def test_no_change_of_patterns_ends_what_protects_a_person(chat, type_, value):
    (message,) = post(chat, "The tower is old.")  # the words that an older set of patterns heard it in
    draft = FactDraft(type=type_, value=value, source="instant_pattern", evidence=(message.pk,), valid_from=LONG_AGO)
    write_fact(tenant_id=chat.tenant_id, user_id="player-1", draft=draft)
    for _ in range(2):
        report = rebuild_facts(**owner_filter(chat))
        assert (report.is_applied, report.differences) == (False, Differences(unheard=((type_, value),)))
        assert get_known(chat) == {(type_, value): value}
    out = io.StringIO()
    call_command("rebuild_facts", "--tenant", "studio", stdout=out)
    assert f"unheard {type_} × 1" in out.getvalue()
    assert value not in out.getvalue()


def test_what_people_decided_stays(chat):
    post(chat, "I am allergic to nickel.", "My size is M.")
    (size,) = [fact for fact in list_facts(**owner_filter(chat)) if fact.type == "body_params"]
    deactivate_fact(**owner_filter(chat), fact_id=size.id, correction=Correction("support", reason="They called."))
    write_fact(
        tenant_id=chat.tenant_id,
        user_id="player-1",
        draft=FactDraft(type="hard_ban", value="spiders", source="onboarding"),
    )
    expected = {NICKEL: "nickel", ("hard_ban", "spiders"): "spiders"}
    assert get_known(chat) == expected
    assert rebuild_facts(**owner_filter(chat)).differences == Differences(unchanged=2)
    assert get_known(chat) == expected
    assert MemoryCorrection.objects.count() == 1


@pytest.mark.parametrize("way", ["delete", "forget"])
def test_older_words_do_not_bring_back_what_was_deleted_or_forgotten_but_newer_do(chat, way):
    message, _, again = post(chat, "I am allergic to nickel.", "The tower is old.", "I am allergic to nickel.")
    if way == "delete":
        remove_fact(**owner_filter(chat), fact_id=UserFact.objects.get().pk)
    else:
        for proof in (message, again):
            assert get_known(chat) == {NICKEL: "nickel"}
            forget_message(tenant_id=chat.tenant_id, message_id=proof.pk, requested_by="test")
    assert get_known(chat) == {}
    post(chat, "I am allergic to nickel.", sent_at=LONG_AGO)
    assert get_known(chat) == {}
    assert rebuild_facts(**owner_filter(chat)).differences.is_none
    post(chat, "I am allergic to nickel.")
    assert get_known(chat) == {NICKEL: "nickel"}
    assert rebuild_facts(**owner_filter(chat)).differences.is_none


def test_forgetting_an_older_version_leaves_the_newer_one_in_peace(chat):
    small, _, _ = post(chat, "My size is S.", "Well.", "The tower is old.")
    post(chat, "My size is M.")
    forget_message(tenant_id=chat.tenant_id, message_id=small.pk, requested_by="test")
    assert get_known(chat) == {("body_params", "size"): "M"}
    assert not FactTombstone.objects.exists()
    assert rebuild_facts(**owner_filter(chat)).differences.is_none


def test_an_erasure_takes_the_tombstones_away(chat):
    post(chat, "I am allergic to nickel.")
    remove_fact(**owner_filter(chat), fact_id=UserFact.objects.get().pk)
    assert FactTombstone.objects.count() == 1
    erase_user(**owner_filter(chat), reason="Case 1", requested_by="test")
    assert not FactTombstone.objects.exists()
    assert rebuild_facts(**owner_filter(chat)).differences == Differences()


def test_a_denial_that_is_forgotten_counts_no_more(chat):
    post(chat, "My size is M.", "The tower is old.", "Nice weather.")
    post(chat, "Your size is M.", role="assistant")
    post(chat, "Hm.", "And so on.")
    (denial,) = post(chat, "No, my size is not M")
    assert get_known(chat) == {}
    forget_message(tenant_id=chat.tenant_id, message_id=denial.pk, requested_by="test")
    assert get_known(chat) == {("body_params", "size"): "M"}
    assert rebuild_facts(**owner_filter(chat)).differences.is_none


def test_the_command_tells_counts_and_no_words(chat):
    other = open_chat(ensure_tenant(slug="studio"), "player-2")
    for each in (chat, other):
        post(each, "I am allergic to nickel.")
        end_unsupported_facts(**owner_filter(each), fact_ids=list(UserFact.objects.values_list("pk", flat=True)))

    def run(*arguments):
        out = io.StringIO()
        call_command("rebuild_facts", "--tenant", "studio", *arguments, stdout=out)
        return out.getvalue()

    dry = run("--dry-run")
    assert dry.count("added allergy × 1") == 2
    assert "nickel" not in dry
    assert (get_known(chat), get_known(other)) == ({}, {})
    assert "1 users: 1 added" in run("--user", "player-2")
    assert (get_known(chat), get_known(other)) == ({}, {NICKEL: "nickel"})
    assert "1 users: 0 added" in run("--after", str(chat.end_user_id))
    assert "2 users: 1 added" in run()
    assert "2 users: 0 added, 0 changed, 0 ended, 0 disputes, 0 unheard, 2 unchanged" in run()
    for arguments in (["--tenant", "nobody"], ["--tenant", "studio", "--user", "nobody"]):
        with pytest.raises(CommandError):
            call_command("rebuild_facts", *arguments)


@pytest.mark.django_db(transaction=True)
def test_posting_rebuilding_and_forgetting_at_once_never_wait_for_each_other_in_a_circle(transactional_db):
    chat = open_chat(ensure_tenant(slug="studio"))
    start = threading.Barrier(3)

    def posts():
        start.wait(10)
        for number in range(12):
            post(chat, "I am allergic to nickel." if number % 2 else "The tower is old.")

    def forgets():
        start.wait(10)
        for _ in range(12):
            (message,) = post(chat, "I'm allergic to wool.")
            forget_message(tenant_id=chat.tenant_id, message_id=message.pk, requested_by="test")

    def rebuilds():
        start.wait(10)
        for _ in range(5):
            rebuild_facts(**owner_filter(chat))

    run_apart(posts, forgets, rebuilds)
    assert rebuild_facts(**owner_filter(chat)).differences.is_none
    assert UserFact.objects.filter(is_active=True).count() <= 1
