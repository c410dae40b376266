"""Export of canon as a lorebook: the loss report and tokens before the download."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from knowledge.canon.models import DomainIndex
from knowledge.lorebooks.detection import WRITTEN_FORMATS
from knowledge.lorebooks.files import convert_file
from knowledge.lorebooks.json_text import render_json
from memoryproject.admin.flash import flash_error
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from reviews.admin.common import list_domain_indexes
from reviews.change_requests.selectors.bulk_edits import ArticleFilter
from reviews.lorebooks.admin.common import FORMAT_NAMES, answer_download, describe_losses, split_commas, text_field
from reviews.lorebooks.export_requests import choose_target
from reviews.lorebooks.selectors import export_domain


class LorebookExportForm(forms.Form):
    """Which articles become the book, and in which format."""

    index = forms.ModelChoiceField(DomainIndex.objects.none(), label="World and domain", empty_label=None)
    target = forms.ChoiceField(
        choices=[
            ("", "As imported, else SillyTavern"),
            *((each.value, FORMAT_NAMES[each]) for each in WRITTEN_FORMATS),
        ],
        label="Format",
        required=False,
    )
    types = text_field("Types, by commas", max_length=500)
    language = text_field("Language", max_length=16)
    tags = text_field("All of these tags, by commas", max_length=500)
    slugs = text_field("Only these slugs, by commas", max_length=5000)
    book = text_field("Only this imported book", max_length=200, help_text="Its articles as its file had them.")
    secrets = forms.BooleanField(required=False, label="Secret articles, too")

    def __init__(self, *args: Any, indexes: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["index"].queryset = indexes  # type: ignore[attr-defined]

    def get_filter(self) -> ArticleFilter:
        """The choice as the selector takes it."""
        data = self.cleaned_data
        return ArticleFilter(
            types=split_commas(data["types"]),
            language=data["language"].strip(),
            tags=split_commas(data["tags"]),
            slugs=split_commas(data["slugs"]),
            book=data["book"].strip(),
        )


def lorebook_export_view(request: HttpRequest) -> HttpResponse:
    """The form; with a choice the loss report and tokens; with `download` the file."""
    indexes = list_domain_indexes(request.user)
    if not indexes.exists():
        return show_page(request, "no_domains.html", "Export a lorebook")
    form = LorebookExportForm(request.GET if "target" in request.GET else None, indexes=indexes)
    shown: dict[str, Any] = {}
    if form.is_bound and form.is_valid():
        index = form.cleaned_data["index"]
        try:
            file = export_domain(
                world_id=index.world_id,
                world_slug=index.world.slug,
                domain=index.domain,
                chosen=form.get_filter(),
                has_secrets=form.cleaned_data["secrets"],
            )
            target = choose_target(file, form.cleaned_data["target"], book=form.cleaned_data["book"].strip())
            converted = convert_file(file, target)
        except DomainError as error:
            flash_error(request, error)
        else:
            if "download" in request.GET:
                name = f"{index.world.slug}-{index.domain}-{target.value}.json"
                return answer_download(render_json(converted.document), "application/json", name)
            shown = {
                **describe_losses(file, converted.losses),
                "download": f"{request.get_full_path()}&download=1",
                "format_name": FORMAT_NAMES[target],
            }
    return show_page(request, "lorebook_export.html", "Export a lorebook", form=form, **shown)
