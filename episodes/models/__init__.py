"""Tables of episodes."""

from episodes.models.conversations import Conversation, Frame, MemoryType, Message, MessageRole
from episodes.models.passages import MessagePassage

__all__ = ["Conversation", "Frame", "MemoryType", "Message", "MessagePassage", "MessageRole"]
