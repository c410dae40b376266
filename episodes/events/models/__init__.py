"""Tables of events."""

from episodes.events.models.books import EventBook, EventEdit, EventPolicy
from episodes.events.models.nodes import LIVE_STATES, SHOWN_STATES, EventNode, EventState, EventTrigger
from episodes.events.models.passages import EVENT_PARTITION_KIND, EventName, EventPassage
from episodes.events.models.proposals import EventProposal, ProposalState

__all__ = [
    "EVENT_PARTITION_KIND",
    "LIVE_STATES",
    "SHOWN_STATES",
    "EventBook",
    "EventEdit",
    "EventName",
    "EventNode",
    "EventPassage",
    "EventPolicy",
    "EventProposal",
    "EventState",
    "EventTrigger",
    "ProposalState",
]
