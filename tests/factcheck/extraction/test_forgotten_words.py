"""What is forgotten is in no proposal, wherever the model put its words, and however late the order comes."""

from __future__ import annotations

import pytest
import redis
from django.db import IntegrityError, transaction

from episodes.facts.actions import remove_fact
from episodes.forgetting.actions.forgetting import forget_message
from factcheck.extraction.actions import forgetting
from factcheck.extraction.actions.decisions import promote_candidate, reject_candidate
from factcheck.extraction.actions.forgetting import (
    forget_all_extraction,
    forget_facts_in_extraction,
    forget_in_extraction,
)
from factcheck.extraction.actions.reverts import revert_run
from factcheck.extraction.actions.run_answers import answer_run
from factcheck.extraction.actions.run_claims import claim_run
from factcheck.extraction.actions.runs import finish_run
from factcheck.extraction.models import ExtractionRun, ExtractionSample, FactCandidate
from knowledge.facts.models import UserFact
from memoryproject.forgetting.registry import DeletedFacts, Forgotten, Gone
from tenancy.models import World
from tests.factcheck.extraction.proposers import FixedProposer, make_delta
from tests.factcheck.extraction.talks import extract
from tests.factories.conversations import open_chat, say
from tests.factories.facts import get_known, owner_filter

pytestmark = pytest.mark.django_db
ALLERGY, OTHER = "I am allergic to hazelnuts", "I am allergic to walnuts"
WEDDING = "wedding in three weeks, help"
"""What is collected until it was said twice."""
HAZELNUTS = make_delta("hazelnuts", (1, ALLERGY))
WALNUTS = make_delta("walnuts", (2, OTHER))
MISPLACED = make_delta("hazelnuts", (2, ALLERGY))
NOWHERE = make_delta("hazelnuts")


def words(run):
    """Which deltas of a run have words, by place."""
    return [bool(bytes(row.words_sealed)) for row in run.delta_rows.order_by("position")]


def forget(chat, message):
    forget_message(tenant_id=chat.tenant_id, message_id=message.pk, requested_by="test")


def describe(chat, *messages, **more):
    return Forgotten(chat.tenant_id, chat.end_user_id, tuple(each.pk for each in messages), (), **more)


def claim(chat, proposer):
    return claim_run(**owner_filter(chat), triggered_by="manual", proposer=proposer)


def test_words_forgotten_while_the_model_thought_are_not_kept(chat):
    message, _ = say(chat, ALLERGY, OTHER)

    def forget_meanwhile(given):
        forget(chat, message)
        return [HAZELNUTS, WALNUTS, MISPLACED, make_delta("hazelnuts", (9, ALLERGY))]

    run = extract(chat, FixedProposer(forget_meanwhile))
    assert get_known(chat) == {("allergy", "walnuts"): "walnuts"}
    assert words(run) == [False, True, False, False]
    assert {row.detail for row in run.delta_rows.all() if not row.words_sealed} == {""}
    drawn = ExtractionSample.objects.filter(run=run, delta__isnull=False)
    assert [sample.delta.position for sample in drawn] == [2], "nobody is asked about a proposal without words"


def test_a_rejected_proposal_keeps_its_words_where_nothing_was_forgotten(chat):
    say(chat, ALLERGY, OTHER)
    assert words(extract(chat, FixedProposer([HAZELNUTS, MISPLACED]))) == [True, True]


def test_words_in_the_wrong_place_go_with_a_message_that_the_run_read(chat):
    message, _ = say(chat, ALLERGY, OTHER)
    run = extract(chat, FixedProposer([HAZELNUTS, WALNUTS, MISPLACED, make_delta("hazelnuts", (9, ALLERGY))]))
    [later] = say(chat, OTHER)
    other = extract(chat, FixedProposer([make_delta("hazelnuts", (3, "words of another run"))], "test-2"))
    told = describe(chat, message)
    assert forget_in_extraction(told) == 3
    assert forget_in_extraction(told) == 0
    assert (words(run), words(other)) == ([False, True, False, False], [True])
    assert forget_in_extraction(describe(chat, later)) == 1


