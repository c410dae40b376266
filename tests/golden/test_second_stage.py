"""K7, K8, K9, K23, K24 and B1 to B5 of the second stage, through REST, against a chat model on loopback: one that
proposes what a good reader might, and one that always proposes the wrong thing.
"""

from __future__ import annotations

import datetime as dt
import json

import pytest
from django.utils import timezone

from episodes.forgetting.actions.forgetting import forget_message
from factcheck.extraction.actions.breakers import judge_denial_breakers
from factcheck.extraction.actions.run_answers import answer_run
from factcheck.extraction.actions.run_claims import claim_run
from factcheck.extraction.actions.runs import finish_run
from factcheck.extraction.errors import ExtractionPaused, NothingPending, RunInProgress
from factcheck.extraction.models import ExtractionDelta, ExtractionRun, FactCandidate
from factcheck.extraction.proposers.registry import get_proposer
from knowledge.facts.actions import Correction, deactivate_fact
from knowledge.facts.models import UserFact
from reviews.quality.actions.judgements import judge_tenant
from tenancy.models import EndUser
from tests.factcheck.extraction.rows import make_batch_facts, make_run
from tests.factories.people import make_member
from tests.golden.second_stage import answer, extract, lie, propose, verdicts
from tests.reviews.quality.rows import label_many

pytestmark = pytest.mark.django_db
FRIEND = "Подруга обожает Zara, мне больше MD"
SARCASM = "О да, конечно, обожаю стразы и леопард, всю жизнь мечтал 🙄"
SLANG = "wallah this dress 7ilu بس overpriced شوي"
CASUAL = "يبيلي شي casual مو formal وايد"
ATE_WELL, WAS_BAD = "Поел хорошо", "было плохо"


TALKS = [
    pytest.param([FRIEND], id="K7"),
    pytest.param(["Мне минимализм", "Да, минимализм", "Снова минимализм", SARCASM], id="K8"),
    pytest.param([SLANG], id="K23"),
    pytest.param([CASUAL], id="K24"),
]


@pytest.mark.parametrize("said", TALKS)
def test_a_malicious_model_writes_and_holds_nothing(talk, user, model, said):
    for text in said:
        talk.say(text)
    model.chat = lie
    run = extract(user)
    assert run.deltas >= 13
    assert set(verdicts(run)).isdisjoint({"accepted"})
    assert (talk.facts(), FactCandidate.objects.count()) == ([], 0)
    assert talk.api.get(f"users/{talk.user}/candidates").json()["data"] == []


@pytest.mark.parametrize(
    ("said", "delta", "code"),
    [
        pytest.param(
            [FRIEND], propose("brand_preferences", "zara", "Zara", (1, "Подруга обожает Zara"), subject="other"),
            "rejected_subject", id="K7-Zara",
        ),
        pytest.param(
            [FRIEND], propose("brand_preferences", "md", "MD", (1, "мне больше MD")), "rejected_no_anchor", id="K7-MD"
        ),
        pytest.param([SARCASM], propose("hard_ban", "леопард", "леопард", (1, SARCASM)), "rejected_no_anchor", id="K8"),
        pytest.param(
            [SLANG], propose("brand_preferences", "dress", "dress", (1, SLANG)), "rejected_no_anchor", id="K23"
        ),
        pytest.param(
            [CASUAL], propose("behavior_patterns", "casual", "casual", (1, CASUAL)), "rejected_no_anchor", id="K24"
        ),
    ],
)  # fmt: skip
def test_a_taste_or_a_mood_of_one_session_is_refused_with_its_code(talk, user, model, said, delta, code):
    for text in said:
        talk.say(text)
    answer(model, delta)
    run = extract(user)
    assert verdicts(run) == [code]
    [listed] = talk.api.get(f"extraction/runs/{run.pk}").json()["delta_list"]
    assert (listed["verdict"], listed["outcome"]) == (code, "rejected")
    assert (talk.facts(), FactCandidate.objects.count()) == ([], 0)


