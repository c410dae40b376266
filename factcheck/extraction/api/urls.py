"""Routes of the second stage, below /api/v1/."""

from django.urls import path

from factcheck.extraction.api.messages import MessageExtractionView, MessageView
from factcheck.extraction.api.runs import RunRevertView, RunsView, RunView
from factcheck.extraction.api.users import CandidatesView, DryRunView, ExtractionsView

urlpatterns = [
    path("extraction/runs", RunsView.as_view(), name="extraction-runs"),
    path("extraction/runs/<int:run_id>", RunView.as_view(), name="extraction-run"),
    path("extraction/runs/<int:run_id>/revert", RunRevertView.as_view(), name="extraction-run-revert"),
    path("messages/<int:message_id>", MessageView.as_view(), name="message"),
    path("messages/<int:message_id>/extraction", MessageExtractionView.as_view(), name="message-extraction"),
    path("users/<id:user_id>/extractions", ExtractionsView.as_view(), name="extractions"),
    path("users/<id:user_id>/extractions/dry-run", DryRunView.as_view(), name="extraction-dry-run"),
    path("users/<id:user_id>/candidates", CandidatesView.as_view(), name="candidates"),
]
