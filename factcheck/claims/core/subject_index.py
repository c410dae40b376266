"""Subjects out of articles: translations become one subject, references the names that they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from factcheck.claims.core.subjects import (
    REFERENCE,
    Field,
    FieldKind,
    Named,
    Subject,
    kind_of,
    make_labels,
    make_named,
    unit_of,
)
from factcheck.core.tokens import name_sequence, name_surface
from knowledge.canon.core.slugs import is_slug


@dataclass(frozen=True, slots=True)
class ArticleFacts:
    """What a claim can be held against in one live article."""

    slug: str
    title: str
    type: str
    aliases: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    field_labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    translation_of: str = ""
    document_id: int = 0

    @property
    def root(self) -> str:
        """The slug that stands for all translations of the article."""
        return self.translation_of or self.slug


def list_references(articles: Iterable[ArticleFacts]) -> set[str]:
    """Slugs that the articles' fields point at."""
    found: set[str] = set()
    for article in articles:
        for value in article.fields.values():
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str):
                    slug = _reference_of(text, in_list=isinstance(value, list))
                    found |= {slug} if slug else set()
    return found


def build_subjects(articles: Sequence[ArticleFacts], known: Sequence[ArticleFacts]) -> list[Subject]:
    """The subjects of the articles; `known` are all articles that references may lead to, translations included."""
    groups: dict[str, list[ArticleFacts]] = {}
    for article in articles:
        groups.setdefault(article.root, []).append(article)
    names = _name_index([*articles, *known])
    return [_build_subject(key, group, names) for key, group in groups.items()]


def _name_index(articles: Sequence[ArticleFacts]) -> dict[str, list[ArticleFacts]]:
    """Every slug to all articles that are the same thing."""
    unique = {article.slug: article for article in articles}
    by_root: dict[str, list[ArticleFacts]] = {}
    for article in unique.values():
        by_root.setdefault(article.root, []).append(article)
    return {article.slug: by_root[article.root] for article in unique.values()}


def _build_subject(key: str, group: Sequence[ArticleFacts], names: Mapping[str, list[ArticleFacts]]) -> Subject:
    spellings = _spellings(group)
    fields: list[Field] = []
    field_names = dict.fromkeys(name for article in group for name in article.fields)
    for name in field_names:
        holders = [article for article in group if name in article.fields]
        made = _build_field(name, group, holders, names)
        if made is not None:
            fields.append(made)
    return Subject(
        key=key,
        slugs=tuple(article.slug for article in group),
        type=group[0].type,
        sequences=tuple(dict.fromkeys(name_sequence(text) for text in spellings if name_sequence(text))),
        surfaces=tuple(dict.fromkeys(name_surface(text) for text in spellings)),
        fields=tuple(fields),
        sequences_by_slug={
            article.slug: frozenset(name_sequence(text) for text in (article.title, *article.aliases))
            for article in group
        },
    )


def _spellings(group: Iterable[ArticleFacts]) -> list[str]:
    return list(dict.fromkeys(text for article in group for text in (article.title, *article.aliases)))


def _build_field(
    name: str, group: Sequence[ArticleFacts], holders: Sequence[ArticleFacts], names: Mapping[str, list[ArticleFacts]]
) -> Field | None:
    kinds = {kind_of(article.fields[name]) for article in holders}
    kind: FieldKind | None = kinds.pop() if len(kinds) == 1 else None
    if kind is None:
        return None
    labels = list(dict.fromkeys(label for article in group for label in article.field_labels.get(name, ())))
    values = [article.fields[name] for article in holders]
    is_named = kind in {"name", "list"}
    return Field(
        name=name,
        kind=kind,
        labels=make_labels(name, labels),
        unit=unit_of(name, kind),
        values=() if is_named else tuple(dict.fromkeys(values)),
        names=tuple(_name_values(values, names)) if is_named else (),
        slugs=tuple(article.slug for article in holders),
    )


def _name_values(values: Sequence[Any], names: Mapping[str, list[ArticleFacts]]) -> list[Named]:
    found: dict[tuple[str | None, str], Named] = {}
    for value in values:
        in_list = isinstance(value, list)
        for text in value if in_list else [value]:
            named = _resolve(text, names, in_list=in_list)
            found[named.document, named.shown] = named
    return list(found.values())


def _resolve(text: str, names: Mapping[str, list[ArticleFacts]], *, in_list: bool) -> Named:
    """The value as a name; a reference goes by every title and alias of what it leads to, in every language."""
    slug = _reference_of(text, in_list=in_list)
    if slug is None or (slug not in names and REFERENCE.fullmatch(text) is None):
        return make_named(text)
    group = names.get(slug)
    if not group:
        return Named(sequences=(), surfaces=(), shown=slug, document=slug, resolved=False)
    spellings = _spellings(group)
    first = next((article for article in group if article.slug == slug), group[0])
    return Named(
        sequences=tuple(dict.fromkeys(name_sequence(spelling) for spelling in spellings if name_sequence(spelling))),
        surfaces=tuple(dict.fromkeys(name_surface(spelling) for spelling in spellings)),
        shown=first.title,
        document=slug,
        type=first.type,
    )


def _reference_of(text: str, *, in_list: bool) -> str | None:
    """The slug that a field's text points at: `[[slug]]`, or in lists a bare slug."""
    match = REFERENCE.fullmatch(text.strip())
    if match:
        return match[1]
    return text if in_list and is_slug(text) else None
