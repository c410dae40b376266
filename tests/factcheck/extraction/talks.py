"""Talks that no rule has read, and runs over them."""

from __future__ import annotations

from episodes.models import Conversation
from factcheck.extraction.actions.runs import extract_user
from factcheck.extraction.models import ExtractionRun
from tests.factcheck.extraction.proposers import FixedProposer
from tests.factories.facts import owner_filter


def extract(chat: Conversation, proposer: FixedProposer) -> ExtractionRun:
    [run] = extract_user(**owner_filter(chat), triggered_by="manual", proposer=proposer)
    return run
