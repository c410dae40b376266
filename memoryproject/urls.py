"""All routes of the web process; each app brings its own."""

from django.contrib import admin
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

from memoryproject.openapi import show_schema
from memoryproject.problem_pages import show_problem, show_problems
from runtime.landing import show_landing

urlpatterns: list[URLPattern | URLResolver] = [
    path("", show_landing, name="landing"),
    path("favicon.ico", RedirectView.as_view(url=static("memory37/icon.svg"))),
    path("admin/", admin.site.urls),
    path("api/v1/", include("knowledge.api.urls")),
    path("api/v1/", include("factcheck.api.urls")),
    path("api/v1/", include("npcs.api.urls")),
    path("api/v1/", include("episodes.api.urls")),
    path("api/v1/", include("reviews.api.urls")),
    path("api/v1/", include("runtime.api.urls")),
    path("api/schema/", show_schema, name="openapi"),
    path("problems/", show_problems, name="problems"),
    path("problems/<slug:code>", show_problem, name="problem"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="openapi"), name="api-docs"),
]

handler400 = "memoryproject.problems.bad_request"
handler403 = "memoryproject.problems.permission_denied"
handler404 = "memoryproject.problems.page_not_found"
handler500 = "memoryproject.problems.server_error"
