"""Writes of episodes."""

from episodes.actions.conversations import OpenedConversation, open_conversation
from episodes.actions.messages import StoredMessage, store_message, store_messages
from episodes.actions.replies import store_reply

__all__ = ["OpenedConversation", "StoredMessage", "open_conversation", "store_message", "store_messages", "store_reply"]
