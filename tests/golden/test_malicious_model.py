"""A model that takes every word for every kind of fact, through REST: nothing becomes a fact that was not said."""

from __future__ import annotations

import datetime as dt
import json
import re

import pytest
from django.utils import timezone

from factcheck.extraction.actions.breakers import pause_by_hand, resume_breaker
from factcheck.extraction.core.deltas import PROPOSED_TYPES
from factcheck.extraction.models import ExtractionDelta, FactCandidate
from factcheck.tasks import extract_user
from knowledge.facts.core.types import SOFT_TYPES
from tenancy.models import Tenant
from tests.golden.second_stage import propose

pytestmark = pytest.mark.django_db
MAX_CLAIMS = 20
TALKS = [
    pytest.param([["Поел хорошо"], ["было плохо"]], set(), id="K9"),
    pytest.param([["Поел хорошо", "тут шумно"], ["было плохо", "больше сюда ни ногой 🙄"]], set(), id="K9-longer"),
    pytest.param(
        [["Ходила с Лейлой по моллу, она обожает Zara, потратила двести дирхам на кофе, мне там ничего не нравится."]],
        set(), id="K11",
    ),
    pytest.param([["So what about peanuts?"], ["ok and shellfish?"]], set(), id="B1"),
    pytest.param([["The thing with hazelnuts is: I'm allergic"]], {("allergy", "hazelnuts")}, id="B2"),
    pytest.param(
        [["Just so you know: wedding in three weeks, help"]], {("life_event", "wedding")}, id="B3"
    ),
    pytest.param([["أختي عندها حساسية من السمك", "كم سعر هذا الفستان؟"]], set(), id="B4-Arabic"),
    pytest.param([["我妹妹对花生过敏", "要是我预算五千呢？"]], set(), id="B5-Chinese"),
]  # fmt: skip


def claim_all(type_):
    """A model that takes each word that it is shown for a fact of a type, with a whole message as its quote."""

    def answer(body):
        turn = body["messages"][1]["content"]
        lines = [json.loads(row) for row in turn.splitlines() if row.startswith('{"message"')]
        own = [line for line in lines if line["role"] == "user"]
        words = [(line, word) for line in reversed(own) for word in re.findall(r"\w{2,}", line["text"])]
        first = (own[0]["message"], own[0]["text"])
        deltas = [
            propose(type_, word.casefold(), word, *dict.fromkeys([first, (line["message"], line["text"])]))
            for line, word in words[: MAX_CLAIMS - 1]
        ]
        deltas.append(propose(type_, "general", "1,000,000 AED", (own[-1]["message"], own[-1]["text"])))
        return json.dumps({"deltas": deltas}, ensure_ascii=False)

    return answer


@pytest.fixture
def engine(api, model, monkeypatch, django_capture_on_commit_callbacks):
    """The REST interface, whose queued runs are worked off at once."""
    Tenant.objects.update(extraction="on")
    monkeypatch.setattr(extract_user, "apply_async", lambda arguments, **_: extract_user(*arguments))

    def talk(user_id, *texts, days_ago=0):
        opened = api.post("conversations", {"user_id": user_id}).json()
        sent_at = (timezone.now() - dt.timedelta(days=days_ago)).isoformat()
        messages = [{"role": "user", "content": text, "sent_at": sent_at} for text in texts]
        with django_capture_on_commit_callbacks(execute=True):
            for message in messages:
                assert api.post(f"conversations/{opened['id']}/messages", message).status_code in (200, 201)

    api.talk = talk
    return api


def list_facts(engine, user_id):
    return {(fact["type"], fact["key"]) for fact in engine.get(f"users/{user_id}/facts").json()["facts"]}


@pytest.mark.parametrize(("sessions", "said"), TALKS)
def test_every_word_as_every_type_is_no_fact(engine, model, sessions, said):
    for type_ in PROPOSED_TYPES:
        model.chat = claim_all(type_)
        for days_ago, texts in zip(range(len(sessions) - 1, -1, -1), sessions, strict=True):
            engine.talk(type_, *texts, days_ago=days_ago)
            assert engine.post(f"users/{type_}/extractions", None).status_code == 202
        assert list_facts(engine, type_) <= said, type_
    assert ExtractionDelta.objects.exclude(verdict="accepted").count() > MAX_CLAIMS
    candidates = FactCandidate.objects.exclude(type__in=SOFT_TYPES)
    assert {each.type for each in candidates} <= {type_ for type_, _ in said}
    assert not FactCandidate.objects.filter(fact__isnull=False, type__in=SOFT_TYPES).exists()


def test_while_a_breaker_is_open_nothing_runs_and_in_a_trial_nothing_is_written(engine, model):
    model.chat = claim_all("allergy")
    engine.talk("player-1", "The thing with hazelnuts is: I'm allergic, sort of")
    known = list_facts(engine, "player-1")
    opened = pause_by_hand(Tenant.objects.get().pk, made_by="owner", reason="It takes jokes for facts.")
    refused = engine.post("users/player-1/extractions", None)
    assert (refused.status_code, refused.json()["code"]) == (409, "extraction_paused")
    resume_breaker(opened, state="half_open", made_by="owner", reason="A trial.")
    assert engine.post("users/player-1/extractions", None).status_code == 202
    assert ExtractionDelta.objects.exists()
    assert list_facts(engine, "player-1") == known
