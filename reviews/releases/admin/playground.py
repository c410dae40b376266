"""Try a query on two releases side by side and see why each passage stands where it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict

from knowledge.canon.models import PUBLIC, AliasName, DomainIndex, Release
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import READABLE_STATES, resolve_release
from knowledge.canon.selectors.search import LoreSearchResult, search_lore
from knowledge.errors import UnknownAlias
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from reviews.admin.common import list_domain_indexes

DEGRADED = {
    "embedder_unavailable": "The embedder did not answer: only keywords were searched.",
    "embedder_misbehaves": "The embedder answered with something unusable: only keywords were searched.",
    "embedder_changed": "Embedded by another embedder: only keywords were searched. Re-index to mend it.",
    "analysis_outdated": "The release was indexed by an older text analysis. Re-index to mend it.",
    "rerank_not_configured": "Rerank is on, but no chat model is configured: the fused order stands.",
}


class PlaygroundForm(forms.Form):
    """A query, two releases to ask, and as whom."""

    query = forms.CharField(
        max_length=4000, widget=forms.TextInput(attrs={"dir": "auto", "placeholder": "What would a player ask?"})
    )
    index = forms.ModelChoiceField(DomainIndex.objects.none(), label="World and domain", empty_label=None)
    left = forms.ChoiceField(label="Release on the left", required=False)
    right = forms.ChoiceField(label="Release on the right", required=False)
    npc = forms.CharField(
        max_length=120, required=False, label="As NPC", help_text="The slug of a character; empty: as the public."
    )
    k = forms.IntegerField(min_value=1, max_value=50, initial=8, required=False, label="Hits")

    def __init__(self, *args: Any, indexes: Any, index: DomainIndex | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["index"].queryset = indexes  # type: ignore[attr-defined]
        releases = (
            Release.objects.filter(domain_index=index, state__in=READABLE_STATES) if index else Release.objects.none()
        )
        numbers = [
            (str(row.number), f"release {row.number} ({row.get_state_display().lower()})") for row in releases[:100]
        ]
        choices = [("stage", "stage"), ("latest", "latest"), *numbers]
        for name, first in (("left", "latest"), ("right", "stage")):
            self.fields[name].choices = choices  # type: ignore[attr-defined]
            self.fields[name].initial = first


@dataclass(frozen=True, slots=True)
class HitRow:
    """A hit with its place in the other release and its score in parts."""

    place: int
    hit: Any
    keyword_percent: int
    vector_percent: int
    other_place: int | None
    matched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """What one release answered, or why it could not."""

    name: str
    result: LoreSearchResult | None
    rows: tuple[HitRow, ...]
    refusal: str
    degraded: tuple[str, ...]


def playground_view(request: HttpRequest) -> HttpResponse:
    """The form, and below it both answers."""
    indexes = list_domain_indexes(request.user)
    wanted = request.GET.get("index", "")
    index = (indexes.filter(pk=int(wanted)).first() if wanted.isdecimal() else None) or indexes.first()
    data = _fill_in(request.GET, index) if "query" in request.GET else None
    form = PlaygroundForm(data, indexes=indexes, index=index, initial={"index": index})
    sides: list[Side] = []
    audience: tuple[str, ...] = (PUBLIC,)
    if form.is_valid():
        cleaned = form.cleaned_data
        index = cleaned["index"]
        if cleaned["npc"]:
            audience = get_npc_audience(index.world_id, cleaned["npc"])
        sides = _compare(index, cleaned, audience)
    return show_page(request, "playground.html", "Playground", form=form, sides=sides, audience=audience, index=index)


def _fill_in(given: QueryDict, index: DomainIndex | None) -> QueryDict:
    """What was sent, with the defaults for what was left out: links here name the query alone."""
    data = given.copy()
    data["index"] = str(index.pk) if index else ""
    for name, value in (("left", "latest"), ("right", "stage"), ("k", "8")):
        data.setdefault(name, value)
    return data


def _compare(index: DomainIndex, cleaned: dict[str, Any], audience: tuple[str, ...]) -> list[Side]:
    names = [cleaned["left"] or "latest", cleaned["right"] or "stage"]
    answers = [_ask(index, name, cleaned, audience) for name in names]
    places = [
        {hit.document_id: place for place, hit in reversed(list(enumerate(answer.hits, start=1)))}
        if isinstance(answer, LoreSearchResult)
        else {}
        for answer in answers
    ]
    return [
        _describe(name, answer, places[1 - side])
        for side, (name, answer) in enumerate(zip(names, answers, strict=True))
    ]


def _ask(
    index: DomainIndex, name: str, cleaned: dict[str, Any], audience: tuple[str, ...]
) -> LoreSearchResult | DomainError:
    try:
        if name.isdecimal():
            release = resolve_release(world_id=index.world_id, domain=index.domain, release=int(name))
        else:
            release = resolve_release(world_id=index.world_id, domain=index.domain, alias=name)
        return search_lore(release, cleaned["query"], k=cleaned["k"] or 8, audience=audience, remember_misses=False)
    except DomainError as error:
        return error


def _describe(name: str, answer: LoreSearchResult | DomainError, other: dict[int, int]) -> Side:
    if isinstance(answer, DomainError):
        is_empty_stage = isinstance(answer, UnknownAlias) and name == AliasName.STAGE
        return Side(name, None, (), "Nothing is on the stage." if is_empty_stage else answer.detail, ())
    best = max((hit.parts.bm25_part + hit.parts.vector_part for hit in answer.hits), default=0) or 1
    rows = tuple(
        HitRow(
            place=place,
            hit=hit,
            keyword_percent=round(100 * hit.parts.bm25_part / best),
            vector_percent=round(100 * hit.parts.vector_part / best),
            other_place=other.get(hit.document_id),
            matched=_list_matched(answer, hit.text, hit.title),
        )
        for place, hit in enumerate(answer.hits, start=1)
    )
    return Side(name, answer, rows, "", tuple(DEGRADED.get(code, code) for code in answer.degraded))


def _list_matched(answer: LoreSearchResult, *texts: str) -> tuple[str, ...]:
    """The query's lexemes that the passage holds."""
    from knowledge.text.analysis import lexeme_counts

    held = set(lexeme_counts(" ".join(texts)))
    return tuple(term for term in lexeme_counts(answer.query) if term in held)
