"""Import of a lorebook: a preview of entries, losses and what fires, then a change request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from knowledge.canon.models import DomainIndex
from knowledge.lorebooks.core.book import Entry
from knowledge.lorebooks.errors import WorldInfoInvalid
from knowledge.lorebooks.files import LoreFile, read_lore_file
from knowledge.lorebooks.json_text import render_json
from knowledge.lorebooks.limits import MAX_FILE_BYTES
from knowledge.lorebooks.token_counts import count_book_tokens
from memoryproject.admin.flash import flash_error
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from reviews.admin.common import get_actor, list_domain_indexes
from reviews.core.permissions import require
from reviews.lorebooks.actions import import_lorebook
from reviews.lorebooks.admin.common import FORMAT_NAMES, LOSSES_SHOWN, list_places, text_field
from reviews.lorebooks.core.articles import ImportDefaults
from reviews.lorebooks.plans import LorebookImport, PlannedEntry, list_unkept, plan_import
from reviews.lorebooks.sample_chat import MAX_CHAT_LENGTH, FiredEntry, show_firing

ENTRIES_SHOWN = 500
MAX_SOURCE_LENGTH = 1_500_000
"""Characters of the pasted file: with the rest of the form they stay below the limit of a body."""


class LorebookImportForm(forms.Form):
    """A file or its text, where it goes, and a chat to try it on."""

    index = forms.ModelChoiceField(DomainIndex.objects.none(), label="World and domain", empty_label=None)
    file = forms.FileField(required=False, label="File (JSON or PNG)")
    source = forms.CharField(
        required=False,
        strip=False,
        max_length=MAX_SOURCE_LENGTH,
        label="Or its JSON",
        help_text="After a preview this is what was read: edit it here, and preview again.",
        widget=forms.Textarea(attrs={"rows": 8, "dir": "auto", "spellcheck": "false"}),
    )
    chat = forms.CharField(
        required=False,
        max_length=MAX_CHAT_LENGTH,
        label="Sample chat, a message a line",
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )
    type = forms.RegexField(r"^[a-z]+(?:_[a-z]+)*$", initial="article", max_length=32, label="Type of new articles")
    tags = text_field("Tags of new articles, by commas", max_length=500)
    with_disabled = forms.BooleanField(required=False, label="Import disabled entries, too")
    title = text_field("Title of the change request", max_length=200)
    book_name = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput())

    def __init__(self, *args: Any, indexes: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["index"].queryset = indexes  # type: ignore[attr-defined]

    def read_file(self) -> LoreFile:
        """The book of the file, else of the text. Raises CardInvalid, WorldInfoInvalid."""
        upload = self.cleaned_data["file"]
        if upload is None:
            return read_lore_file(self.cleaned_data["source"].encode("utf-8", "replace"))
        if upload.size > MAX_FILE_BYTES:
            raise WorldInfoInvalid(f"has {upload.size} bytes; {MAX_FILE_BYTES} are taken")
        return read_lore_file(upload.read())

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not data.get("file") and not (data.get("source") or "").strip():
            raise forms.ValidationError("Choose a file, or paste its JSON.")
        return data

    def get_defaults(self) -> ImportDefaults:
        """What new articles have that entries do not say."""
        tags = (tag.strip() for tag in self.cleaned_data["tags"].split(","))
        return ImportDefaults(type=self.cleaned_data["type"], tags=tuple(tag for tag in tags if tag))


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One line of the preview."""

    planned: PlannedEntry
    entry: Entry | None
    tokens: int
    fired: FiredEntry | None


def lorebook_import_view(request: HttpRequest) -> HttpResponse:
    """The form; after "Preview" what would happen; after "Propose" the change request."""
    indexes = list_domain_indexes(request.user)
    if not indexes.exists():
        return show_page(request, "no_domains.html", "Import a lorebook")
    form = LorebookImportForm(
        request.POST or None, request.FILES or None, indexes=indexes, initial={"index": indexes.first()}
    )
    shown: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        index = form.cleaned_data["index"]
        actor = get_actor(request, index.tenant_id)
        require(actor, "create")
        try:
            file = form.read_file()
            name = _name_book(form)
            shared = {
                "defaults": form.get_defaults(),
                "with_disabled": form.cleaned_data["with_disabled"],
                "book_name": name,
            }
            if "propose" in request.POST:
                done = import_lorebook(
                    actor=actor,
                    world_id=index.world_id,
                    domain=index.domain,
                    file=file,
                    title=form.cleaned_data["title"],
                    is_draft=True,
                    **shared,
                )
                if done.change_request_ids:
                    messages.success(request, "The entries are in this draft. Submit it when it is ready.")
                    address = reverse("admin:change_request", args=[done.change_request_ids[0]])
                    return HttpResponseRedirect(address)
                messages.info(request, "Canon says all of that already: there is nothing to propose.")
            shown = _show_preview(file, plan_import(index, file, **shared), form.cleaned_data["chat"])
            form = _keep_source(form, file, indexes, name)
        except DomainError as error:
            flash_error(request, error)
    return show_page(request, "lorebook_import.html", "Import a lorebook", form=form, **shown)


def _name_book(form: LorebookImportForm) -> str:
    """How the book is known again: the name of the file that was uploaded first."""
    upload = form.cleaned_data["file"]
    name: str = upload.name.rsplit(".", 1)[0] if upload is not None else form.cleaned_data["book_name"]
    return name[:200]


def _keep_source(form: LorebookImportForm, file: LoreFile, indexes: Any, name: str) -> LorebookImportForm:
    """The form with the file's JSON as text, so that it can be edited and need not be chosen again."""
    values = {field: form.cleaned_data[field] for field in form.fields if field != "file"}
    source = render_json(file.document, indent=2).decode()
    if len(source) > MAX_SOURCE_LENGTH:
        source = ""
    kept = {**values, "index": form.cleaned_data["index"].pk, "source": source, "book_name": name}
    return LorebookImportForm(indexes=indexes, initial=kept)


def _show_preview(file: LoreFile, plan: LorebookImport, chat: str) -> dict[str, Any]:
    tokens = count_book_tokens(file.book)
    entries = {entry.uid: entry for entry in file.book.entries}
    fired = {each.uid: each for each in show_firing(file.book, chat)} if chat.strip() else {}
    rows = [
        EntryRow(each, entries.get(each.uid), tokens.entries.get(each.uid, 0), fired.get(each.uid))
        for each in plan.entries
    ]
    losses = list_unkept(plan, file.book)
    counts = {name: count for name, count in plan.count().items() if count}
    return {
        "lorebook": file,
        "format_name": FORMAT_NAMES[file.format],
        "rows": rows[:ENTRIES_SHOWN],
        "row_count": len(rows),
        "counts": counts,
        "has_changes": bool(counts.get("created") or counts.get("updated")),
        "fired_count": sum(each.fires for each in fired.values()) if fired else None,
        "losses": losses[:LOSSES_SHOWN],
        "loss_count": len(losses),
        "tokens": tokens,
        "places": list_places(tokens),
    }
