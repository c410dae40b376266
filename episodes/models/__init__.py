"""Tables of episodes."""

from episodes.models.conversations import Conversation, Frame, MemoryType, Message, MessageRole
from episodes.models.forgetting import ERASED_CONTENT, Erasure, ForgetReceipt, ReceiptState
from episodes.models.passages import MessagePassage

__all__ = [
    "ERASED_CONTENT",
    "Conversation",
    "Erasure",
    "ForgetReceipt",
    "Frame",
    "MemoryType",
    "Message",
    "MessagePassage",
    "MessageRole",
    "ReceiptState",
]
