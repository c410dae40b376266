"""Writing: an edit, a new article, a retirement, each as an item of a draft change request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from knowledge.canon.core.article import parse_article
from knowledge.canon.models import DomainIndex, LoreDocument, Publication
from knowledge.canon.selectors.revisions import read_article
from knowledge.errors import InvalidArticle
from knowledge.text.tokens import count_tokens
from memoryproject.admin.markdown import render_markdown
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from reviews.admin.common import get_actor, get_domain_index_or_404, list_domain_indexes
from reviews.change_requests.actions.autosaves import discard_autosave, find_autosave
from reviews.change_requests.actions.drafts import create_change_request, save_item
from reviews.change_requests.admin.article_form import (
    LANGUAGES,
    TYPES,
    ArticleForm,
    content_of,
    field_rows_of,
    find_row_problems,
    initial_of,
    read_field_rows,
    read_relation_rows,
    relation_rows_of,
)
from reviews.change_requests.admin.autosave import read_fields
from reviews.change_requests.admin.changes import compare_texts
from reviews.change_requests.models.changes import EDITABLE_STATES
from reviews.change_requests.selectors.items import get_item_version
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.errors import ItemChanged
from reviews.models import ChangeItem, ChangeKind, ChangeRequest, Operation
from reviews.releases.selectors.live import find_live_by_document, list_live_publications
from tenancy.admin.access import get_or_404

MAX_PREVIEW_LENGTH = 1_000_000


class TargetForm(forms.Form):
    """Which change request takes the item: one of the person's drafts, or a new one."""

    target = forms.ChoiceField(label="Put it into", required=False)
    request_title = forms.CharField(
        max_length=200,
        required=False,
        label="Title of the new request",
        widget=forms.TextInput(attrs={"dir": "auto", "placeholder": "What changes, in a few words"}),
    )
    description = forms.CharField(
        required=False,
        max_length=20_000,
        label="Why",
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text="For the reviewer; kept with a new request.",
    )

    def __init__(self, *args: Any, drafts: list[ChangeRequest], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "A new change request"), *((str(row.pk), str(row)) for row in drafts)]
        self.fields["target"].choices = choices  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Task:
    """What is being written: an update of a live document, an item at hand, or (both empty) a new article."""

    index: DomainIndex
    actor: Actor
    live: Publication | None = None
    item: ChangeItem | None = None

    @property
    def title(self) -> str:
        """The page's title."""
        if self.item is not None:
            return f"Edit {self.item.slug} in #{self.item.change_request_id}"
        return f"Propose an edit of {self.live.title}" if self.live else "Write a new article"

    @property
    def start(self) -> dict[str, Any]:
        """The content that the form begins with."""
        if self.item is not None:
            return dict(self.item.content)
        if self.live is not None:
            return read_article(self.live.revision).as_content()
        language = self.index.world.languages[0] if self.index.world.languages else "en"
        return {"language": language, "type": "rule" if self.index.domain == "srd" else "article"}

    @property
    def key(self) -> str:
        """The name under which the unsaved form is kept."""
        if self.item is not None:
            return f"item:{self.item.pk}"
        return f"document:{self.live.document_id}" if self.live else f"new:{self.index.pk}"

    @property
    def base_id(self) -> str:
        """The live revision that the edit begins from, as the form remembers it."""
        return str(self.live.revision_id) if self.live else ""


def propose_edit_view(request: HttpRequest, document_id: int) -> HttpResponse:
    """The form for an update of a live document."""
    document = get_or_404(LoreDocument.objects.select_related("domain_index__world"), request.user, pk=document_id)
    live = find_live_by_document(document.domain_index_id, [document.pk]).get(document.pk)
    if live is None:
        messages.error(request, "The document is not live: there is nothing to edit.")
        return HttpResponseRedirect(reverse("admin:document", args=[document.pk]))
    actor = get_actor(request, document.tenant_id)
    return _edit(request, Task(document.domain_index, actor, live=live))


