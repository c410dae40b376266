"""Which proposer of events the installation uses."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from factcheck.extraction.proposers.base import Prices
from factcheck.extraction.proposers.registry import OFFLINE, OPENAI
from factcheck.plots.proposers.base import PlotProposer
from factcheck.plots.proposers.chat import ChatPlotProposer
from factcheck.plots.proposers.offline.proposer import OfflinePlotProposer
from factcheck.plots.proposers.prompts import load_plot_prompts
from memoryproject.chat_model import find_event_model


def get_plot_proposer(configured: Any = settings) -> PlotProposer:
    """The proposer of `EVENTS_PROPOSER`; `auto` is a chat model where one is configured, else the offline one."""
    wanted, model = configured.EVENTS_PROPOSER, find_event_model()
    if wanted == OFFLINE or (wanted != OPENAI and model is None):
        return OfflinePlotProposer()
    return ChatPlotProposer(
        model,
        load_plot_prompts(),
        Prices(configured.EXTRACTION_PRICE_PROMPT, configured.EXTRACTION_PRICE_COMPLETION),
        configured.EVENTS_MAX_TOKENS,
        configured.EVENTS_ANSWER_TOKENS,
    )
