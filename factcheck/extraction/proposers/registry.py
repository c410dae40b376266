"""Which proposer the installation uses."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from factcheck.extraction.proposers.base import Prices, Proposer
from factcheck.extraction.proposers.chat import ChatProposer
from factcheck.extraction.proposers.offline.proposer import OfflineProposer
from factcheck.extraction.proposers.prompts import load_extraction_prompts
from factcheck.instant.registry import get_compiled
from factcheck.instant.scorer import get_scorer
from memoryproject.chat_model import find_extraction_model

OPENAI = "openai"
OFFLINE = "offline"


def get_proposer(configured: Any = settings) -> Proposer:
    """The proposer of `EXTRACTION_PROPOSER`; `auto` is a chat model where one is configured, else the offline one."""
    proposer = find_chat_proposer(configured.EXTRACTION_PROPOSER, configured)
    if proposer is not None:
        return proposer
    version = get_compiled()
    return OfflineProposer(version.patterns, version.concepts, get_scorer(), version.version)


def find_chat_proposer(wanted: str, configured: Any = settings) -> ChatProposer | None:
    """The chat model as a proposer, where `wanted` asks for it, or leaves the choice and one is configured."""
    model = find_extraction_model()
    if wanted == OFFLINE or (wanted != OPENAI and model is None):
        return None
    return ChatProposer(
        model,
        load_extraction_prompts(),
        Prices(configured.EXTRACTION_PRICE_PROMPT, configured.EXTRACTION_PRICE_COMPLETION),
        configured.EXTRACTION_MAX_TOKENS,
        configured.EXTRACTION_ANSWER_TOKENS,
    )