def test_with_everything_all_of_a_players_words_go_and_nobody_elses(chat, tenant):
    other = open_chat(tenant, "player-2")
    runs = []
    for each in (chat, other):
        say(each, ALLERGY, OTHER)
        runs.append(extract(each, FixedProposer([HAZELNUTS, NOWHERE])))
    assert forget_in_extraction(describe(chat, is_everything=True, world_id=1)) == 0, "of one world only its messages"
    assert forget_in_extraction(describe(chat, is_everything=True)) == 2
    assert [words(run) for run in runs] == [[False, False], [True, True]]


def test_an_answer_that_waits_goes_and_the_rest_of_its_range_is_read_anew(chat):
    message, _ = say(chat, ALLERGY, OTHER)
    proposer = FixedProposer([HAZELNUTS, WALNUTS])
    run = answer_run(claim(chat, proposer), proposer)
    assert forget_in_extraction(describe(open_chat(chat.tenant, "player-2"))) == 0
    forget(chat, message)
    told = describe(chat, message)
    assert (forget_in_extraction(told), forget_in_extraction(told)) == (1, 0)
    over = finish_run(run, proposer)
    assert (over.state, over.error_code, bytes(over.answer_sealed)) == ("failed", "messages_forgotten", b"")
    assert (over.input_tokens, over.messages, over.failed) == (100, 1, 1), "it was paid, and its message waits"
    again = extract(chat, FixedProposer([make_delta("walnuts", (1, OTHER))]))
    assert (again.state, get_known(chat)) == ("applied", {("allergy", "walnuts"): "walnuts"})


def test_an_answer_that_read_nothing_of_it_stays(chat):
    [message] = say(chat, ALLERGY)
    extract(chat, FixedProposer())
    fresh = open_chat(chat.tenant, "player-2")
    say(fresh, OTHER)
    proposer = FixedProposer([make_delta("walnuts", (1, OTHER))])
    run = answer_run(claim(fresh, proposer), proposer)
    assert forget_in_extraction(describe(fresh, message)) == 0
    assert finish_run(run, proposer).state == "applied"


def test_an_order_drops_the_answer_that_waits(chat):
    say(chat, ALLERGY)
    proposer = FixedProposer([HAZELNUTS])
    run = answer_run(claim(chat, proposer), proposer)
    assert forget_all_extraction(Gone(chat.tenant_id, chat.end_user_id, None)) == 1
    run.refresh_from_db()
    assert (run.state, run.error_code) == ("failed", "messages_forgotten")


def test_an_order_is_taken_while_redis_is_down(chat, monkeypatch, django_capture_on_commit_callbacks):
    say(chat, ALLERGY)
    run = extract(chat, FixedProposer([HAZELNUTS]))
    asked = []

    def fail(ids):
        asked.append(ids)
        raise redis.ConnectionError("down")

    monkeypatch.setattr(forgetting, "drop_trials", fail)
    with django_capture_on_commit_callbacks() as calls:
        assert forget_all_extraction(Gone(chat.tenant_id, chat.end_user_id, None)) == 1
        assert asked == [], "not inside the order's transaction"
    for call in calls:
        try:
            call()
        except redis.ConnectionError:
            assert asked == [[chat.end_user_id]]
    assert (asked, words(run)) == ([[chat.end_user_id]], [False])
    with pytest.raises(redis.ConnectionError):
        forget_in_extraction(describe(chat, is_everything=True))


