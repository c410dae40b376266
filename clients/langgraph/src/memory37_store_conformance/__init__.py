"""A conformance suite of LangGraph's `BaseStore`: what every store does, and what the known ones disagree about."""

from memory37_store_conformance.registry import Case, Disagreement, list_cases, list_disagreements
from memory37_store_conformance.report import Report, run
from memory37_store_conformance.subject import AsyncFacade, Capability, Subject

__all__ = [
    "AsyncFacade",
    "Capability",
    "Case",
    "Disagreement",
    "Report",
    "Subject",
    "list_cases",
    "list_disagreements",
    "run",
]
