"""Rerank: the model proposes an order; anything unusable leaves the fused order."""

import json

import openai
import pytest

from knowledge.search.rerank import rerank_texts
from memoryproject.chat_model import ChatModel
from tests.loopback_openai import serve_openai

TEXTS = ["first", "second", "third"]


def _rerank(answer, **behaviour):
    timeout_seconds = behaviour.pop("timeout_seconds", 2)
    with serve_openai(chat=lambda _: answer, **behaviour) as server:
        model = ChatModel("m", openai.OpenAI(base_url=server.url, api_key="k", max_retries=0))
        return rerank_texts(model, "query", TEXTS, timeout_seconds=timeout_seconds)


def test_the_model_s_order_is_taken():
    assert _rerank(json.dumps({"order": [3, 1, 2]})).order == (2, 0, 1)


def test_what_the_model_leaves_out_follows_in_the_fused_order():
    assert _rerank(json.dumps({"order": [3]})).order == (2, 0, 1)


def test_repeats_and_numbers_out_of_range_are_ignored():
    outcome = _rerank(json.dumps({"order": [2, 2, True, False, 99, -1, 10**400, [3], "x", 1.5, float("nan"), 1]}))
    assert outcome.order == (1, 0, 2)
    assert outcome.failure is None


@pytest.mark.parametrize(
    "answer",
    ["not json", "[]", "{}", '{"order": "3,1"}', '{"order": []}', "", '{"order": [true]}', '{"order":' + "[" * 100_000],
)
def test_unusable_answer_leaves_the_order_and_says_so(answer):
    outcome = _rerank(answer)
    assert outcome.order == (0, 1, 2)
    assert outcome.failure in {"rerank_unusable", "rerank_unavailable"}


def test_slow_model_leaves_the_order_within_the_time_limit():
    outcome = _rerank(json.dumps({"order": [3, 2, 1]}), delay_seconds=1.5, timeout_seconds=0.2)
    assert (outcome.order, outcome.failure) == ((0, 1, 2), "rerank_unavailable")


def test_failing_model_leaves_the_order():
    assert _rerank("{}", status=500).failure == "rerank_unavailable"
