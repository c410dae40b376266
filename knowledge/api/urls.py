"""Routes of canon, below /api/v1/."""

from django.urls import include, path

from knowledge.api.documents import DocumentsView, DocumentView
from knowledge.api.releases import ReleasesView, ReleaseView
from knowledge.api.search import RuleLookupView, SearchView
from memoryproject.rest import paths  # noqa: F401 - registers the converter of ids

urlpatterns = [
    path("", include("knowledge.graph.api.urls")),
    path("", include("knowledge.notebook.api.urls")),
    path("lore/search", SearchView.as_view(), name="lore-search"),
    path("lore/documents", DocumentsView.as_view(), name="documents"),
    path("lore/documents/<id:slug>", DocumentView.as_view(), name="document"),
    path("rules/lookup", RuleLookupView.as_view(), name="rules-lookup"),
    path("releases", ReleasesView.as_view(), name="releases"),
    path("releases/<int:number>", ReleaseView.as_view(), name="release"),
]
