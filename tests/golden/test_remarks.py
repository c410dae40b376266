"""K9 over conversations, days and runs: remarks add up to a held candidate, never to a fact; one remark to nothing."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from django.utils import timezone

from episodes.forgetting.actions.forgetting import forget_message
from factcheck.extraction.actions.decisions import reject_candidate
from factcheck.extraction.actions.forgetting import forget_in_extraction
from factcheck.extraction.actions.run_answers import answer_run
from factcheck.extraction.actions.run_claims import claim_run
from factcheck.extraction.actions.runs import finish_run
from factcheck.extraction.models import CandidateState, FactCandidate
from factcheck.extraction.proposers.registry import get_proposer
from memoryproject.forgetting.registry import Forgotten
from tests.golden.second_stage import answer, extract, propose, verdicts

pytestmark = pytest.mark.django_db
ATE_WELL, WAS_BAD = "Поел хорошо", "было плохо"


def mood(value, *quotes, key="food"):
    return propose("emotional_patterns", key, value, *quotes)


@pytest.fixture
def elsewhere(talk):
    """Says something in a new conversation of the same player, some days ago; the message's id."""

    def say(text, *, days_ago=0.0, user_id="player-1"):
        opened = talk.api.post("conversations", {"user_id": user_id}).json()
        sent_at = (timezone.now() - dt.timedelta(days=days_ago)).isoformat()
        body = {"role": "user", "content": text, "sent_at": sent_at}
        with talk.committing(execute=True):
            said = talk.api.post(f"conversations/{opened['id']}/messages", body)
        return said.json()["message_id"]

    return say


def shown(model):
    """The messages that the model was last shown: text to whether it is new, and the sessions."""
    turn = model.requests[-1]["messages"][1]["content"]
    lines = [json.loads(row) for row in turn.splitlines() if row.startswith('{"message"')]
    return {line["text"]: line["new"] for line in lines}, {line["session"] for line in lines}


def answer_of_the_last(model, value):
    """The model quotes the last message that it is shown."""

    def quote(body):
        place = body["messages"][1]["content"].count('{"message"')
        return json.dumps({"deltas": [mood(value, (place, value))]})

    model.chat = quote


def test_k9_in_two_conversations_days_apart_is_one_held_candidate(talk, elsewhere, user, model):
    first = elsewhere(ATE_WELL, days_ago=6)
    answer(model)
    extract(user)
    second = elsewhere(WAS_BAD)
    answer(model, mood(WAS_BAD, (1, ATE_WELL), (2, WAS_BAD)))
    run = extract(user)
    assert shown(model) == ({ATE_WELL: False, WAS_BAD: True}, {1, 2})
    assert [(row.verdict, row.outcome) for row in run.delta_rows.all()] == [("accepted", "candidate")]
    [candidate] = talk.api.get(f"users/{talk.user}/candidates").json()["data"]
    assert (candidate["state"], candidate["value"], candidate["evidence"]) == ("held", WAS_BAD, [first, second])
    assert (candidate["independent"], talk.facts()) == (2, [])
    pack = talk.api.post("context", {"user_id": talk.user, "message": "Что поесть?"}).json()
    assert "emotional_patterns" not in json.dumps(pack)


def test_k9_adds_up_where_each_run_proposes_its_own_remark_alone(talk, elsewhere, user, model):
    first = elsewhere(ATE_WELL, days_ago=6)
    answer(model, mood(ATE_WELL, (1, ATE_WELL)))
    assert verdicts(extract(user)) == ["rejected_no_anchor"]
    assert talk.api.get(f"users/{talk.user}/candidates").json()["data"] == []
    second = elsewhere(WAS_BAD)
    answer(model, mood(WAS_BAD, (2, WAS_BAD)))
    assert verdicts(extract(user)) == ["accepted"]
    [candidate] = FactCandidate.objects.all()
    assert (candidate.state, talk.facts()) == (CandidateState.HELD, [])
    assert [row.message_id for row in candidate.supports.all()] == [first, second]


