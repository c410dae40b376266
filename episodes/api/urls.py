"""Routes of conversations and of what is known of users, below /api/v1/."""

from django.urls import path

from episodes.api.conversations import ConversationsView, ConversationView
from episodes.api.facts import FactDetailView, FactsView
from episodes.api.forgetting import (
    MessageForgetView,
    ReceiptsView,
    ReceiptView,
    UserEraseView,
    UserForgetView,
)
from episodes.api.messages import MessageBatchesView, MessagesView

urlpatterns = [
    path("conversations", ConversationsView.as_view(), name="conversations"),
    path("conversations/<int:conversation_id>", ConversationView.as_view(), name="conversation"),
    path("conversations/<int:conversation_id>/messages", MessagesView.as_view(), name="messages"),
    path("conversations/<int:conversation_id>/messages/batch", MessageBatchesView.as_view(), name="message-batches"),
    path("users/<str:user_id>/facts", FactsView.as_view(), name="facts"),
    path("users/<str:user_id>/facts/<int:fact_id>", FactDetailView.as_view(), name="fact"),
    path("messages/<int:message_id>/forget", MessageForgetView.as_view(), name="message-forget"),
    path("users/<str:user_id>/forget", UserForgetView.as_view(), name="user-forget"),
    path("users/<str:user_id>/erase", UserEraseView.as_view(), name="user-erase"),
    path("users/<str:user_id>/forget-receipts", ReceiptsView.as_view(), name="forget-receipts"),
    path("users/<str:user_id>/forget-receipts/<uuid:receipt_id>", ReceiptView.as_view(), name="forget-receipt"),
]
