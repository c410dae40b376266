"""Routes of conversations, of what is known of users, of play, and of what an NPC knows of it, below /api/v1/.

Factcheck has those of messages.
"""

from django.urls import include, path

from episodes.alternatives.api import AlternativesView, BranchView
from episodes.art.api.cards import ArtCardsView, ArtCardView, ArtSuggestionView
from episodes.art.api.search import ArtSearchView
from episodes.campaigns.api.campaigns import ArchiveView, CampaignsView, CampaignView, FinishView, RestoreView
from episodes.campaigns.api.play import EventsView, RecordHearsayView, SummariesView, ToldView
from episodes.campaigns.api.reads import CampaignExportView, CampaignFlagsView, CampaignSummariesView, SessionView
from episodes.conversations.api.conversations import ConversationsView, ConversationView
from episodes.facts.api.facts import FactDetailView, FactsView
from episodes.forgetting.api.forgetting import MessageForgetView, UserEraseView, UserForgetView
from episodes.forgetting.api.receipts import ReceiptRetryView, ReceiptsView, ReceiptView
from episodes.players.api import UserConversationsView, UsersView
from episodes.rollback.api import CheckpointsView, RollbacksView, RollbackView
from episodes.search.api.search import ConversationSearchView, EpisodesView
from episodes.sharing.api import HearsayRevokeView, HearsayView, SceneEndView
from memoryproject.rest import paths  # noqa: F401 - registers the converter of ids

urlpatterns = [
    path("art-cards", ArtCardsView.as_view(), name="art-cards"),
    path("art-cards/<int:card_id>", ArtCardView.as_view(), name="art-card"),
    path("art-cards/search", ArtSearchView.as_view(), name="art-search"),
    path("art-cards/suggest", ArtSuggestionView.as_view(), name="art-suggestion"),
    path("", include("episodes.events.api.urls")),
    path("", include("episodes.threads.api.urls")),
    path("conversations", ConversationsView.as_view(), name="conversations"),
    path("conversations/<int:conversation_id>", ConversationView.as_view(), name="conversation"),
    path("conversations/<int:conversation_id>/branch", BranchView.as_view(), name="conversation-branch"),
    path("messages/<int:message_id>/alternatives", AlternativesView.as_view(), name="message-alternatives"),
    path("conversations/<int:conversation_id>/search", ConversationSearchView.as_view(), name="conversation-search"),
    path("users", UsersView.as_view(), name="users"),
    path("users/<id:user_id>/conversations", UserConversationsView.as_view(), name="user-conversations"),
    path("users/<id:user_id>/episodes", EpisodesView.as_view(), name="episodes"),
    path("users/<id:user_id>/facts", FactsView.as_view(), name="facts"),
    path("users/<id:user_id>/facts/<int:fact_id>", FactDetailView.as_view(), name="fact"),
    path("messages/<int:message_id>/forget", MessageForgetView.as_view(), name="message-forget"),
    path("users/<id:user_id>/forget", UserForgetView.as_view(), name="user-forget"),
    path("users/<id:user_id>/erase", UserEraseView.as_view(), name="user-erase"),
    path("users/<id:user_id>/forget-receipts", ReceiptsView.as_view(), name="forget-receipts"),
    path("users/<id:user_id>/forget-receipts/<uuid:receipt_id>", ReceiptView.as_view(), name="forget-receipt"),
    path(
        "users/<id:user_id>/forget-receipts/<uuid:receipt_id>/retry",
        ReceiptRetryView.as_view(),
        name="forget-receipt-retry",
    ),
    path("episodes/summaries", SummariesView.as_view(), name="summaries"),
    path("episodes/events", EventsView.as_view(), name="events"),
    path("episodes/hearsay", RecordHearsayView.as_view(), name="hearsay"),
    path("episodes/told", ToldView.as_view(), name="told"),
    path("campaigns", CampaignsView.as_view(), name="campaigns"),
    path("campaigns/<id:campaign_id>/finish", FinishView.as_view(), name="campaign-finish"),
    path("campaigns/<id:campaign_id>/archive", ArchiveView.as_view(), name="campaign-archive"),
    path("campaigns/<id:campaign_id>/restore", RestoreView.as_view(), name="campaign-restore"),
    path("campaigns/<id:campaign_id>/export", CampaignExportView.as_view(), name="campaign-export"),
    path("campaigns/<id:campaign_id>/flags", CampaignFlagsView.as_view(), name="campaign-flags"),
    path("campaigns/<id:campaign_id>/summaries", CampaignSummariesView.as_view(), name="campaign-summaries"),
    path("campaigns/<id:campaign_id>/checkpoints", CheckpointsView.as_view(), name="campaign-checkpoints"),
    path("campaigns/<id:campaign_id>/rollback", RollbackView.as_view(), name="campaign-rollback"),
    path("campaigns/<id:campaign_id>/rollbacks", RollbacksView.as_view(), name="campaign-rollbacks"),
    path("campaigns/<id:campaign_id>/scenes/<id:scene_id>/end", SceneEndView.as_view(), name="scene-end"),
    path("campaigns/<id:campaign_id>/hearsay", HearsayView.as_view(), name="campaign-hearsay"),
    path(
        "campaigns/<id:campaign_id>/hearsay/<id:hearsay_id>/revoke", HearsayRevokeView.as_view(), name="hearsay-revoke"
    ),
    path("campaigns/<id:campaign_id>", CampaignView.as_view(), name="campaign"),
    path("parties/<id:party_id>/session", SessionView.as_view(), name="party-session"),
]
