"""A model that checks what NPCs say: it is asked once, told no secret, and believed only where its quotes hold."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from prometheus_client import REGISTRY

from factcheck.claims.actions import replies
from factcheck.claims.core.judge_model import JudgeLimits
from factcheck.claims.core.replies.witness import Testimony, ToldPassage
from factcheck.claims.judge import Judgement
from factcheck.core.verdicts import Source
from memoryproject.breaker import CircuitBreaker
from runtime.models import Trace
from tests.factories.canon import article, publish
from tests.factories.npcs import make_npc
from tests.loopback_openai import serve_openai

TURN = {"npc_id": "mira", "session_id": "s-1", "user_id": "player-1", "query": "Tell me of the bell tower."}
CANON = (
    article("bell-tower", "The bell tower of Ashfall was built in 1204. It has nine bells. Strangers may not enter."),
    article("crypt", "The bell tower hides a crypt with seven graves.", audience=["npc:orin"]),
)


@pytest.fixture(autouse=True)
def breaker(monkeypatch):
    monkeypatch.setattr(replies, "BREAKER", CircuitBreaker(max_failures=2, pause_seconds=60))


@pytest.fixture
def engine(make_api, world):
    publish(world, *CANON)
    make_npc(world, "mira", name="Mira")
    return make_api("read", "engine")


@pytest.fixture
def models(settings):
    """Starts a loopback server whose NPC says `reply` and whose checker gives `answers` in turn."""
    contexts = []

    def start(reply, *answers, **behaviour):
        left = list(answers)

        def chat(body):
            if body["model"] == "checker":
                return left.pop(0) if left else "{}"
            return reply

        context = serve_openai(chat=chat, **behaviour)
        server = context.__enter__()
        contexts.append(context)
        settings.CHAT_MODEL, settings.CHECK_MODEL, settings.REPLY_CHECK = "talker", "checker", "model"
        settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = server.url, "test"
        return server

    yield start
    for context in contexts:
        context.__exit__(None, None, None)


def claim(quote, passage_quote, passage=1, verdict="contradicts"):
    return {"quote": quote, "passage": passage, "passage_quote": passage_quote, "verdict": verdict}


def make_testimony(*claims):
    return json.dumps({"claims": list(claims)}, ensure_ascii=False)


def checks_of(server):
    return [each for each in server.requests if each.get("model") == "checker"]


def say(engine):
    return engine.post("npc/chat", TURN).json()


def test_the_checker_reads_the_passages_of_the_pack_and_no_secret(engine, models, settings):
    settings.CHAT_PRICE_PROMPT = settings.CHECK_PRICE_PROMPT = 1.0
    server = models("The tower has nine bells.", make_testimony())
    document = say(engine)
    [asked] = checks_of(server)
    told = json.loads(asked["messages"][1]["content"])
    assert told["reply"] == "The tower has nine bells."
    assert "nine bells" in told["passages"][0]["text"]
    assert "crypt" not in json.dumps(asked)
    assert asked["response_format"]["type"] == "json_schema"
    trace = Trace.objects.get(pk=document["trace_id"])
    assert trace.outline["checks"][0]["checked_by"] == "model"
    assert [call["model"] for call in trace.outline["model_calls"]] == ["talker", "checker"]
    assert document["usage"]["prompt_tokens"] == 2
    assert "canon_check" in trace.steps_ms


def test_what_both_quotes_bear_out_is_a_contradiction(engine, models):
    reply = "The tower? Up the hill, friend, the tower has eleven bells."
    found = make_testimony(claim("the tower has eleven bells", "It has nine bells."))
    models(reply, found, found)
    document = say(engine)
    assert "contradicts_canon" in document["degraded"]
    assert document["canon"]["contradictions"]


@pytest.mark.parametrize(
    "claims",
    [
        [claim("It has ten bells", "It has nine bells.")],
        [claim("It has nine bells", "It has eight bells.")],
        [claim("It has nine bells", "It has nine bells.", passage=9)],
        [claim("It has nine bells", "It has nine bells.", passage=0)],
        [claim("It has nine bells", "It has nine bells.")],
        [claim("It has nine bells", "The bell tower of Ashfall was built in 1204.")],
        [claim("", "")],
    ],
    ids=["reply not quoted", "canon not quoted", "no passage", "zero", "same value", "other thing", "empty"],
)
def test_a_model_that_claims_too_much_is_a_counted_suspect(engine, models, claims):
    before = REGISTRY.get_sample_value("memory37_reply_suspect_total", {"part": "model"}) or 0
    models("It has nine bells, friend.", make_testimony(*claims))
    document = say(engine)
    assert document["canon"] == {"contradictions": [], "asked_again": False}
    assert document["degraded"] == []
    assert Trace.objects.get(pk=document["trace_id"]).outline["checks"][0]["suspects"] == len(claims)
    assert REGISTRY.get_sample_value("memory37_reply_suspect_total", {"part": "model"}) == before + len(claims)


def test_an_answer_in_another_form_is_asked_for_once_more(engine, models):
    server = models("It has nine bells.", "Sure! Here it is.", make_testimony())
    document = say(engine)
    assert len(checks_of(server)) == 2
    assert Trace.objects.get(pk=document["trace_id"]).outline["checks"][0]["checked_by"] == "model"


@pytest.mark.parametrize("answer", ["", "[]", '{"claims": 3}', '{"claims": [{"quote": 1}]}', "\u0000", "[" * 5000])
def test_rubbish_leaves_the_rules_and_says_so(engine, models, answer):
    models("Well, it has eleven bells, friend.", answer, answer, answer, answer)
    document = say(engine)
    assert "check_model_unavailable" in document["degraded"]
    assert "contradicts_canon" in document["degraded"]
    trace = Trace.objects.get(pk=document["trace_id"])
    assert trace.outline["checks"][-1]["checked_by"] == "rules"


def test_a_checker_that_is_late_costs_its_time_limit_and_then_nothing(engine, models, settings):
    settings.CHECK_TIMEOUT_SECONDS = 0.3
    server = models("It has nine bells.")

    def answer(body):
        if body["model"] == "checker":
            import time

            time.sleep(1.0)
        return "It has nine bells."

    server.chat = answer
    assert "check_model_unavailable" in say(engine)["degraded"]
    assert "check_model_unavailable" in say(engine)["degraded"]
    assert "check_paused" in say(engine)["degraded"]


def test_off_asks_nobody_and_finds_nothing(engine, models, settings):
    server = models("It has eleven bells.", make_testimony())
    settings.REPLY_CHECK = "off"
    assert say(engine)["canon"]["contradictions"] == []
    assert checks_of(server) == []


def test_rules_ask_no_model(engine, models, settings):
    server = models("Well, friend, it has eleven bells.", make_testimony())
    settings.REPLY_CHECK = "rules"
    document = say(engine)
    assert document["canon"]["contradictions"][0]["sources"][0]["slug"] == "bell-tower"
    assert checks_of(server) == []


class FixedJudge:
    """Gives every sentence one score, and remembers what it was told."""

    def __init__(self, score):
        self.score, self.passages = score, []
        self.model = SimpleNamespace(
            version="3f", limits=JudgeLimits(alone=3.0, suspect=1.0, confirmed=-2.0, witnessed=0.5)
        )
        self.pairs = []

    def judge_reply(self, reply, *, question, passages):
        self.passages += passages
        yield Judgement(self.score, reply, reply, "bell-tower", CANON[0]["body"], "Strangers may not enter.")

    def weigh_quotes(self, pair):
        self.pairs.append((pair.quote, pair.passage_quote))
        return "denied"


@pytest.fixture
def judge(monkeypatch, settings, models):
    """Puts in a judge of one score, behind an NPC that gives `reply`."""

    def put(score, reply):
        models(reply)
        settings.REPLY_CHECK = "rules"
        fixed = FixedJudge(score)
        monkeypatch.setattr(replies, "find_judge", lambda: fixed)
        return fixed

    return put


def test_what_no_rule_knows_the_judge_denies(engine, judge):
    fixed = judge(3.5, "Walk right in, my dear, everybody does.")
    document = say(engine)
    [found] = document["canon"]["contradictions"]
    assert found["claim"] == "Walk right in, my dear, everybody does."
    assert found["sources"][0]["excerpt"] == "Strangers may not enter."
    outline = Trace.objects.get(pk=document["trace_id"]).outline["checks"][-1]
    assert (outline["found_by"], outline["checked_by"]) == (["judge"], "rules")
    assert outline["judge_version"] == fixed.model.version != ""
    assert "contradicts_canon" in document["degraded"]


def test_what_is_near_is_a_suspect(engine, judge):
    judge(1.5, "Walk right in, my dear, everybody does.")
    document = say(engine)
    assert document["canon"]["contradictions"] == []
    assert Trace.objects.get(pk=document["trace_id"]).outline["checks"][-1]["suspects"] == 1


def test_what_rules_find_in_a_clause_stands_unless_the_judge_takes_it_for_true(engine, judge):
    reply = "Oi, lad, pick any of them, we have got eleven bells up there."
    judge(0.0, reply)
    assert len(say(engine)["canon"]["contradictions"]) == 1
    judge(-5.0, reply)
    document = say(engine)
    assert document["canon"]["contradictions"] == []
    assert Trace.objects.get(pk=document["trace_id"]).outline["checks"][-1]["suspects"] == 1


def test_the_judge_reads_nothing_that_the_npc_may_not_know(engine, judge):
    fixed = judge(0.0, "The crypt of the bell tower? Never heard of it.")
    say(engine)
    assert {each.slug for each in fixed.passages} == {"bell-tower"}


def test_a_judge_that_fails_leaves_the_rules_and_says_so(engine, judge, monkeypatch):
    fixed = judge(0.0, "Oi, lad, pick any of them, we have got eleven bells up there.")

    def fail(*_, **__):
        raise RuntimeError("the engine is gone")

    monkeypatch.setattr(fixed, "judge_reply", fail)
    document = say(engine)
    assert len(document["canon"]["contradictions"]) == 1
    assert "check_judge_failed" in document["degraded"]


def test_what_rules_denied_as_a_whole_the_judge_does_not_deny_again(engine, judge):
    judge(9.0, "It has eleven bells.")
    assert len(say(engine)["canon"]["contradictions"]) == 1


@pytest.fixture
def witnessed(monkeypatch, models):
    """A judge that finds nothing by itself, beside a model that quotes what no rule knows."""
    reply = "Walk right in, my dear, everybody does."
    found = make_testimony(claim("Walk right in, my dear", "Strangers may not enter."))
    models(reply, found, found)
    fixed = FixedJudge(0.0)
    monkeypatch.setattr(replies, "find_judge", lambda: fixed)
    return fixed


def test_what_a_model_quotes_and_the_judge_bears_out_is_a_contradiction(engine, witnessed):
    document = say(engine)
    [found] = document["canon"]["contradictions"]
    assert found["claim"] == "Walk right in, my dear"
    assert found["sources"][0]["excerpt"] == "Strangers may not enter."
    assert witnessed.pairs[0] == ("Walk right in, my dear", "Strangers may not enter.")
    outline = Trace.objects.get(pk=document["trace_id"]).outline["checks"][-1]
    assert (outline["found_by"], outline["checked_by"]) == (["model"], "model")


def test_what_rules_and_judge_found_is_a_suspect_where_the_model_sees_nothing(engine, models, monkeypatch):
    agreed = claim("pick any of them", "It has nine bells.", verdict="agrees")
    models("Oi, lad, pick any of them, we have got eleven bells up there.", make_testimony(agreed))
    monkeypatch.setattr(replies, "find_judge", lambda: FixedJudge(9.0))
    document = say(engine)
    assert document["canon"]["contradictions"] == []
    outline = Trace.objects.get(pk=document["trace_id"]).outline["checks"][-1]
    assert (outline["found_by"], outline["checked_by"]) == ([], "model")
    assert outline["suspects"] >= 1


def test_a_model_that_says_nothing_leaves_what_rules_found(engine, models):
    models("Oi, lad, pick any of them, we have got eleven bells up there.", make_testimony(), make_testimony())
    assert len(say(engine)["canon"]["contradictions"]) == 1


def test_what_stands_in_a_passage_that_the_model_was_not_given_is_not_its_to_doubt():
    source = Source("bell-tower", "The bell tower", None, "1.0.0", "It has nine bells.", None, 1)
    found = replies.ReplyContradiction("eleven bells", source, None, "", "clauses")
    testimony = Testimony((), (), (), is_believed=True)
    verdict = replies.ReplyVerdict((found,))
    given = ToldPassage("bell-tower", "The bell tower", "It was built in 1204. It has **nine** bells.")
    for passages, kept in (([], (found,)), ([replace(given, slug="mill")], (found,)), ([given], ())):
        assert replies._doubt_unwitnessed(verdict, testimony, passages).contradictions == kept


def test_what_a_whole_sentence_denies_stands_whatever_the_model_sees(engine, models):
    models("It has eleven bells.", make_testimony(), make_testimony())
    assert len(say(engine)["canon"]["contradictions"]) == 1


def test_a_judge_that_fails_at_quotes_leaves_them_in_doubt_and_says_so(engine, witnessed, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("the engine is gone")

    monkeypatch.setattr(witnessed, "weigh_quotes", fail)
    document = say(engine)
    assert document["canon"]["contradictions"] == []
    assert document["degraded"] == ["check_judge_failed"]
    assert Trace.objects.get(pk=document["trace_id"]).outline["checks"][-1]["suspects"] == 1
