"""Which proposer an installation has."""

import pytest

from factcheck.extraction.proposers.base import ProposerError
from factcheck.extraction.proposers.registry import get_proposer
from tests.factcheck.extraction.given import make_given


@pytest.fixture
def configure(settings):
    def call(proposer="auto", *, chat="", extraction="", url=""):
        settings.EXTRACTION_PROPOSER, settings.CHAT_MODEL, settings.EXTRACTION_MODEL = proposer, chat, extraction
        settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = url, ""
        settings.INSTANT_SEMANTIC = "off"
        return get_proposer()

    return call


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "name", "model"),
    [
        ({}, "offline", "patterns"),
        ({"chat": "talker"}, "offline", "patterns"),
        ({"chat": "talker", "url": "http://127.0.0.1:9/v1"}, "openai", "talker"),
        ({"chat": "talker", "extraction": "reader", "url": "http://127.0.0.1:9/v1"}, "openai", "reader"),
        ({"extraction": "reader", "url": "http://127.0.0.1:9/v1"}, "openai", "reader"),
        ({"proposer": "offline", "chat": "talker", "url": "http://127.0.0.1:9/v1"}, "offline", "patterns"),
        ({"proposer": "openai"}, "openai", ""),
    ],
)
def test_auto_takes_a_chat_model_where_one_is_configured(configure, options, name, model):
    proposer = configure(**options)
    assert (proposer.name, proposer.model) == (name, model)
    assert len(proposer.prompt_version) <= 40
    assert proposer.describe()


def test_a_model_that_is_not_configured_is_unavailable(configure):
    with pytest.raises(ProposerError) as failed:
        configure("openai").propose(make_given("hi"), language="en", timeout_seconds=1)
    assert failed.value.code == "model_unavailable"
