"""What a breaker held back is written once it closes: from the stored answer, or read again; nothing is lost."""

from __future__ import annotations

import pytest
from django.db import IntegrityError
from django.utils import timezone

from episodes.alternatives.actions import AlternativeDraft
from episodes.forgetting.actions.forgetting import forget_message
from factcheck.alternatives.actions import edit_message
from factcheck.extraction.actions.breakers import pause_by_hand, resume_breaker
from factcheck.extraction.actions.forgetting import forget_in_extraction
from factcheck.extraction.actions.held_claims import claim_held_run
from factcheck.extraction.actions.reverts import revert_run
from factcheck.extraction.actions.run_claims import claim_run
from factcheck.extraction.actions.runs import extract_user
from factcheck.extraction.actions.sample_labels import count_label
from factcheck.extraction.errors import NothingPending, RunInProgress
from factcheck.extraction.models import ExtractionRun, ExtractionSample, RunTrigger
from factcheck.extraction.selectors.due import list_released_users
from factcheck.extraction.selectors.runs import find_message_state
from factcheck.extraction.selectors.status import describe_extraction
from knowledge.facts.actions import rotate_fact_keys
from memoryproject.forgetting.registry import Forgotten
from tests.factcheck.extraction.proposers import BrokenProposer, FixedProposer, make_delta
from tests.factcheck.extraction.talks import extract
from tests.factories.conversations import open_chat, say
from tests.factories.facts import get_known, owner_filter

pytestmark = pytest.mark.django_db
ALLERGY = "I am allergic to hazelnuts"
HAZELNUTS = make_delta("hazelnuts", (1, ALLERGY))
WOOL = "I'm allergic to wool"


@pytest.fixture
def breaker(tenant):
    """Half open: proposals are reviewed, nothing is written."""
    opened = pause_by_hand(tenant.pk, made_by="owner", reason="It took jokes for facts.")
    return resume_breaker(opened, state="half_open", made_by="owner", reason="A trial.")


def close(breaker):
    resume_breaker(breaker, state="closed", made_by="owner", reason="The trial went well.")


def forget(chat, message):
    forget_message(tenant_id=chat.tenant_id, message_id=message.pk, requested_by="owner")
    assert forget_in_extraction(Forgotten(chat.tenant_id, chat.end_user_id, (message.pk,), ())) > 0


def release(chat, proposer):
    return extract_user(**owner_filter(chat), triggered_by=RunTrigger.TRIAL_PASSED, proposer=proposer)


def test_what_a_trial_proposed_is_written_once_the_breaker_closes_without_another_call(chat, breaker):
    [said] = say(chat, ALLERGY)
    proposer = FixedProposer([HAZELNUTS])
    trial = extract(chat, proposer)
    assert (trial.mode, trial.held_for, get_known(chat)) == ("trial", "en", {})
    state = find_message_state(tenant_id=chat.tenant_id, message_id=said.pk)
    assert (state.state, state.code) == ("extracted", "held")
    assert describe_extraction(tenant_id=chat.tenant_id, is_world_bound=False).held_runs == 1
    assert list_released_users(limit=9) == [], "the breaker is not closed"
    close(breaker)
    assert [(user.end_user_id, user.reason) for user in list_released_users(limit=9)] == [
        (chat.end_user_id, "trial_passed")
    ]
    [run] = release(chat, proposer)
    assert (run.state, run.mode, run.follows_id, run.extracted) == ("applied", "on", trial.pk, 1)
    assert get_known(chat) == {("allergy", "hazelnuts"): "hazelnuts"}
    assert len(proposer.asked) == 1, "the stored answer was used"
    trial.refresh_from_db()
    assert (trial.held_for, bytes(trial.answer_sealed)) == (None, b"")
    state = find_message_state(tenant_id=chat.tenant_id, message_id=said.pk)
    assert (state.state, state.code, state.run_id) == ("extracted", "", run.pk)
    assert list_released_users(limit=9) == []
    with pytest.raises(NothingPending):
        release(chat, proposer)


def test_what_reviewers_found_wrong_in_a_trial_is_not_written(chat, breaker):
    say(chat, ALLERGY, WOOL)
    extract(chat, FixedProposer([HAZELNUTS, make_delta("wool", (2, WOOL))]))
    sample = ExtractionSample.objects.get(delta__position=1)
    count_label(sample, 1, wrong=1)
    close(breaker)
    [run] = release(chat, FixedProposer())
    assert get_known(chat) == {("allergy", "wool"): "wool"}
    assert [row.outcome for row in run.delta_rows.all()] == ["written"]
    assert run.messages == 1, "the message of the refused proposal keeps what the trial said of it"