def new_document_view(request: HttpRequest) -> HttpResponse:
    """The form for a new article, in the domain that `?index=` names."""
    indexes = list(list_domain_indexes(request.user))
    if not indexes:
        return show_page(request, "no_domains.html", "Write a new article")
    wanted = request.GET.get("index", "")
    index = get_domain_index_or_404(request.user, int(wanted)) if wanted.isdecimal() else indexes[0]
    return _edit(request, Task(index, get_actor(request, index.tenant_id)), indexes=indexes)


def edit_item_view(request: HttpRequest, request_id: int, item_id: int) -> HttpResponse:
    """The form for an item of a draft."""
    items = ChangeItem.objects.select_related("change_request__domain_index__world")
    item = get_or_404(items, request.user, pk=item_id, change_request_id=request_id)
    if item.operation == Operation.RETIRE:
        messages.error(request, "A retirement has no text to edit. Remove the item to keep the document.")
        return HttpResponseRedirect(reverse("admin:change_request", args=[request_id]))
    return _edit(request, Task(item.change_request.domain_index, get_actor(request, item.tenant_id), item=item))


def propose_retirement_view(request: HttpRequest, document_id: int) -> HttpResponse:
    """A short form: into which request, and why."""
    document = get_or_404(LoreDocument.objects.select_related("domain_index__world"), request.user, pk=document_id)
    actor = get_actor(request, document.tenant_id)
    require(actor, "create")
    live = find_live_by_document(document.domain_index_id, [document.pk]).get(document.pk)
    if live is None:
        messages.error(request, "The document is not live: there is nothing to retire.")
        return HttpResponseRedirect(reverse("admin:document", args=[document.pk]))
    task = Task(document.domain_index, actor, live=live)
    target = _make_target_form(request, task, suggested=f"Retire {live.title}")
    if request.method == "POST" and target.is_valid():
        try:
            change_request_id = _find_or_create_request(task, target.cleaned_data)
            save_item(actor=actor, change_request_id=change_request_id, content=None, document_id=document.pk)
        except DomainError as error:
            target.add_error(None, error.detail)
        else:
            messages.success(request, f"{live.title} will be retired when request #{change_request_id} goes live.")
            return HttpResponseRedirect(reverse("admin:change_request", args=[change_request_id]))
    backlinks = (
        list_live_publications(document.domain_index_id)
        .filter(mentions__contains=[live.slug])
        .exclude(document=document)
    )
    title = f"Retire {live.title}"
    return show_page(
        request, "retire.html", title, target=target, live=live, document=document, backlinks=backlinks[:50]
    )


@require_POST
def preview_view(request: HttpRequest) -> HttpResponse:
    """The text as HTML, with its tokens (o200k) and characters. `[[links]]` are shown, not followed."""
    text = request.POST.get("text", "")[:MAX_PREVIEW_LENGTH]
    return JsonResponse(
        {
            "html": render_markdown(text, link=lambda slug: f"#{slug}"),
            "tokens": count_tokens(text),
            "characters": len(text),
        }
    )


def _edit(request: HttpRequest, task: Task, *, indexes: Any = ()) -> HttpResponse:
    require(task.actor, "create" if task.item is None else "edit")
    page = _begin(request, task)
    form, target = page["form"], page["target"]
    if request.method == "POST" and form.is_valid() and target.is_valid() and not page["row_errors"]:
        content = content_of(form.cleaned_data, page["rows"]["fields"], page["rows"]["relations"])
        if origin := task.start.get("lorebook_origin"):
            content["lorebook_origin"] = origin
        if page["moved"]:
            page["conflict"] = compare_texts(task.start, content)
        else:
            saved = _try_to_save(request, task, content, page)
            if saved is not None:
                return saved
    return show_page(
        request,
        "edit_article.html",
        task.title,
        status=200,
        task=task,
        indexes=indexes,
        types=TYPES,
        languages=dict.fromkeys([*task.index.world.languages, *LANGUAGES]),
        **page,
    )