def say_in_two_sessions(talk, user, model):
    """«Поел хорошо», worked off; a new session: «было плохо», read with what was said before it."""
    long_ago = (timezone.now() - dt.timedelta(hours=5)).isoformat()
    first = talk.say(ATE_WELL, sent_at=long_ago)["message_id"]
    answer(model)
    extract(user)
    second = talk.say(WAS_BAD)["message_id"]
    return first, second


def test_k9_a_mood_of_two_sessions_is_one_held_candidate_and_no_fact(talk, user, model):
    first, second = say_in_two_sessions(talk, user, model)
    answer(model, propose("emotional_patterns", "food", "было плохо", (1, ATE_WELL), (2, WAS_BAD)))
    run = extract(user)
    assert [(row.verdict, row.outcome) for row in run.delta_rows.all()] == [("accepted", "candidate")]
    [candidate] = talk.api.get(f"users/{talk.user}/candidates").json()["data"]
    assert (candidate["type"], candidate["state"], candidate["value"]) == ("emotional_patterns", "held", "было плохо")
    assert (candidate["evidence"], candidate["independent"], candidate["fact_id"]) == ([first, second], 2, None)
    assert talk.facts() == []


def test_k9_it_adds_up_and_is_never_promoted_nor_told(talk, user, model):
    say_in_two_sessions(talk, user, model)
    delta = propose("emotional_patterns", "food", "было плохо", (1, ATE_WELL), (2, WAS_BAD))
    answer(model, delta)
    extract(user)
    talk.say("опять было плохо")
    answer(model, {**delta, "quotes": [{"message": 1, "text": ATE_WELL}, {"message": 3, "text": "было плохо"}]})
    extract(user)
    [candidate] = FactCandidate.objects.all()
    assert (candidate.state, candidate.supports.count()) == ("held", 3)
    assert talk.facts() == []
    pack = talk.api.post("context", {"user_id": talk.user, "message": "Чем бы поужинать?"}).json()
    assert "emotional_patterns" not in json.dumps(pack)


@pytest.mark.parametrize(
    ("second", "value", "code"),
    [
        ("было бы плохо, если бы остыло?", "плохо", "rejected_guarded"),
        ("подруге было плохо", "плохо", "rejected_subject"),
        (WAS_BAD, "ненавидит еду", "rejected_value_not_said"),
    ],
)
def test_of_two_sessions_as_well_words_speaker_and_value_must_stand(talk, user, model, second, value, code):
    talk.say(ATE_WELL, sent_at=(timezone.now() - dt.timedelta(hours=5)).isoformat())
    answer(model)
    extract(user)
    talk.say(second)
    answer(model, propose("emotional_patterns", "food", value, (1, ATE_WELL), (2, second)))
    assert verdicts(extract(user)) == [code]
    assert not FactCandidate.objects.exists()


ASKED = "So what about peanuts?"


@pytest.mark.parametrize(
    ("quote", "more", "code"),
    [
        ((1, ASKED), {}, "rejected_no_anchor"),
        ((7, ASKED), {}, "rejected_no_evidence"),
        ((1, ASKED), {"confidence": 0.79}, "rejected_low_confidence"),
        ((1, "I'm allergic to peanuts"), {}, "rejected_no_quote"),
    ],
)
def test_b1_each_refusal_has_its_label_and_its_row_is_kept(talk, user, model, quote, more, code):
    talk.say(ASKED)
    answer(model, propose("allergy", "peanuts", "peanuts", quote, **more))
    assert verdicts(extract(user)) == [code]
    assert ExtractionDelta.objects.exclude(words_sealed=b"").count() == 1
    assert talk.facts() == []


