"""Admin pages of players: what is known, why and since when; corrections and forgetting by hand."""

from episodes.admin.lists import ConversationAdmin, CorrectionAdmin, MessageAdmin, ReceiptAdmin

__all__ = ["ConversationAdmin", "CorrectionAdmin", "MessageAdmin", "ReceiptAdmin"]