def _begin(request: HttpRequest, task: Task) -> dict[str, Any]:
    """The form as it was sent; as it was kept and not saved; else as the article stands."""
    start = task.start
    kept = find_autosave(actor=task.actor, target=task.key) if request.method == "GET" else None
    data = request.POST if request.method == "POST" else read_fields(kept) if kept else None
    initial = initial_of(start)
    rows: dict[str, Any] = {"fields": field_rows_of(start), "relations": relation_rows_of(start)}
    if data is not None:
        initial |= {name: data[name] for name in initial if name in data}
        rows = {"fields": read_field_rows(data), "relations": read_relation_rows(data)}
    target = _make_target_form(request, task, suggested=f"Change {task.live.title}" if task.live else "", kept=data)
    posted = data if data is not None else {}
    base_id = posted.get("onto") or posted.get("base", task.base_id)
    problems = find_row_problems(rows["fields"]) if request.method == "POST" else []
    return {
        "form": ArticleForm(request.POST or None, initial=initial),
        "target": target,
        "rows": rows,
        "row_errors": {"fields": problems} if problems else {},
        "base_id": base_id,
        "moved": request.method == "POST" and task.live is not None and base_id != task.base_id,
        "item_version": posted.get("item_version") or (get_item_version(task.item) if task.item else ""),
        "kept": kept,
        "conflict": None,
        "newest_item": "",
    }


def _try_to_save(
    request: HttpRequest, task: Task, content: dict[str, Any], page: dict[str, Any]
) -> HttpResponse | None:
    """On to the request where it was saved; None with what is wrong put into the page."""
    form = page["form"]
    version = request.POST.get("onto_item") or request.POST.get("item_version", "")
    try:
        item = _save(task, content, page["target"].cleaned_data, version)
    except InvalidArticle as error:
        page["row_errors"] = form.show_article_errors(error)
    except ItemChanged:
        stored = ChangeItem.objects.filter(pk=task.item.pk).first() if task.item else None
        if stored is not None:
            page["conflict"] = compare_texts(stored.content, content)
            page["newest_item"] = get_item_version(stored)
    except DomainError as error:
        form.add_error(None, error.detail)
    else:
        discard_autosave(actor=task.actor, target=task.key)
        messages.success(request, f"Saved in change request #{item.change_request_id}. Submit it when it is ready.")
        return HttpResponseRedirect(reverse("admin:change_request", args=[item.change_request_id]))
    return None


def _save(task: Task, content: dict[str, Any], target: dict[str, Any], item_version: str) -> ChangeItem:
    """The item, in its request or in a new one. A bad article leaves no empty request behind."""
    parse_article(content)
    if task.item is not None:
        return save_item(
            actor=task.actor,
            change_request_id=task.item.change_request_id,
            content=content,
            item_id=task.item.pk,
            expected_item_version=item_version,
        )
    with transaction.atomic():
        return save_item(
            actor=task.actor,
            change_request_id=_find_or_create_request(task, target, fallback=content["title"]),
            content=content,
            document_id=task.live.document_id if task.live else None,
        )


def _find_or_create_request(task: Task, target: dict[str, Any], *, fallback: str = "") -> int:
    if target["target"]:
        return int(target["target"])
    title = target["request_title"] or fallback
    return create_change_request(
        actor=task.actor, domain_index_id=task.index.pk, title=title[:200], description=target["description"]
    ).pk


def _make_target_form(request: HttpRequest, task: Task, *, suggested: str, kept: Any = None) -> TargetForm:
    drafts = ChangeRequest.objects.filter(
        domain_index=task.index, kind=ChangeKind.CANON, author_id=task.actor.user_id, state__in=EDITABLE_STATES
    ).order_by("-id")[:50]
    wanted = request.GET.get("request", "")
    initial = {"request_title": suggested[:200], "target": wanted if wanted.isdecimal() else ""}
    if kept is not None:
        initial |= {name: kept[name] for name in TargetForm.base_fields if name in kept}
    return TargetForm(request.POST or None, drafts=list(drafts), initial=initial)
