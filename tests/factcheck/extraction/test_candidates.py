"""Candidates: independent statements add up, and what speaks against one ends it."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from episodes.forgetting.actions.forgetting import forget_message
from factcheck.extraction.actions.candidates import CONTRADICTED, collect_candidate, expire_candidates
from factcheck.extraction.actions.decisions import promote_candidate, reject_candidate
from factcheck.extraction.actions.delta_writes import write_fact
from factcheck.extraction.actions.reverts import revert_run
from factcheck.extraction.core.given import GivenMessage
from factcheck.extraction.core.promotion import Support, list_independent
from factcheck.extraction.core.verdicts import EvidenceSpan
from factcheck.extraction.errors import CandidateNotOpen, RunNotRevertible, UnknownCandidate, UnknownRun
from factcheck.extraction.models import CandidateSupport, CandidateTransition, FactCandidate
from factcheck.extraction.sealing import read_candidate
from knowledge.facts.actions import Correction, apply_fact, deactivate_fact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import UserFact
from tenancy.errors import ReasonMissing
from tests.factcheck.extraction.proposers import FixedProposer, make_delta
from tests.factcheck.extraction.talks import extract
from tests.factories.conversations import say
from tests.factories.facts import get_known, owner_filter

NOON = dt.datetime(2026, 5, 4, 12, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
FIRST, SECOND = "wedding in three weeks, help", "wedding on 12 june, no dress yet"
"""What the gate accepts and the player does not say outright."""


def wedding(text: str, place: int = 1) -> dict:
    return make_delta("wedding", (place, text), type="life_event")


def state(chat, text: str, *, ago: dt.timedelta = dt.timedelta()):
    """A message that states a candidate, worked off."""
    [message] = say(chat, text, ago=ago)
    run = extract(chat, FixedProposer(lambda given: [wedding(text, len(given.messages))]))
    return message, run


def support(place: int, minutes: float = 0, words: str = "", **more) -> Support:
    said_at = NOON + dt.timedelta(minutes=minutes)
    return Support(place, more.pop("conversation", 1), place, said_at, frozenset(words.split()), **more)


@pytest.mark.parametrize(
    ("later", "counted"),
    [
        pytest.param(support(2, 1, "other words"), 1, id="two lines in a row"),
        pytest.param(support(5, 5, "said in other words"), 2, id="other words after an exchange"),
        pytest.param(support(5, 5, "the very same words"), 1, id="the same words"),
        pytest.param(support(5, 5, "said in other words", value_was_told=True), 1, id="told by the assistant"),
        pytest.param(support(2, 31, "the very same words", session=1), 2, id="another session"),
        pytest.param(support(2, 31, "the very same words"), 1, id="half an hour of the same talk"),
        pytest.param(support(9, 12 * 60 + 1, "the very same words"), 1, id="talk across midnight"),
        pytest.param(support(1, 0, "the very same words"), 1, id="the same message"),
    ],
)
def test_what_counts_as_another_statement(later, counted):
    assert len(list_independent([support(1, 0, "the very same words"), later])) == counted


@pytest.mark.django_db
def test_one_statement_waits_and_a_second_of_another_day_makes_a_fact(chat):
    first, run = state(chat, FIRST, ago=2 * DAY)
    [candidate] = FactCandidate.objects.all()
    assert get_known(chat) == {}
    assert ([row.outcome for row in run.delta_rows.all()], read_candidate(candidate)) == (
        ["candidate"], ("wedding", "wedding"),
    )  # fmt: skip
    second, run = state(chat, SECOND)
    [fact] = UserFact.objects.all()
    candidate.refresh_from_db()
    assert (candidate.state, candidate.fact_id, fact.evidence) == ("promoted", fact.pk, [first.pk, second.pk])
    assert [row.new_state for row in CandidateTransition.objects.all()] == ["promoted"]


@pytest.mark.django_db
def test_the_same_words_twice_in_a_minute_are_one_statement(chat):
    state(chat, FIRST)
    state(chat, FIRST)
    assert get_known(chat) == {}
    assert [row.is_independent for row in CandidateSupport.objects.all()] == [True, False]


@pytest.mark.django_db
def test_another_value_of_the_same_key_contradicts_what_waits(chat):
    state(chat, FIRST)
    draft = FactDraft("life_event", "divorce", "batch", key="wedding", evidence=(1,))
    write_fact(chat.tenant_id, chat.end_user_id, draft)
    assert [candidate.state for candidate in FactCandidate.objects.all()] == ["contradicted"]


@pytest.mark.django_db
def test_of_two_values_the_later_word_holds_and_the_earlier_candidate_ends(chat):
    def wait(value: str, ago: dt.timedelta) -> str:
        [message] = say(chat, f"my trip to {value}", ago=ago)
        run = extract(chat, FixedProposer())
        draft = FactDraft("life_event", value, "batch", key="trip", evidence=(message.pk,), valid_from=message.said_at)
        given = GivenMessage(
            message.pk, chat.pk, message.seq, "user", message.content, "unknown", "en", message.said_at
        )
        return collect_candidate(run, draft, [EvidenceSpan(message.pk, 0, 7)], {message.pk: given}).detail

    wait("Rome", 3 * DAY)
    wait("Oslo", DAY)
    assert [(read_candidate(row)[1], row.state) for row in FactCandidate.objects.order_by("pk")] == [
        ("Rome", "contradicted"), ("Oslo", "open"),
    ]  # fmt: skip
    assert wait("Bonn", 2 * DAY) == CONTRADICTED, "older words say nothing against later ones"
    assert FactCandidate.objects.count() == 2
    [change] = CandidateTransition.objects.all()
    assert (change.made_by, change.reason) == ("service", CONTRADICTED)


@pytest.mark.django_db
@pytest.mark.parametrize("denial", ["I'm not getting married", "there's no wedding", "Свадьбы не будет"])
def test_a_denial_blocks_what_waits_for_ever_whatever_a_proposer_says(chat, tenant, denial):
    state(chat, FIRST, ago=2 * DAY)
    tenant.extraction = "shadow"
    tenant.save()
    say(chat, denial, ago=DAY)
    extract(chat, FixedProposer())
    [candidate] = FactCandidate.objects.all()
    assert (candidate.state, bytes(candidate.key_sealed), candidate.supports.count()) == ("blocked", b"", 0)
    [change] = CandidateTransition.objects.all()
    assert (change.made_by, change.reason) == ("service", "The player denied it.")
    tenant.extraction = "on"
    tenant.save()
    _, run = state(chat, SECOND)
    assert [row.outcome for row in run.delta_rows.all()] == ["outdated"]
    assert get_known(chat) == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("my sister isn't getting married", {}),
        ("Are you sure there is no wedding?", {}),
        ("there's no wedding", {"role": "assistant"}),
        ("there's no wedding", {"frame": "in_character"}),
        ('she said "there is no wedding" and left', {}),
        ("there's no wedding", {"ago": 3 * DAY}),
    ],
    ids=["another", "a question", "the assistant", "a character", "a quote", "said before"],
)
def test_what_is_no_denial_of_the_player_s_own_leaves_it_open(chat, said, more):
    state(chat, FIRST, ago=2 * DAY)
    say(chat, said, **more)
    say(chat, "So?")
    extract(chat, FixedProposer())
    assert [row.state for row in FactCandidate.objects.all()] == ["open"]


@pytest.mark.django_db
def test_two_statements_and_a_later_denial_in_one_run_make_no_fact(chat):
    say(chat, FIRST, ago=3 * DAY)
    say(chat, SECOND, ago=2 * DAY)
    say(chat, "the wedding is off", ago=DAY)
    both = make_delta("wedding", (1, FIRST), (2, SECOND), type="life_event")
    run = extract(chat, FixedProposer([both]))
    assert [(row.verdict, row.outcome) for row in run.delta_rows.all()] == [("accepted", "candidate")]
    assert get_known(chat) == {}
    assert [row.state for row in FactCandidate.objects.all()] == ["blocked"]


@pytest.mark.django_db
def test_what_was_denied_is_not_collected_from_older_words(chat):
    applied = apply_fact(
        **owner_filter(chat),
        draft=FactDraft("life_event", "wedding", "instant_pattern", evidence=(1,), valid_from=timezone.now() - 3 * DAY),
    )
    denial = Correction("user_denied", trigger_message_id=1, basis="explicit", said_at=timezone.now() - DAY)
    deactivate_fact(**owner_filter(chat), fact_id=applied.fact.pk, correction=denial)
    _, run = state(chat, FIRST, ago=2 * DAY)
    assert [row.outcome for row in run.delta_rows.all()] == ["outdated"]
    assert not FactCandidate.objects.exists()


@pytest.mark.django_db
def test_a_candidate_goes_with_its_words_and_does_not_come_back(chat, django_capture_on_commit_callbacks):
    message, _ = state(chat, FIRST)
    with django_capture_on_commit_callbacks(execute=True):
        forget_message(tenant_id=chat.tenant_id, message_id=message.pk, requested_by="test")
    [candidate] = FactCandidate.objects.all()
    assert (candidate.state, bytes(candidate.key_sealed), candidate.supports.count()) == ("blocked", b"", 0)
    _, run = state(chat, SECOND)
    assert [row.outcome for row in run.delta_rows.all()] == ["outdated"]


@pytest.mark.django_db
def test_one_of_two_statements_forgotten_leaves_the_other(chat, django_capture_on_commit_callbacks):
    first, _ = state(chat, FIRST)
    state(chat, FIRST)
    with django_capture_on_commit_callbacks(execute=True):
        forget_message(tenant_id=chat.tenant_id, message_id=first.pk, requested_by="test")
    [candidate] = FactCandidate.objects.all()
    assert (candidate.state, [row.is_independent for row in candidate.supports.all()]) == ("open", [True])


@pytest.mark.django_db
def test_a_candidate_that_nothing_confirms_expires(chat):
    state(chat, FIRST)
    assert expire_candidates() == 0
    assert expire_candidates(now=timezone.now() + 91 * DAY) == 1
    assert expire_candidates(now=timezone.now() + 91 * DAY) == 0
    assert [candidate.state for candidate in FactCandidate.objects.all()] == ["expired"]


@pytest.mark.django_db
def test_a_person_decides_with_a_reason_and_once(chat):
    state(chat, FIRST)
    [candidate] = FactCandidate.objects.all()
    who = {"tenant_id": chat.tenant_id, "candidate_id": candidate.pk, "made_by": "eve"}
    with pytest.raises(ReasonMissing):
        promote_candidate(**who, reason=" ")
    with pytest.raises(UnknownCandidate):
        promote_candidate(**{**who, "tenant_id": chat.tenant_id + 1}, reason="She said so twice.")
    promote_candidate(**who, reason="She said so twice.")
    assert get_known(chat) == {("life_event", "wedding"): "wedding"}
    [change] = CandidateTransition.objects.all()
    assert (change.made_by, change.reason) == ("eve", "She said so twice.")
    with pytest.raises(CandidateNotOpen):
        reject_candidate(**who, reason="No.")


@pytest.mark.django_db
def test_undoing_a_run_ends_what_it_wrote_and_brings_back_what_it_replaced(chat):
    before = timezone.now() - DAY
    apply_fact(**owner_filter(chat), draft=FactDraft("body_params", "M", "explicit", evidence=(1,), valid_from=before))
    say(chat, "I am a size L", "I am allergic to hazelnuts")
    run = extract(
        chat,
        FixedProposer(
            [
                make_delta("L", (1, "I am a size L"), type="body_params", key="size"),
                make_delta("hazelnuts", (2, "I am allergic to hazelnuts")),
            ]
        ),
    )
    assert get_known(chat) == {("body_params", "size"): "L", ("allergy", "hazelnuts"): "hazelnuts"}
    who = {"tenant_id": chat.tenant_id, "run_id": run.pk, "made_by": "eve"}
    with pytest.raises(ReasonMissing):
        revert_run(**who, reason="")
    with pytest.raises(UnknownRun):
        revert_run(**{**who, "tenant_id": chat.tenant_id + 1}, reason="A bad prompt.")
    reverted = revert_run(**who, reason="A bad prompt.")
    assert (len(reverted.ended), len(reverted.restored), reverted.kept) == (2, 1, ())
    assert get_known(chat) == {("body_params", "size"): "M"}
    with pytest.raises(RunNotRevertible):
        revert_run(**who, reason="Again.")


@pytest.mark.django_db
def test_undoing_a_run_leaves_what_was_said_again_since(chat):
    say(chat, "I am allergic to hazelnuts")
    run = extract(chat, FixedProposer([make_delta("hazelnuts", (1, "I am allergic to hazelnuts"))]))
    apply_fact(**owner_filter(chat), draft=FactDraft("allergy", "hazelnuts", "instant_pattern", evidence=(99,)))
    reverted = revert_run(tenant_id=chat.tenant_id, run_id=run.pk, made_by="eve", reason="A bad prompt.")
    assert (reverted.ended, len(reverted.kept)) == ((), 1)
    assert get_known(chat) == {("allergy", "hazelnuts"): "hazelnuts"}


@pytest.mark.django_db
def test_undoing_a_run_opens_its_candidates_again(chat):
    state(chat, FIRST, ago=2 * DAY)
    _, run = state(chat, SECOND)
    revert_run(tenant_id=chat.tenant_id, run_id=run.pk, made_by="eve", reason="A bad prompt.")
    assert get_known(chat) == {}
    assert [candidate.state for candidate in FactCandidate.objects.all()] == ["open"]


SIZES = ("I am a size M", "I am a size L now")


def change_size(chat) -> list:
    """Two runs; the second writes in the place of what the first wrote."""
    runs = []
    for place, text in enumerate(SIZES, 1):
        say(chat, text)
        value = text.split()[4]
        runs.append(extract(chat, FixedProposer([make_delta(value, (place, text), type="body_params", key="size")])))
    return runs


@pytest.mark.django_db
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_undoing_two_runs_leaves_nothing_of_either_in_any_order(chat, order):
    runs = change_size(chat)
    for place in order:
        revert_run(tenant_id=chat.tenant_id, run_id=runs[place].pk, made_by="eve", reason="A bad prompt.")
    assert get_known(chat) == {}


@pytest.mark.django_db
def test_undoing_the_later_of_two_runs_brings_back_what_the_earlier_wrote(chat):
    _, later = change_size(chat)
    revert_run(tenant_id=chat.tenant_id, run_id=later.pk, made_by="eve", reason="A bad prompt.")
    assert get_known(chat) == {("body_params", "size"): "M"}


@pytest.mark.django_db
@pytest.mark.parametrize("said_since", [False, True])
def test_undoing_a_run_brings_back_what_it_ended_unless_something_stands_there(chat, said_since):
    before = timezone.now() - DAY
    apply_fact(
        **owner_filter(chat),
        draft=FactDraft("body_params", "M", "instant_pattern", key="size", evidence=(1,), valid_from=before),
    )
    say(chat, "I don't wear M any more")
    denial = make_delta("M", (1, "I don't wear M any more"), type="body_params", key="size")
    run = extract(chat, FixedProposer([{**denial, "operation": "REMOVE", "fact": 1, "stance": "denies"}]))
    assert get_known(chat) == {}
    if said_since:
        apply_fact(**owner_filter(chat), draft=FactDraft("body_params", "S", "explicit", key="size", evidence=(9,)))
    revert_run(tenant_id=chat.tenant_id, run_id=run.pk, made_by="eve", reason="A bad prompt.")
    assert get_known(chat) == {("body_params", "size"): "S" if said_since else "M"}


def test_what_a_candidate_rests_on_may_be_quoted_again_beside_a_new_statement(chat):
    first, second = "wedding in three weeks, help", "so the wedding in three weeks: what to wear?"
    say(chat, first, "just chatting", ago=dt.timedelta(days=1))
    extract(chat, FixedProposer([make_delta("wedding", (1, first), type="life_event")]))
    say(chat, second)
    proposer = FixedProposer()
    extract(chat, proposer)
    [given] = proposer.asked
    assert [(each.is_new, each.is_supporting) for each in given.messages] == [
        (False, True), (False, False), (True, False),
    ]  # fmt: skip
