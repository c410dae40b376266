"""A model that takes every word for every kind of fact, through REST: nothing becomes a fact that was not said."""

from __future__ import annotations

import json
import re

import pytest

from factcheck.extraction.actions.breakers import pause_by_hand, resume_breaker
from factcheck.extraction.core.deltas import PROPOSED_TYPES
from factcheck.extraction.models import ExtractionDelta, FactCandidate
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


def list_facts(rest, user_id):
    return {(fact["type"], fact["key"]) for fact in rest.get(f"users/{user_id}/facts").json()["facts"]}


@pytest.mark.parametrize(("sessions", "said"), TALKS)
def test_every_word_as_every_type_is_no_fact(rest, model, sessions, said):
    for type_ in PROPOSED_TYPES:
        model.chat = claim_all(type_)
        for days_ago, texts in zip(range(len(sessions) - 1, -1, -1), sessions, strict=True):
            rest.talk(type_, *texts, days_ago=days_ago)
            assert rest.post(f"users/{type_}/extractions", None).status_code == 202
        assert list_facts(rest, type_) <= said, type_
    assert ExtractionDelta.objects.exclude(verdict="accepted").count() > MAX_CLAIMS
    candidates = FactCandidate.objects.exclude(type__in=SOFT_TYPES)
    assert {each.type for each in candidates} <= {type_ for type_, _ in said}
    assert not FactCandidate.objects.filter(fact__isnull=False, type__in=SOFT_TYPES).exists()


def test_while_a_breaker_is_open_nothing_runs_and_in_a_trial_nothing_is_written(rest, model):
    model.chat = claim_all("allergy")
    rest.talk("player-1", "The thing with hazelnuts is: I'm allergic, sort of")
    known = list_facts(rest, "player-1")
    opened = pause_by_hand(Tenant.objects.get().pk, made_by="owner", reason="It takes jokes for facts.")
    refused = rest.post("users/player-1/extractions", None)
    assert (refused.status_code, refused.json()["code"]) == (409, "extraction_paused")
    resume_breaker(opened, state="half_open", made_by="owner", reason="A trial.")
    assert rest.post("users/player-1/extractions", None).status_code == 202
    assert ExtractionDelta.objects.exists()
    assert list_facts(rest, "player-1") == known
