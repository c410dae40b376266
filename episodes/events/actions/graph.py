"""The one place where events meet the graph of their world."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from episodes.events.models import EventNode


def link_events(nodes: Sequence[EventNode]) -> None:
    """People, places and things of archived events become entities, with the relations between them.

    Call it in the transaction that archives them.
    """


def unlink_events(node_ids: Sequence[UUID]) -> None:
    """What only these events support of the graph goes. Call it in the transaction that withdraws them."""
