"""Admin pages of players (what is known, why and since when; corrections and forgetting by hand) and of campaigns."""

from episodes.admin.lists import ConversationAdmin, CorrectionAdmin, MessageAdmin, ReceiptAdmin
from episodes.admin.play import CampaignAdmin, PlayPolicyAdmin

__all__ = [
    "CampaignAdmin",
    "ConversationAdmin",
    "CorrectionAdmin",
    "MessageAdmin",
    "PlayPolicyAdmin",
    "ReceiptAdmin",
]