def test_a_trial_of_which_nothing_is_right_is_over_without_a_run(chat, breaker):
    say(chat, ALLERGY)
    trial = extract(chat, FixedProposer([HAZELNUTS]))
    count_label(ExtractionSample.objects.get(delta__isnull=False), 1, wrong=1)
    close(breaker)
    with pytest.raises(NothingPending):
        release(chat, FixedProposer())
    trial.refresh_from_db()
    assert (trial.held_for, ExtractionRun.objects.count()) == (None, 1)


def test_a_trial_that_proposes_nothing_holds_nothing_back(chat, breaker):
    say(chat, "So, where were we?")
    assert extract(chat, FixedProposer()).held_for is None


def test_a_later_word_wins_over_what_was_held_back(chat, breaker):
    first, later = "My budget is 500 AED", "My budget is 300 AED"
    budget = {"type": "budget", "key": "general"}
    say(chat, first)
    extract(chat, FixedProposer([make_delta("500 AED", (1, first), **budget)]))
    close(breaker)
    say(chat, later)
    extract(chat, FixedProposer([make_delta("300 AED", (2, later), **budget)]))
    [run] = release(chat, FixedProposer())
    assert [row.outcome for row in run.delta_rows.all()] == ["outdated"]
    assert get_known(chat) == {("budget", "general"): "300 AED"}


def test_a_new_prompt_reads_again_what_was_held_back(chat, breaker):
    say(chat, ALLERGY)
    extract(chat, FixedProposer([HAZELNUTS]))
    close(breaker)
    better = FixedProposer([HAZELNUTS], prompt_version="test-2")
    [run] = release(chat, better)
    assert (len(better.asked), run.prompt_version) == (1, "test-2")
    assert [(each.content, each.is_new) for each in better.asked[0].messages] == [(ALLERGY, True)]
    assert get_known(chat) == {("allergy", "hazelnuts"): "hazelnuts"}


def test_forgetting_takes_the_stored_answer_and_the_rest_is_read_again(chat, breaker):
    gone, _ = say(chat, ALLERGY, WOOL)
    proposer = FixedProposer([HAZELNUTS, make_delta("wool", (2, WOOL))])
    trial = extract(chat, proposer)
    forget(chat, gone)
    trial.refresh_from_db()
    assert (trial.held_for, bytes(trial.answer_sealed)) == ("en", b"")
    close(breaker)
    [run] = release(chat, again := FixedProposer([make_delta("wool", (1, WOOL))]))
    assert [each.content for each in again.asked[0].messages] == [WOOL]
    assert (run.state, get_known(chat)) == ("applied", {("allergy", "wool"): "wool"})


def test_a_trial_whose_messages_are_all_forgotten_is_over(chat, breaker):
    [said] = say(chat, ALLERGY)
    trial = extract(chat, FixedProposer([HAZELNUTS]))
    forget(chat, said)
    close(breaker)
    with pytest.raises(NothingPending):
        release(chat, FixedProposer())
    trial.refresh_from_db()
    assert trial.held_for is None


def test_a_model_that_is_down_leaves_it_held_for_the_next_try(chat, breaker):
    say(chat, ALLERGY)
    trial = extract(chat, FixedProposer([HAZELNUTS]))
    close(breaker)
    [failed] = release(chat, BrokenProposer(prompt_version="test-2"))
    trial.refresh_from_db()
    assert (failed.state, failed.messages, trial.held_for) == ("failed", 1, "en")
    assert list_released_users(limit=9) == [], "not at once"
    [run] = release(chat, FixedProposer())
    assert (run.state, get_known(chat)) == ("applied", {("allergy", "hazelnuts"): "hazelnuts"})


def test_what_was_said_in_a_language_whose_breaker_is_open_waits_for_that_one(chat, tenant):
    opened = pause_by_hand(tenant.pk, language="ru", made_by="owner", reason="Russian jokes.")
    russian = "У меня аллергия на шерсть"
    say(chat, "So it goes on", "And on", ALLERGY, russian)
    proposer = FixedProposer([make_delta("hazelnuts", (3, ALLERGY)), make_delta("шерсть", (4, russian))])
    run = extract(chat, proposer)
    assert (run.mode, run.held_for) == ("on", "ru")
    resume_breaker(opened, state="closed", made_by="owner", reason="Mended.")
    [later] = release(chat, proposer)
    assert (later.follows_id, [row.position for row in later.delta_rows.all()]) == (run.pk, [1])
    assert len(proposer.asked) == 1