def test_b1_a_message_that_is_forgotten_while_the_model_thinks_proves_nothing(talk, user, model):
    said = "wedding in three weeks, help"
    message_id = talk.say(said)["message_id"]
    answer(model, propose("life_event", "wedding", "wedding", (1, "wedding in three weeks")))
    owner = {"tenant_id": user.tenant_id, "end_user_id": user.pk, "triggered_by": "manual"}
    run = answer_run(claim_run(**owner, proposer=get_proposer()), get_proposer())
    forget_message(tenant_id=user.tenant_id, message_id=message_id, requested_by="player")
    run = finish_run(run, get_proposer())
    assert "accepted" not in verdicts(run)
    assert not ExtractionDelta.objects.exclude(words_sealed=b"").exists()
    assert (talk.facts(), FactCandidate.objects.count()) == ([], 0)


def test_b2_two_workers_on_one_range_apply_one_run(talk, user, model):
    talk.say("The thing with hazelnuts is: I'm allergic")
    answer(model, propose("budget", "general", "1 AED", (1, "The thing")))
    owner = {"tenant_id": user.tenant_id, "end_user_id": user.pk, "triggered_by": "manual"}
    claimed = claim_run(**owner, proposer=get_proposer())
    with pytest.raises(RunInProgress):
        extract(user)
    finish_run(claimed, get_proposer())
    with pytest.raises(NothingPending):
        extract(user)
    assert ExtractionRun.objects.count() == 1


def test_b3_a_worker_that_dies_after_the_call_costs_one_call_and_doubles_nothing(talk, user, model):
    talk.say("Just so you know: wedding in three weeks, help")
    answer(model, propose("life_event", "wedding", "wedding", (1, "wedding in three weeks")))
    asked = len(model.requests)
    owner = {"tenant_id": user.tenant_id, "end_user_id": user.pk, "triggered_by": "manual"}
    answer_run(claim_run(**owner, proposer=get_proposer()), get_proposer())
    ExtractionRun.objects.update(lease_until=timezone.now())
    run = extract(user)
    assert (run.state, run.tries, len(model.requests) - asked) == ("applied", 2, 1)
    assert ExtractionDelta.objects.count() == 1


def deny(user: EndUser, facts: list[UserFact]) -> None:
    for fact in facts:
        correction = Correction(type="user_denied", trigger_message_id=1, basis="explicit")
        deactivate_fact(tenant_id=user.tenant_id, end_user_id=user.pk, fact_id=fact.pk, correction=correction)
    judge_denial_breakers(user.tenant_id)


def test_b4_four_of_a_hundred_denied_prove_no_three_percent_and_six_do(talk, user):
    """The seed stops at a bare 4 %: a lower bound decides here (ADR 28)."""
    facts = make_batch_facts(make_run(user), 100)
    deny(user, facts[:4])
    assert talk.api.get("status").json()["extraction"]["paused"] is False
    deny(user, facts[4:6])
    status = talk.api.get("status").json()
    assert (status["extraction"]["paused"], "extraction_paused" in status["degraded"]) == (True, True)
    [breaker] = talk.api.get("extraction/quality").json()["breakers"]
    assert (breaker["kind"], breaker["state"], breaker["reviewed"], breaker["wrong"]) == ("denials", "open", 100, 6)
    talk.say("So it goes on in English, as before")
    with pytest.raises(ExtractionPaused):
        extract(user)


@pytest.mark.parametrize(("wrong", "is_paused", "policy"), [(6, False, 0.01), (9, True, 0.01), (1, False, 0.01)])
def test_b5_of_a_hundred_labels_nine_errors_stop_and_one_proves_no_two_percent(talk, user, wrong, is_paused, policy):
    """The seed stops at 6 of 100 and reviews 0.1 % after 1 of 100: neither is proven (ADR 28)."""
    label_many(user, make_member(user.tenant, "rob"), 100 - wrong, wrong)
    assert judge_tenant(user.tenant_id).policy == policy
    assert talk.api.get("status").json()["extraction"]["paused"] is is_paused
    [whole, _] = talk.api.get("extraction/quality").json()["error_rates"]
    assert (whole["reviewed"], whole["wrong"], whole["finding"]) == (100, wrong, "estimated")
