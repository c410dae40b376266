"""Routes of conversations, below /api/v1/."""

from django.urls import path

from episodes.api.conversations import ConversationsView, ConversationView
from episodes.api.messages import MessageBatchesView, MessagesView

urlpatterns = [
    path("conversations", ConversationsView.as_view(), name="conversations"),
    path("conversations/<int:conversation_id>", ConversationView.as_view(), name="conversation"),
    path("conversations/<int:conversation_id>/messages", MessagesView.as_view(), name="messages"),
    path("conversations/<int:conversation_id>/messages/batch", MessageBatchesView.as_view(), name="message-batches"),
]
