"""A document's page: what it says in a release, what it is linked with, and how it came to say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from knowledge.admin.documents import show_audience
from knowledge.canon.models import LivePeriod, LoreDocument, LorePassage, Publication, Release, ReleaseEdit
from knowledge.canon.selectors.audience import live_in
from knowledge.canon.selectors.live_periods import find_last_rollback, list_live_periods, merge_periods
from knowledge.text.tokens import count_tokens
from memoryproject.admin.markdown import render_markdown
from memoryproject.admin.pages import show_page
from reviews.admin.common import find_documents_by_slug, get_actor, make_linker
from reviews.core.permissions import may
from reviews.models import ChangeItem, ChangeRequest, ChangeState
from reviews.releases.selectors.live import find_latest_release
from tenancy.admin.access import get_or_404

OPEN_STATES = (
    ChangeState.DRAFT,
    ChangeState.IN_REVIEW,
    ChangeState.NEEDS_CHANGES,
    ChangeState.APPROVED,
    ChangeState.STAGED,
)
MAX_LINKS = 100


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A stretch of releases in which one revision was live, and the request that brought it."""

    publication: Publication
    release: Release | None
    request: ChangeRequest | None
    is_shown: bool
    is_live: bool
    periods: list[LivePeriod]
    """When it was live, newest first."""


@dataclass(frozen=True, slots=True)
class LinkRow:
    """Another article, by slug; without a page if it is not live."""

    slug: str
    title: str
    type: str
    url: str | None


def document_view(request: HttpRequest, document_id: int) -> HttpResponse:
    """The page of a document, in `latest` or in the release that `?release=` names."""
    document = get_or_404(LoreDocument.objects.select_related("domain_index__world"), request.user, pk=document_id)
    index = document.domain_index
    latest = find_latest_release(index.pk)
    number = _read_number(request) or (latest.number if latest else 0)
    rows = list(document.publications.select_related("revision").order_by("-added_in"))
    shown = next((row for row in rows if _is_in(row, number)), None)
    if shown is None and _read_number(request):
        raise Http404("The document is not in that release.")
    live = next((row for row in rows if latest and _is_in(row, latest.number)), None)
    revision = shown.revision if shown else document.revisions.order_by("-number").first()
    if revision is None:
        raise Http404("The document has no revision.")
    known = find_documents_by_slug(index.pk, revision.mentions, number)
    actor = get_actor(request, document.tenant_id)
    return show_page(
        request,
        "document.html",
        revision.title,
        document=document,
        index=index,
        revision=revision,
        shown=shown,
        live=live,
        latest=latest,
        number=number,
        html=render_markdown(revision.body, link=make_linker(known)),
        audience_badge=show_audience(revision.audience),
        body_tokens=count_tokens(revision.body),
        fields=list_fields(revision.fields, revision.field_labels),
        links=_list_links(index.pk, revision, known, number),
        backlinks=_list_backlinks(index.pk, revision.slug, document.pk, number),
        passages=_list_passages(document, number) if shown else [],
        history=_list_history(document, rows, shown, live),
        open_items=_list_open_items(document),
        rollback=None if live else _find_rollback(document, rows),
        may_propose=may(actor, "create"),
    )


def list_fields(fields: dict[str, Any], labels: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Structured fields as name, value and labels, in words."""
    return [(name, _say(value), ", ".join(labels.get(name, ()))) for name, value in fields.items()]


def _say(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " · ".join(str(each) for each in value)
    return str(value)


def _read_number(request: HttpRequest) -> int | None:
    text = request.GET.get("release", "")
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _is_in(publication: Publication, number: int) -> bool:
    return publication.added_in <= number and (publication.removed_in is None or publication.removed_in > number)


def _list_links(index_id: int, revision: Any, known: dict[str, int], number: int) -> list[LinkRow]:
    titles = dict(
        Publication.objects.filter(live_in(number), domain_index_id=index_id, slug__in=known).values_list(
            "slug", "title"
        )
    )
    kinds = {each["to"]: each["type"] for each in revision.relations}
    link = make_linker(known)
    return [
        LinkRow(slug, titles.get(slug, slug), kinds.get(slug, ""), link(slug)) for slug in revision.mentions[:MAX_LINKS]
    ]


def _list_backlinks(index_id: int, slug: str, document_id: int, number: int) -> list[LinkRow]:
    rows = (
        Publication.objects.filter(live_in(number), domain_index_id=index_id, mentions__contains=[slug])
        .exclude(document_id=document_id)
        .order_by("title")[:MAX_LINKS]
    )
    return [LinkRow(row.slug, row.title, row.type, reverse("admin:document", args=[row.document_id])) for row in rows]


def _list_passages(document: LoreDocument, number: int) -> list[LorePassage]:
    rows = LorePassage.objects.filter(live_in(number), domain_index_id=document.domain_index_id, document=document)
    return list(rows.select_related("chunk").defer("embedding", "bm25", "lexemes").order_by("chunk__ordinal", "id"))


def _list_history(
    document: LoreDocument, rows: list[Publication], shown: Publication | None, live: Publication | None
) -> list[HistoryRow]:
    """Each stretch with its release, the request whose edit it was, and when it was live. Five queries."""
    releases = {
        row.number: row
        for row in Release.objects.filter(
            domain_index_id=document.domain_index_id, number__in={r.added_in for r in rows}
        )
    }
    edits = dict(
        ReleaseEdit.objects.filter(document=document, revision__isnull=False).values_list("revision_id", "release_id")
    )
    requests = {
        item.change_request.release_id: item.change_request
        for item in ChangeItem.objects.filter(document=document, change_request__release__isnull=False).select_related(
            "change_request__author", "change_request__author_key", "change_request__approved_by"
        )
    }
    periods = list_live_periods([document.domain_index_id])
    numbers = dict(Release.objects.filter(pk__in=periods).values_list("pk", "number"))
    return [
        HistoryRow(
            row,
            releases.get(row.added_in),
            requests.get(edits.get(row.revision_id)),
            row == shown,
            row == live,
            merge_periods(periods, [pk for pk, number in numbers.items() if _is_in(row, number)]),
        )
        for row in rows
    ]


def _find_rollback(document: LoreDocument, rows: list[Publication]) -> LivePeriod | None:
    """The rollback that took the document out of what is live, if it was one."""
    numbers = Release.objects.filter(domain_index_id=document.domain_index_id).values_list("number", flat=True)
    held = [number for number in numbers if any(_is_in(row, number) for row in rows)]
    return find_last_rollback(document.domain_index_id, held)


def _list_open_items(document: LoreDocument) -> list[ChangeItem]:
    return list(
        ChangeItem.objects.filter(Q(document=document), change_request__state__in=OPEN_STATES)
        .select_related("change_request__author", "change_request__author_key")
        .order_by("-id")[:20]
    )
