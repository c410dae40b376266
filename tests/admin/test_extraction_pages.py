"""Pages of the second stage: runs, candidates, a player's share; what people decide there, with a reason."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from episodes.forgetting.actions.forgetting import forget_message
from factcheck import tasks
from factcheck.extraction import sentences
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models import (
    CandidateState,
    DeltaOutcome,
    ExtractionRun,
    FactCandidate,
    MessageOutcome,
    RunMode,
    RunState,
)
from knowledge.facts.models import UserFact
from reviews.models import AuditEntry
from tenancy.models import Membership
from tests.factcheck.extraction.proposers import BrokenProposer, FixedProposer, make_delta
from tests.factcheck.extraction.talks import extract
from tests.factories.conversations import open_chat, say
from tests.factories.facts import get_known

pytestmark = pytest.mark.django_db
ALLERGY = "I am allergic to hazelnuts"
ARABIC = "I am allergic to البندق and that is that"
WEDDING = "wedding in three weeks, help"
REASON = {"reason": "The prompt took jokes for facts."}


@pytest.fixture
def chat(selmar):
    selmar.tenant.extraction = "on"
    selmar.tenant.save()
    return open_chat(selmar.tenant)


@pytest.fixture
def run(chat):
    say(chat, ALLERGY, "My sister has an allergy to cats", "So, where were we?", "Go on")
    answer = [
        make_delta("hazelnuts", (1, ALLERGY)),
        make_delta("cats", (2, "an allergy to cats"), subject="other"),
        make_delta("mice", (3, "I fear mice")),
    ]
    return extract(chat, FixedProposer(answer))


@pytest.fixture
def candidate(chat):
    say(chat, "What is new?", role="assistant")
    say(chat, WEDDING)
    say(chat, "How nice!", role="assistant")
    wedding = make_delta("wedding", (2, WEDDING), type="life_event")
    extract(chat, FixedProposer(lambda given: [_place(wedding, len(given.messages) - 1)]))
    return FactCandidate.objects.get()


def page(name, *args):
    return reverse(f"admin:{name}", args=args)


def read(client, url, **query):
    return client.get(url, query).content.decode().replace("<mark>", "[").replace("</mark>", "]")


def test_a_run_is_told_in_plain_words(selmar, run, sign_in):
    told = read(sign_in(selmar.reviewer), page("factcheck_extractionrun_change", run.pk))
    assert f"[{ALLERGY}]" in told
    assert "My sister has [an allergy to cats]" in told
    assert "It is not about the player." in told
    assert "The quoted words do not stand in the message." in told
    assert "I fear mice" in told
    assert "Nothing was proposed of it." in told
    assert f"#fact-{UserFact.objects.get().pk}" in told
    assert "1 extracted, 2 rejected, 1 nothing" in told


def test_words_of_another_script_keep_their_direction_and_are_marked(selmar, chat, sign_in):
    say(chat, ARABIC)
    run = extract(chat, FixedProposer([make_delta("البندق", (1, "allergic to البندق"))]))
    told = read(sign_in(selmar.reviewer), page("factcheck_extractionrun_change", run.pk))
    assert '<div class="m-quote" dir="auto">' in told
    assert "I am [allergic to البندق] and that" in told


def test_every_code_has_a_sentence():
    assert set(sentences.VERDICTS) == set(VerdictCode)
    assert set(sentences.DELTA_OUTCOMES) == set(DeltaOutcome)
    assert set(sentences.MESSAGE_OUTCOMES) == set(MessageOutcome)
    assert set(sentences.RUN_STATES) == set(RunState)
    assert set(sentences.RUN_MODES) == set(RunMode)
    assert set(sentences.CANDIDATE_STATES) == set(CandidateState)
    assert sentences.word_verdict("rejected_of_tomorrow") == "rejected of tomorrow"


def test_forgotten_words_are_shown_as_forgotten(selmar, chat, run, sign_in):
    told = [page("factcheck_extractionrun_change", run.pk), page("player_extraction", chat.end_user_id)]
    client = sign_in(selmar.reviewer)
    assert all("hazelnuts" in read(client, url) for url in told)
    first = chat.messages.order_by("seq").first()
    forget_message(tenant_id=chat.tenant_id, message_id=first.pk, requested_by="test")
    for url in told:
        shown = read(client, url)
        assert "hazelnuts" not in shown
        assert "forgotten" in shown


def test_undoing_a_run_wants_a_reason_and_stands_in_the_audit_log(selmar, chat, run, sign_in):
    client, url = sign_in(selmar.reviewer), page("extraction_undo", run.pk)
    assert "Undo this run" in read(client, url)
    for missing in ({}, {"reason": "  "}):
        assert "Say why. Nothing is changed." in client.post(url, missing).content.decode()
    assert get_known(chat)
    assert not AuditEntry.objects.filter(action="extraction_run.undone").exists()
    done = client.post(url, REASON, follow=True).content.decode()
    assert f"Run {run.pk} is undone: 1 fact ended" in done
    assert REASON["reason"] in done
    assert get_known(chat) == {}
    entry = AuditEntry.objects.get(action="extraction_run.undone")
    assert (entry.actor_label, entry.reason, entry.object_id) == ("selmar-reviewer", REASON["reason"], str(run.pk))
    assert entry.details == {"ended": 1, "restored": 0, "kept": 0, "settled": 0}


def test_a_run_that_is_undone_meanwhile_is_not_undone_twice(selmar, run, sign_in):
    one, other, url = sign_in(selmar.reviewer), sign_in(selmar.owner), page("extraction_undo", run.pk)
    one.post(url, REASON)
    assert "can be undone, and once" in other.post(url, REASON, follow=True).content.decode()
    assert "selmar-reviewer undid it" in read(other, url)
    assert AuditEntry.objects.filter(action="extraction_run.undone").count() == 1


def test_all_runs_of_a_prompt_version_are_undone_by_an_owner(selmar, chat, run, sign_in, monkeypatch):
    say(chat, "I am allergic to figs")
    figs = make_delta("figs", (1, "I am allergic to figs"))
    answer = FixedProposer(lambda given: [_place(figs, len(given.messages))], prompt_version="test-2")
    other = extract(chat, answer)
    stranger = open_chat(selmar.tenant, "player-2")
    say(stranger, ALLERGY)
    extract(stranger, FixedProposer([make_delta("hazelnuts", (1, ALLERGY))]))
    url = page("extraction_undo_version", run.pk)
    monkeypatch.setattr(tasks.undo_prompt_version, "delay", tasks.undo_prompt_version)
    assert sign_in(selmar.reviewer).post(url, REASON).status_code == 404
    owner = sign_in(selmar.owner)
    assert "2 runs</strong> of <strong>2 players" in read(owner, url)
    assert "Say why" in owner.post(url, {"reason": ""}).content.decode()
    assert len(get_known(chat)) == 2
    assert "2 runs will be undone" in owner.post(url, REASON, follow=True).content.decode()
    assert (set(get_known(chat)), get_known(stranger)) == ({("allergy", "figs")}, {})
    other.refresh_from_db()
    assert other.reverted_at is None
    assert AuditEntry.objects.filter(action="extraction_run.undone").count() == 2
    assert "No run of this version is left" in read(owner, url)


def test_a_failed_run_is_tried_again(selmar, chat, sign_in, monkeypatch):
    queued = []
    monkeypatch.setattr(tasks.extract_user, "apply_async", lambda args, **_: queued.append(args))
    say(chat, ALLERGY)
    run = extract(chat, BrokenProposer())
    client, url = sign_in(selmar.reviewer), page("extraction_retry", run.pk)
    assert "did not answer" in read(client, page("factcheck_extractionrun_change", run.pk))
    assert "Say why" in client.post(url, {"reason": ""}).content.decode()
    assert queued == []
    assert "A run over 1 message is on its way" in client.post(url, REASON, follow=True).content.decode()
    assert queued == [(chat.tenant_id, chat.end_user_id, "manual")]
    extract(chat, FixedProposer())
    assert "No message of this user waits" in client.post(url, REASON, follow=True).content.decode()
    assert AuditEntry.objects.filter(action="extraction_run.retried").count() == 1


def test_a_run_that_did_not_fail_is_not_tried_again(selmar, run, sign_in):
    told = sign_in(selmar.reviewer).post(page("extraction_retry", run.pk), REASON, follow=True).content.decode()
    assert "Only a failed run is tried again" in told


def test_a_candidate_stands_between_its_neighbours(selmar, candidate, sign_in):
    client = sign_in(selmar.reviewer)
    told = read(client, page("factcheck_factcandidate_change", candidate.pk))
    assert told.index("What is new?") < told.index(f"[{WEDDING}]") < told.index("How nice!")
    assert "1 of 2 needed" in told
    assert "wedding" in read(client, page("factcheck_factcandidate_changelist"))


@pytest.mark.parametrize(("verb", "state", "facts"), [("promote", "promoted", 1), ("reject", "rejected", 0)])
def test_a_person_decides_on_a_candidate_once_with_a_reason(selmar, candidate, sign_in, verb, state, facts):
    client, url = sign_in(selmar.reviewer), page("candidate_decision", candidate.pk, verb)
    assert "Say why. Nothing is changed." in client.post(url, {"reason": " "}).content.decode()
    candidate.refresh_from_db()
    assert candidate.state == "open"
    told = client.post(url, REASON, follow=True).content.decode()
    assert f"open → {state}" in told
    assert UserFact.objects.count() == facts
    entry = AuditEntry.objects.get(action=f"fact_candidate.{state}")
    assert (entry.before, entry.after, entry.reason) == ("open", state, REASON["reason"])
    again = client.post(url, REASON, follow=True).content.decode()
    assert "The candidate is " in again
    assert AuditEntry.objects.filter(object_type="fact_candidate").count() == 1


def test_extract_now_queues_one_run_and_says_so(selmar, chat, sign_in, monkeypatch):
    queued = []
    monkeypatch.setattr(tasks.extract_user, "apply_async", lambda args, **_: queued.append(args))
    client, url = sign_in(selmar.reviewer), page("player_extract_now", chat.end_user_id)
    assert url in read(client, page("player", chat.end_user_id))
    assert "No message of this user waits" in client.post(url, follow=True).content.decode()
    say(chat, ALLERGY)
    assert "A run over 1 message" in client.post(url, follow=True).content.decode()
    assert queued == [(chat.tenant_id, chat.end_user_id, "manual")]
    assert client.get(url).status_code == 405


def test_a_player_page_tells_what_became_of_each_message(selmar, chat, run, sign_in):
    say(chat, "One more")
    told = read(sign_in(selmar.reviewer), page("player_extraction", chat.end_user_id))
    assert "1 message waits" in told
    assert "not read yet" in told
    assert "It became a fact." in told
    assert f"Run {run.pk}" in told


def test_editors_labellers_and_other_tenants_see_none_of_it(selmar, rival, chat, run, candidate, sign_in):
    reads = [
        page("factcheck_extractionrun_change", run.pk),
        page("factcheck_factcandidate_change", candidate.pk),
        page("extraction_undo", run.pk),
        page("extraction_undo_version", run.pk),
        page("extraction_retry", run.pk),
        page("player_extraction", chat.end_user_id),
        page("tenant_extraction", selmar.tenant.pk),
    ]
    writes = [
        *reads[2:5],
        reads[6],
        page("candidate_decision", candidate.pk, "promote"),
        page("player_extract_now", chat.end_user_id),
    ]
    Membership.objects.filter(user_id=rival.reviewer.user_id).update(tenant=selmar.tenant, role="labeller")
    for stranger in (rival.owner, selmar.editor, rival.reviewer):
        client = sign_in(stranger)
        assert {client.get(url).status_code for url in reads} <= {403, 404}
        assert {client.post(url, REASON).status_code for url in writes} == {404}
        for model in ("extractionrun", "factcandidate"):
            shown = client.get(page(f"factcheck_{model}_changelist"))
            assert shown.status_code == 403 or "player-1" not in shown.content.decode()
        assert "Extraction of" not in client.get(page("index")).content.decode()
    assert UserFact.objects.get().is_active
    assert not AuditEntry.objects.filter(action__startswith="extraction_run").exists()


def test_lists_filter_and_take_as_many_queries_for_much_as_for_little(selmar, chat, sign_in):
    client = sign_in(selmar.reviewer)
    urls = [page("factcheck_extractionrun_changelist"), page("factcheck_factcandidate_changelist")]
    counts = []
    for size in (2, 12):
        for number in range(size):
            other = open_chat(selmar.tenant, f"player {number} of {size}")
            say(other, WEDDING)
            extract(other, FixedProposer([make_delta("wedding", (1, WEDDING), type="life_event")]))
        taken = []
        for url in urls:
            with CaptureQueriesContext(connection) as queries:
                assert client.get(url).status_code == 200
            taken.append(len(queries))
        counts.append(taken)
    assert FactCandidate.objects.count() == 14
    assert counts[0] == counts[1]
    assert max(counts[0]) < 25
    assert f"#{ExtractionRun.objects.first().pk}<" in read(client, urls[0], state__exact="applied")
    assert f"#{ExtractionRun.objects.first().pk}<" not in read(client, urls[0], undone="yes")


def _place(delta, place):
    return {**delta, "quotes": [{**quote, "message": place} for quote in delta["quotes"]]}


def test_a_run_takes_as_many_queries_for_much_as_for_little(selmar, chat, sign_in):
    client = sign_in(selmar.reviewer)
    counts = []
    for size in (2, 15):
        texts = [f"I am allergic to thing {size} {number}" for number in range(size)]
        say(chat, *texts)
        run = extract(
            chat,
            FixedProposer(
                lambda given: [
                    make_delta(each.content[17:], (place, each.content))
                    for place, each in enumerate(given.messages, 1)
                    if each.is_new
                ]
            ),
        )
        urls = [page("factcheck_extractionrun_change", run.pk), page("player_extraction", chat.end_user_id)]
        taken = []
        for url in urls:
            with CaptureQueriesContext(connection) as queries:
                assert client.get(url).status_code == 200
            taken.append(len(queries))
        counts.append(taken)
    assert counts[0] == counts[1]


def test_the_home_page_tells_what_failed_and_what_waits(selmar, chat, sign_in, monkeypatch):
    from factcheck.extraction.admin import home

    client = sign_in(selmar.reviewer)
    say(chat, ALLERGY)
    assert "oldest message that waits" in read(client, page("index"))
    extract(chat, BrokenProposer())
    monkeypatch.setattr(home, "LATE", dt.timedelta(seconds=-1))
    told = read(client, page("index"))
    assert "Extraction of 1 player of" in told
    assert "waits for" in told
    extract(chat, FixedProposer())
    told = read(client, page("index"))
    assert "Extraction of 1 player" not in told
    assert "for extraction" not in told