def test_a_release_whose_worker_died_is_taken_up_and_written_once(chat, breaker):
    say(chat, ALLERGY)
    extract(chat, FixedProposer([HAZELNUTS]))
    close(breaker)
    claimed = claim_held_run(**owner_filter(chat), proposer=FixedProposer())
    with pytest.raises(RunInProgress):
        release(chat, FixedProposer())
    ExtractionRun.objects.filter(pk=claimed.pk).update(lease_until=timezone.now())
    [run] = release(chat, FixedProposer())
    assert (run.pk, run.tries, run.deltas_applied) == (claimed.pk, 2, 1)
    assert ExtractionRun.objects.filter(follows__isnull=False).count() == 1


def test_the_database_lets_one_run_write_what_was_held_back(chat, breaker):
    say(chat, ALLERGY)
    extract(chat, FixedProposer([HAZELNUTS]))
    close(breaker)
    [run] = release(chat, FixedProposer())
    run.pk = None
    with pytest.raises(IntegrityError, match="extraction_run_follows_once"):
        run.save()


def test_a_normal_run_is_not_held_up_by_a_release(chat, breaker):
    say(chat, ALLERGY)
    extract(chat, FixedProposer([HAZELNUTS]))
    ExtractionRun.objects.update(created_at="2020-01-01T00:00:00Z")
    close(breaker)
    release(chat, FixedProposer())
    say(chat, WOOL)
    run = claim_run(**owner_filter(chat), triggered_by="cron", proposer=FixedProposer())
    assert run.follows_id is None


def test_undoing_a_trial_drops_what_it_holds(chat, breaker):
    say(chat, ALLERGY)
    trial = extract(chat, FixedProposer([HAZELNUTS]))
    revert_run(tenant_id=chat.tenant_id, run_id=trial.pk, made_by="owner", reason="A bad prompt.")
    trial.refresh_from_db()
    assert (trial.held_for, bytes(trial.answer_sealed)) == (None, b"")


def test_a_kept_answer_moves_to_a_new_key(chat, breaker, settings):
    say(chat, ALLERGY)
    trial = extract(chat, FixedProposer([HAZELNUTS]))
    before = bytes(trial.answer_sealed)
    assert before
    rotate_fact_keys()
    close(breaker)
    release(chat, FixedProposer())
    assert get_known(chat) == {("allergy", "hazelnuts"): "hazelnuts"}


def test_a_tenant_in_shadow_holds_nothing_back(chat, tenant, breaker):
    tenant.extraction = "shadow"
    tenant.save()
    [said] = say(chat, ALLERGY)
    assert extract(chat, FixedProposer([HAZELNUTS])).held_for is None
    assert find_message_state(tenant_id=tenant.pk, message_id=said.pk).code == "not_written"


def test_another_player_is_not_touched(chat, tenant, breaker):
    other = open_chat(tenant, "player-2")
    say(chat, ALLERGY)
    say(other, ALLERGY)
    for each in (chat, other):
        extract(each, FixedProposer([HAZELNUTS]))
    close(breaker)
    release(chat, FixedProposer())
    assert (bool(get_known(chat)), get_known(other)) == (True, {})
    assert [user.end_user_id for user in list_released_users(limit=9)] == [other.end_user_id]


def test_of_a_message_that_was_edited_meanwhile_the_old_words_are_no_fact_and_the_new_ones_are_read(chat, breaker):
    """The answer that is held back quotes words that the player has taken back by editing them."""
    [said] = say(chat, ALLERGY)
    trial = extract(chat, FixedProposer([HAZELNUTS]))
    assert (trial.mode, trial.held_for) == ("trial", "en")
    edited = edit_message(
        tenant_id=chat.tenant_id, message_id=said.pk, draft=AlternativeDraft(WOOL), requested_by="player"
    ).message
    close(breaker)
    wool = {("allergy", "wool"): "wool"}  # as instant hearing reads the new words at once

    def read(given):
        return [
            make_delta("wool", (place, WOOL)) for place, each in enumerate(given.messages, 1) if each.content == WOOL
        ]

    proposer = FixedProposer(read)
    with pytest.raises(NothingPending):
        release(chat, proposer)
    assert (get_known(chat), proposer.asked) == (wool, [])
    run = extract(chat, proposer)
    assert [each.content for each in proposer.asked[-1].messages if each.is_new] == [WOOL]
    assert [(row.verdict, row.outcome) for row in run.delta_rows.all()] == [("accepted", "confirmed")]
    assert find_message_state(tenant_id=chat.tenant_id, message_id=edited.pk).run_id == run.pk
    assert (get_known(chat), list_released_users(limit=9)) == (wool, [])
    with pytest.raises(NothingPending):
        extract(chat, proposer)
