"""Admin pages of players (what is known, why and since when; corrections and forgetting), campaigns, NPCs and art."""

from episodes.art.admin import ArtCardAdmin
from episodes.campaigns.admin.campaigns import CampaignAdmin, PlayPolicyAdmin
from episodes.conversations.admin import ConversationAdmin, CorrectionAdmin, MessageAdmin, ReceiptAdmin
from episodes.embedding.admin import OrphanAdmin
from episodes.events.admin.nodes import EventNodeAdmin
from episodes.events.admin.proposals import EventProposalAdmin
from episodes.threads.admin.threads import ThreadAdmin, ThreadInterruptAdmin, WorldThreadPolicyAdmin

__all__ = [
    "ArtCardAdmin",
    "CampaignAdmin",
    "ConversationAdmin",
    "CorrectionAdmin",
    "EventNodeAdmin",
    "EventProposalAdmin",
    "MessageAdmin",
    "OrphanAdmin",
    "PlayPolicyAdmin",
    "ReceiptAdmin",
    "ThreadAdmin",
    "ThreadInterruptAdmin",
    "WorldThreadPolicyAdmin",
]