def test_remarks_add_up_however_much_was_said_between_them(talk, elsewhere, user, model):
    first = elsewhere(ATE_WELL, days_ago=20)
    answer(model, mood(ATE_WELL, (1, ATE_WELL)))
    extract(user)
    for day in range(12, 0, -1):
        elsewhere(f"Погода номер {day}, ничего особенного", days_ago=day)
    answer(model)
    extract(user)
    elsewhere(WAS_BAD)
    answer_of_the_last(model, WAS_BAD)
    assert verdicts(extract(user)) == ["accepted"]
    assert FactCandidate.objects.get().supports.first().message_id == first


@pytest.mark.parametrize(
    ("key", "remark"),
    [("weather", ATE_WELL), ("food", "подруга поела хорошо"), ("food", "а если бы я поел хорошо?")],
)
def test_remarks_of_something_else_or_not_meant_do_not_add_up(talk, elsewhere, user, model, key, remark):
    elsewhere(remark, days_ago=6)
    answer(model, mood("хорошо", (1, remark), key=key))
    extract(user)
    elsewhere(WAS_BAD)
    answer(model, mood(WAS_BAD, (2, WAS_BAD)))
    assert verdicts(extract(user)) == ["rejected_no_anchor"]
    assert not FactCandidate.objects.exists()


def test_two_conversations_within_half_an_hour_are_one_session(talk, elsewhere, user, model):
    elsewhere(ATE_WELL, days_ago=0.01)
    answer(model)
    extract(user)
    elsewhere(WAS_BAD)
    answer(model, mood(WAS_BAD, (1, ATE_WELL), (2, WAS_BAD)))
    assert verdicts(extract(user)) == ["rejected_no_anchor"]


def test_a_long_session_whose_middle_is_not_shown_stays_one(talk, user, model):
    now = timezone.now()
    lines = [ATE_WELL, *(f"и ещё о погоде номер {number}" for number in range(16)), WAS_BAD]
    for place, text in enumerate(lines):
        sent_at = (now - dt.timedelta(minutes=20 * (len(lines) - place))).isoformat()
        if text == WAS_BAD:
            answer(model, mood(ATE_WELL, (1, ATE_WELL)))
            extract(user)
        talk.say(text, sent_at=sent_at)
    answer(model, *(mood(WAS_BAD, (place, WAS_BAD)) for place in range(1, 21)))
    assert "accepted" not in verdicts(extract(user))


def test_what_was_forgotten_rejected_or_another_players_is_not_shown_nor_added(talk, elsewhere, user, model):
    elsewhere("Поел отлично", days_ago=7, user_id="player-2")
    forgotten = elsewhere(ATE_WELL, days_ago=6)
    answer(model, mood(ATE_WELL, (1, ATE_WELL)))
    extract(user)
    forget_message(tenant_id=user.tenant_id, message_id=forgotten, requested_by="player")
    forget_in_extraction(Forgotten(user.tenant_id, user.pk, (forgotten,), ()))
    elsewhere(WAS_BAD, days_ago=3)
    answer(model, mood(WAS_BAD, (1, WAS_BAD)))
    assert verdicts(extract(user)) == ["rejected_no_anchor"]
    assert shown(model)[0] == {WAS_BAD: True}
    elsewhere("снова было плохо")
    answer(model, mood(WAS_BAD, (2, WAS_BAD)))
    assert verdicts(extract(user)) == ["accepted"]
    reject_candidate(
        tenant_id=user.tenant_id, candidate_id=FactCandidate.objects.get().pk, made_by="rob", reason="A bad week."
    )
    elsewhere("плохо")
    answer_of_the_last(model, "плохо")
    extract(user)
    assert [each.state for each in FactCandidate.objects.all()] == ["rejected"]


def test_a_remark_posted_while_the_model_thinks_costs_nothing_of_what_it_was_shown(talk, elsewhere, user, model):
    elsewhere(ATE_WELL, days_ago=6)
    answer(model)
    extract(user)
    elsewhere(WAS_BAD)

    answer(model, mood(WAS_BAD, (1, ATE_WELL), (2, WAS_BAD)))
    proposer = get_proposer()
    owner = {"tenant_id": user.tenant_id, "end_user_id": user.pk, "triggered_by": "manual"}
    run = answer_run(claim_run(**owner, proposer=proposer), proposer)
    for number in range(12):
        elsewhere(f"Между делом, номер {number}", days_ago=1)
    assert verdicts(finish_run(run, proposer)) == ["accepted"]
