"""Candidates: a list by state, and each one beside its evidence, to promote or reject with a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from episodes.conversations.admin import TENANTS, link_player
from factcheck.extraction import sentences
from factcheck.extraction.actions.logged_decisions import accept_candidate, refuse_candidate
from factcheck.extraction.admin.common import ReasonForm, decide, get_decider
from factcheck.extraction.core.promotion import MIN_SUPPORTS
from factcheck.extraction.models import CandidateState, FactCandidate
from factcheck.extraction.sealing import read_candidate
from factcheck.extraction.selectors.stories import load_candidate_story
from memoryproject.admin.pages import show_page
from tenancy.admin.access import get_or_404
from tenancy.admin.tenant_filter import PlayerDataAdmin
from tenancy.models import Role

VERBS: dict[str, tuple[Callable[..., Any], str]] = {
    "promote": (accept_candidate, "The candidate is a fact."),
    "reject": (refuse_candidate, "The candidate is rejected. Said again, it may be collected anew."),
}


@admin.register(FactCandidate)
class FactCandidateAdmin(PlayerDataAdmin):
    """Candidates, newest first, each leading to its evidence."""

    list_name = "candidates"
    list_display = ("show_candidate", "show_state", "show_player", "show_evidence", "language", "last_said_at")
    list_display_links = None
    list_filter = ("state", "type", TENANTS, "language", ("last_said_at", admin.DateFieldListFilter))
    list_select_related = ("end_user",)
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("=end_user__external_id", "=id")
    search_help_text = "A player's id, or a candidate's"
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Each with the number of its statements."""
        rows = super().get_queryset(request)
        independent = Count("supports", filter=Q(supports__is_independent=True))
        return rows.annotate(statements=Count("supports"), independent=independent)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The candidate and its evidence."""
        candidate = self.get_object(request, object_id)
        if candidate is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        return show_candidate_page(request, candidate, ReasonForm())

    @admin.display(description="Candidate", ordering="id")
    def show_candidate(self, row: FactCandidate) -> SafeString:
        """Type and value; of a blocked one only that it was there."""
        url = reverse("admin:factcheck_factcandidate_change", args=[row.pk])
        _, value = read_candidate(row)
        return format_html(
            '<a class="m-strong-link" href="{}">#{} {}</a><div dir="auto">{}</div>',
            url,
            row.pk,
            row.type.replace("_", " "),
            value or "forgotten",
        )

    @admin.display(description="State", ordering="state")
    def show_state(self, row: FactCandidate) -> SafeString:
        """A badge."""
        return format_html('<span class="{}">{}</span>', sentences.get_badge(row.state), row.state)

    @admin.display(description="Player")
    def show_player(self, row: FactCandidate) -> SafeString:
        """Whose it is."""
        return link_player(row.end_user)

    @admin.display(description="Evidence")
    def show_evidence(self, row: Any) -> str:
        """How many statements count, of how many, and how many it takes."""
        return f"{row.independent} of {MIN_SUPPORTS} needed ({row.statements} in all)"


def decision_view(request: HttpRequest, candidate_id: int, verb: str) -> HttpResponse:
    """Promote or reject a candidate; without a reason its page again, with the error."""
    if verb not in VERBS:
        raise Http404("There is nothing here.")
    rows = FactCandidate.objects.select_related("end_user")
    candidate: FactCandidate = get_or_404(rows, request.user, role=Role.REVIEWER, pk=candidate_id)
    action, done = VERBS[verb]

    def perform(reason: str) -> str:
        action(tenant_id=candidate.tenant_id, candidate_id=candidate.pk, decider=get_decider(request), reason=reason)
        return done

    form = ReasonForm(request.POST if request.method == "POST" else None)
    link = reverse("admin:factcheck_factcandidate_change", args=[candidate.pk])
    return decide(request, form, perform, done_url=link) or show_candidate_page(request, candidate, form)


def show_candidate_page(request: HttpRequest, candidate: FactCandidate, form: ReasonForm) -> HttpResponse:
    """A candidate, its evidence, its changes of state, and the form to decide on it."""
    story = load_candidate_story(candidate)
    return show_page(
        request,
        "extraction_candidate.html",
        f"Candidate {candidate.pk}",
        candidate=candidate,
        story=story,
        independent=sum(support.row.is_independent for support in story.supports),
        transitions=candidate.transitions.order_by("pk"),
        is_open=candidate.state == CandidateState.OPEN,
        min_supports=MIN_SUPPORTS,
        form=form,
    )
