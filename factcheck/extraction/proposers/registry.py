"""Which proposer the installation uses."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from factcheck.extraction.proposers.base import Prices, Proposer
from factcheck.extraction.proposers.chat import ChatProposer
from factcheck.extraction.proposers.prompts import load_extraction_prompts
from memoryproject.chat_model import find_extraction_model

OPENAI = "openai"
OFFLINE = "offline"


def get_proposer(configured: Any = settings) -> Proposer:
    """The proposer of `EXTRACTION_PROPOSER`; `auto` is a chat model where one is configured, else the offline one."""
    model = find_extraction_model()
    wanted = configured.EXTRACTION_PROPOSER
    if wanted == OPENAI or (wanted == "auto" and model is not None):
        return ChatProposer(
            model,
            load_extraction_prompts(),
            Prices(configured.EXTRACTION_PRICE_PROMPT, configured.EXTRACTION_PRICE_COMPLETION),
            configured.EXTRACTION_MAX_TOKENS,
            configured.EXTRACTION_ANSWER_TOKENS,
        )
    from factcheck.extraction.proposers.offline.proposer import get_offline_proposer

    return get_offline_proposer()
