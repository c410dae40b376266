"""Tables of episodes."""

from episodes.alternatives.models import ChangeKind, MessageChange
from episodes.art.models import ArtCard, ArtCardPassage, TagSource
from episodes.campaigns.models.campaigns import Campaign, CampaignState, Party, PartyMember, Scene, WorldPlayPolicy
from episodes.campaigns.models.consequences import Flag, FlagChange, Loot, NpcPresence, NpcTold
from episodes.campaigns.models.summaries import EpisodicSummary, EventFact, SummaryPassage
from episodes.condensing.models.snippets import MessageSnippet, SnippetState
from episodes.condensing.models.talk_summaries import TalkSummary
from episodes.conversations.models import (
    Conversation,
    ConversationAncestor,
    MemoryType,
    Message,
    MessageRole,
    NarrativeMode,
)
from episodes.embedding.models.passages import MessagePassage
from episodes.embedding.models.vector_codes import VectorCenter, VectorCode
from episodes.events.models import (
    EventBook,
    EventEdit,
    EventName,
    EventNode,
    EventPassage,
    EventPolicy,
    EventProposal,
    EventState,
)
from episodes.forgetting.models import (
    ERASED_CONTENT,
    EchoSearch,
    Erasure,
    FailureCode,
    ForgetReceipt,
    OrderKind,
    ReceiptState,
)
from episodes.rollback.models import Checkpoint, CheckpointKind, Rollback, RollbackOutcome
from episodes.threads.models import (
    InterruptState,
    Thread,
    ThreadCheckpoint,
    ThreadInterrupt,
    ThreadReceipt,
    ThreadRollback,
    ThreadState,
    ThreadValue,
    ThreadWrite,
    WorldThreadPolicy,
)

__all__ = [
    "ERASED_CONTENT",
    "ArtCard",
    "ArtCardPassage",
    "Campaign",
    "CampaignState",
    "ChangeKind",
    "Checkpoint",
    "CheckpointKind",
    "Conversation",
    "ConversationAncestor",
    "EchoSearch",
    "EpisodicSummary",
    "Erasure",
    "EventBook",
    "EventEdit",
    "EventFact",
    "EventName",
    "EventNode",
    "EventPassage",
    "EventPolicy",
    "EventProposal",
    "EventState",
    "FailureCode",
    "Flag",
    "FlagChange",
    "ForgetReceipt",
    "InterruptState",
    "Loot",
    "MemoryType",
    "Message",
    "MessageChange",
    "MessagePassage",
    "MessageRole",
    "MessageSnippet",
    "NarrativeMode",
    "NpcPresence",
    "NpcTold",
    "OrderKind",
    "Party",
    "PartyMember",
    "ReceiptState",
    "Rollback",
    "RollbackOutcome",
    "Scene",
    "SnippetState",
    "SummaryPassage",
    "TagSource",
    "TalkSummary",
    "Thread",
    "ThreadCheckpoint",
    "ThreadInterrupt",
    "ThreadReceipt",
    "ThreadRollback",
    "ThreadState",
    "ThreadValue",
    "ThreadWrite",
    "VectorCenter",
    "VectorCode",
    "WorldPlayPolicy",
    "WorldThreadPolicy",
]
