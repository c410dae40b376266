"""Answers of proposers that are not applied yet move to a new key with facts."""

from __future__ import annotations

from episodes.events.models import EventNode
from factcheck.extraction.sealing import open_document, seal_document
from factcheck.plots.actions.runs import PLOT
from knowledge.facts.actions import rotate_rows
from knowledge.facts.core.cipher import KeyRing


def rotate_event_keys() -> int:
    """How many answers were encrypted anew. Raises FactKeysMissing."""
    return rotate_rows(EventNode.objects.exclude(answer_sealed=b""), _reseal, ("answer_sealed",))


def _reseal(node: EventNode, ring: KeyRing) -> None:
    sealed = bytes(node.answer_sealed)
    if sealed:
        owner = {"tenant_id": node.tenant_id, "end_user_id": node.end_user_id}
        node.answer_sealed = seal_document(open_document(sealed, kind=PLOT, **owner), kind=PLOT, **owner)[0]
