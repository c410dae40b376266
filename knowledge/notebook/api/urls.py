"""Routes of notebooks, below /api/v1/."""

from django.urls import path

from knowledge.notebook.api import entries, history
from knowledge.notebook.api.notebooks import NotebookDetailView, NotebookMemberView, NotebooksView
from knowledge.notebook.api.transfer import NotebookArchiveView, NotebookMemoryView

ROOT = "notebooks/<name:notebook_id>"
urlpatterns = [
    path("notebooks", NotebooksView.as_view(), name="notebooks"),
    path(ROOT, NotebookDetailView.as_view(), name="notebook"),
    path(f"{ROOT}/members/<name:member>", NotebookMemberView.as_view(), name="notebook-member"),
    path(f"{ROOT}/facts", entries.FactsView.as_view(), name="notebook-facts"),
    path(f"{ROOT}/facts/<id:fact_key>", entries.FactView.as_view(), name="notebook-fact"),
    path(f"{ROOT}/notes", entries.NotesView.as_view(), name="notebook-notes"),
    path(f"{ROOT}/search", entries.NotebookSearchView.as_view(), name="notebook-search"),
    path(f"{ROOT}/documents", entries.DocumentsView.as_view(), name="notebook-documents"),
    path(f"{ROOT}/documents/<id:document_path>", entries.DocumentView.as_view(), name="notebook-document"),
    path(f"{ROOT}/entries/<int:notebook_entry_id>", history.EntryView.as_view(), name="notebook-entry"),
    path(
        f"{ROOT}/entries/<int:notebook_entry_id>/versions",
        history.EntryVersionsView.as_view(),
        name="notebook-versions",
    ),
    path(
        f"{ROOT}/entries/<int:notebook_entry_id>/redact",
        history.EntryRedactionView.as_view(),
        name="notebook-redaction",
    ),
    path(f"{ROOT}/conflicts", history.ConflictsView.as_view(), name="notebook-conflicts"),
    path(f"{ROOT}/conflicts/<int:conflict_id>", history.ConflictView.as_view(), name="notebook-conflict"),
    path(f"{ROOT}/proposals", history.ProposalsView.as_view(), name="notebook-proposals"),
    path(f"{ROOT}/proposals/<int:proposal_id>", history.ProposalView.as_view(), name="notebook-proposal"),
    path(f"{ROOT}/forget", history.NotebookForgettingView.as_view(), name="notebook-forget"),
    path(f"{ROOT}/archive", NotebookArchiveView.as_view(), name="notebook-archive"),
    path(f"{ROOT}/memory", NotebookMemoryView.as_view(), name="notebook-memory"),
    path(f"{ROOT}/ledger", history.LedgerView.as_view(), name="notebook-ledger"),
]
