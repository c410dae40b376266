"""Routes of conversations and of what is known of users, below /api/v1/."""

from django.urls import path

from episodes.api.conversations import ConversationsView, ConversationView
from episodes.api.facts import FactDetailView, FactsView
from episodes.api.messages import MessageBatchesView, MessagesView

urlpatterns = [
    path("conversations", ConversationsView.as_view(), name="conversations"),
    path("conversations/<int:conversation_id>", ConversationView.as_view(), name="conversation"),
    path("conversations/<int:conversation_id>/messages", MessagesView.as_view(), name="messages"),
    path("conversations/<int:conversation_id>/messages/batch", MessageBatchesView.as_view(), name="message-batches"),
    path("users/<str:user_id>/facts", FactsView.as_view(), name="facts"),
    path("users/<str:user_id>/facts/<int:fact_id>", FactDetailView.as_view(), name="fact"),
]