def test_a_fact_deleted_by_hand_leaves_no_words_of_its_proposals(chat):
    for each in (chat, open_chat(chat.tenant, "player-2")):
        say(each, "I am a size M", OTHER)
        size = make_delta("M", (1, "I am a size M"), type="body_params", key="size")
        run = extract(each, FixedProposer([size, WALNUTS], "test-1"))
        assert words(run) == [True, True]
    run = ExtractionRun.objects.get(end_user=chat.end_user)
    say(chat, "I am a size L")
    larger = make_delta("L", (3, "I am a size L"), type="body_params", key="size")
    second = extract(chat, FixedProposer([larger], "test-2"))
    assert [row.outcome for row in second.delta_rows.all()] == ["superseded"]
    fact = UserFact.objects.get(end_user=chat.end_user, type="body_params", is_active=True)
    remove_fact(**owner_filter(chat), fact_id=fact.pk)
    assert (words(run), words(second)) == ([False, True], [False])
    assert [words(each) for each in ExtractionRun.objects.exclude(end_user=chat.end_user)] == [[True, True]]
    assert not ExtractionSample.objects.filter(delta__words_sealed=b"", is_gone=False).exists()


def test_a_fact_deleted_by_hand_takes_the_candidate_that_became_it(chat):
    wedding = make_delta("wedding", (1, WEDDING), type="life_event")
    say(chat, WEDDING)
    first = extract(chat, FixedProposer([wedding]))
    [candidate] = FactCandidate.objects.all()
    promote_candidate(tenant_id=chat.tenant_id, candidate_id=candidate.pk, made_by="eve", reason="She said so.")
    assert words(first) == [True]
    candidate.refresh_from_db()
    deleted = DeletedFacts(chat.tenant_id, chat.end_user_id, (candidate.fact_id,))
    assert forget_facts_in_extraction(deleted) == 0, "the fact stands"
    remove_fact(**owner_filter(chat), fact_id=candidate.fact_id)
    candidate.refresh_from_db()
    assert (candidate.state, bytes(candidate.key_sealed), bytes(candidate.value_sealed)) == ("blocked", b"", b"")
    assert words(first) == [False]
    assert forget_facts_in_extraction(deleted) == 0


def test_what_people_wrote_of_it_goes_with_a_blocked_candidate_and_a_run(chat):
    [message] = say(chat, WEDDING)
    run = extract(chat, FixedProposer([make_delta("wedding", (1, WEDDING), type="life_event")]))
    revert_run(tenant_id=chat.tenant_id, run_id=run.pk, made_by="eve", reason="She said: wedding in three weeks.")
    [candidate] = FactCandidate.objects.all()
    reject_candidate(tenant_id=chat.tenant_id, candidate_id=candidate.pk, made_by="eve", reason="No wedding.")
    [refused] = candidate.transitions.all()
    with pytest.raises(IntegrityError, match="candidate_transition_append_only"), transaction.atomic():
        candidate.transitions.update(reason="[forgotten]")
    assert forget_in_extraction(describe(chat, message)) == 2
    run.refresh_from_db()
    assert run.revert_reason == "[forgotten]"
    told = candidate.transitions.order_by("pk").values_list("new_state", "made_by", "reason")
    assert list(told) == [("rejected", "eve", "[forgotten]"), ("blocked", "service", forgetting.FORGOTTEN)]
    for change in ({"reason": "another"}, {"reason": "[forgotten]", "made_by": "bob"}):
        with pytest.raises(IntegrityError, match="candidate_transition_append_only"), transaction.atomic():
            candidate.transitions.filter(pk=refused.pk).update(**change)


def test_an_order_for_one_world_reaches_what_its_runs_rejected(tenant):
    runs, talks = [], []
    for slug in ("north", "south"):
        world = World.objects.create(tenant=tenant, slug=slug, name=slug)
        talk = open_chat(tenant, world=world)
        say(talk, ALLERGY if slug == "north" else OTHER)
        runs.append(extract(talk, FixedProposer([NOWHERE], slug)))
        assert words(runs[-1]) == [True]
        talks.append(talk)
    gone = Gone(tenant.pk, talks[0].end_user_id, talks[0].world_id)
    assert (forget_all_extraction(gone), forget_all_extraction(gone)) == (1, 0)
    assert [words(run) for run in runs] == [[False], [True]]
