"""Entries as articles of canon, and articles as entries.

The two ways are inverse: an entry that was made of an article and comes back unchanged changes nothing, and one that
comes back edited changes only what was edited. So links, tags, relations and facts of an article survive a round trip
through a program that knows none of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from knowledge.canon.core.article import Article, parse_article
from knowledge.canon.core.slugs import is_slug, make_slug
from knowledge.errors import InvalidArticle
from knowledge.lorebooks.adaptation import is_pattern
from knowledge.lorebooks.conversion import convert_book
from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.core.decorators import split_decorators
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.formats.decorator_fields import resolve_decorators
from knowledge.lorebooks.formats.members import MODEL_FIELDS
from knowledge.text.language import detect_language
from reviews.lorebooks.core.entry_settings import (
    FIELD,
    UNKEPT_FIELDS,
    ReadSettings,
    read_settings,
    split_fitting,
    write_settings,
)
from reviews.lorebooks.core.origins import RestoredEntry, restore_entry

MAX_TITLE_LENGTH = 200
MAX_ALIASES = 50
MAX_SOURCE_LENGTH = 500
_MENTION = re.compile(r"\[\[([a-z0-9-]+)(?:\|([^\[\]]+))?\]\]")
_NO_EDITS = frozenset({"memory37_id", "display_index", "name", *UNKEPT_FIELDS})
"""Fields that tell nothing of an edit: other programs number entries and name them anew."""
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class ImportDefaults:
    """What articles have that entries do not say."""

    type: str = "article"
    language: str = ""  # empty: told from each entry's text
    tags: tuple[str, ...] = ()
    audience: str | tuple[str, ...] = "public"


@dataclass(frozen=True, slots=True)
class EntryArticle:
    """An entry as the content of an article, and what of it canon does not keep: field to reason."""

    content: dict[str, Any]
    unkept: Mapping[str, str]


def make_entry(article: Article, titles: Mapping[str, str] | None = None, *, index: int = 0) -> Entry:
    """The article as an entry: found by its title and aliases, its text as it stands, links as plain words."""
    settings = read_settings(article.fields.get(FIELD))
    names = article.aliases if FIELD in article.fields else (article.title, *article.aliases)
    fields: dict[str, Any] = {
        "comment": article.title,
        "keys": tuple(dict.fromkeys((*names, *settings.keys))),
        "content": _join_decorators(settings, _unlink(article.body, titles or {})),
        "memory37_id": article.slug,
        **settings.fields,
    }
    decorators, _ = split_decorators(fields["content"])
    return Entry(**fields, uid=str(index), index=index, decorators=decorators)


def show_entry(article: Article, titles: Mapping[str, str] | None = None, *, index: int = 0) -> RestoredEntry:
    """The article as the entry of its file, edits put in, and whose shape it has; without a file as `make_entry`."""
    plain = RestoredEntry(make_entry(article, titles, index=index), Dialect.SILLYTAVERN)
    if not article.lorebook_origin:
        return plain
    return restore_entry(plain.entry, article.lorebook_origin, lambda was: _remake(was, titles, index)) or plain


def _remake(was: Entry, titles: Mapping[str, str] | None, index: int) -> Entry | None:
    """What an entry became by being imported, and as which it would come back."""
    try:
        made = parse_article(make_article(was, "a", "a", ImportDefaults(language="en")).content)
    except InvalidArticle:
        return None
    return make_entry(made, titles, index=index)


def make_article(entry: Entry, slug: str, source: str, defaults: ImportDefaults) -> EntryArticle:
    """A new article of an entry."""
    content: dict[str, Any] = {
        "slug": slug,
        "title": name_entry(entry),
        "type": defaults.type,
        "language": defaults.language or detect_language(entry.content or name_entry(entry)),
        "tags": list(defaults.tags),
        "audience": list(defaults.audience) if isinstance(defaults.audience, tuple) else defaults.audience,
        "source": clean_source(source),
    }
    return _put_entry(content, entry, {FIELD})


def change_article(article: Article, entry: Entry, dialect: Dialect, titles: Mapping[str, str]) -> EntryArticle:
    """The article with what the entry says otherwise than it did when it was made of the article.

    `dialect` is the one that the entry was read from: what that cannot say was not edited there. Links stay in lines
    that were not edited; those of the others are told of as not kept.
    """
    shown = _choose_shown(entry, titles)
    before = make_entry(article, shown)
    given = show_entry(article, shown)
    edited = _find_edited(given.entry, given.dialect, entry, dialect)
    content = article.as_content()
    if not edited:
        return EntryArticle(content, _find_unkept(entry))
    changes: dict[str, Any] = {name: getattr(entry, name) for name in edited}
    content_now = changes.get("content", before.content)
    merged = replace(before, **changes, decorators=split_decorators(content_now)[0])
    has_settings = FIELD in article.fields or bool(edited - {"content", "comment"})
    changed = _put_entry({**content, "title": name_entry(merged)}, merged, {FIELD} if has_settings else set())
    changed.content["body"] = (
        _relink(changed.content["body"], article.body, shown) if "content" in edited else article.body
    )
    if not has_settings:
        changed.content["aliases"] = content["aliases"]
    if "comment" not in edited:
        changed.content["title"] = content["title"]
    lost = _list_links(article.body) - _list_links(changed.content["body"])
    unkept = {f"[[{slug}]]": "its line was edited: a link comes back as plain words" for slug in sorted(lost)}
    return replace(changed, unkept={**changed.unkept, **unkept})


def name_entry(entry: Entry) -> str:
    """The title of an entry: its comment, else its name, its first key, its place."""
    for text in (entry.comment, entry.name, *entry.keys):
        if title := " ".join(_clean(text).split()):
            return title[:MAX_TITLE_LENGTH]
    return f"Entry {entry.index + 1}"


def slug_of_entry(entry: Entry) -> str:
    """The slug that the entry brought along, if it is one; else one made from its title."""
    return entry.memory37_id if is_slug(entry.memory37_id) else make_slug(name_entry(entry))


def clean_source(source: str) -> str:
    """The source as an article holds it."""
    return _clean(source)[:MAX_SOURCE_LENGTH]


def has_text(entry: Entry) -> bool:
    """Whether the entry says anything that an article could hold."""
    return not entry.is_folder and bool(_clean(split_decorators(entry.content)[1]).strip())


def _put_entry(content: dict[str, Any], entry: Entry, with_settings: set[str]) -> EntryArticle:
    resolved, unknown = resolve_decorators(entry)
    _, body = split_decorators(entry.content)
    names = [key for key in _clean_keys(resolved.keys) if not is_pattern(key) and len(key) <= MAX_TITLE_LENGTH]
    aliases = names[:MAX_ALIASES]
    others = [key for key in _clean_keys(resolved.keys) if key not in aliases]
    lost = [
        f"{decorator.name} {decorator.value}".strip() for decorator in entry.decorators if decorator.name in unknown
    ]
    unkept = dict(_find_unkept(entry))
    fields = {name: value for name, value in content.get("fields", {}).items() if name != FIELD}
    if with_settings:
        lines = [_clean(line) for line in write_settings(resolved, keys=others, decorators=lost)]
        fitting, too_much = split_fitting([line for line in lines if line.strip()])
        unkept |= {line.partition("=")[0]: "does not fit into the field `lorebook`" for line in too_much}
        fields[FIELD] = fitting
    content = {**content, "aliases": aliases, "fields": fields, "body": _clean(body)}
    return EntryArticle(content, unkept)


def _find_unkept(entry: Entry) -> dict[str, str]:
    return {name: "canon has no such setting" for name in UNKEPT_FIELDS if getattr(entry, name) is not None}


def _normal(entry: Entry, name: str) -> Any:
    """The field as an article would give it back."""
    if name == "content":
        return "\n".join(line.rstrip() for line in _clean(entry.content).replace("\r\n", "\n").strip("\n").split("\n"))
    value = getattr(entry, name)
    return tuple(_clean_keys(value)) if name == "keys" else value


def _find_edited(before: Entry, given: Dialect, entry: Entry, dialect: Dialect) -> set[str]:
    """Fields that the entry says otherwise than the one that was given out."""
    seen = convert_book(Book(entries=(before,), dialect=given), dialect).entries[0]
    return {name for name in MODEL_FIELDS if _normal(entry, name) != _normal(seen, name)} - _NO_EDITS


def _choose_shown(entry: Entry, titles: Mapping[str, str]) -> dict[str, str]:
    """The titles that the book shows: who may not know a linked article was given its slug in their place."""
    return {slug: title for slug, title in titles.items() if title in entry.content or slug not in entry.content}


def _relink(text: str, body: str, titles: Mapping[str, str]) -> str:
    """The text with the links of those of its lines that stand in the body."""
    lines = {_unlink(line, titles).rstrip(): line for line in body.split("\n")}
    return "\n".join(lines.get(line.rstrip(), line) for line in text.split("\n"))


def _list_links(body: str) -> set[str]:
    return {match[1] for match in _MENTION.finditer(body)}


def _join_decorators(settings: ReadSettings, body: str) -> str:
    return "\n".join([*(f"@@{line}" for line in settings.decorators), body])


def _unlink(body: str, titles: Mapping[str, str]) -> str:
    """The text with links as the words that they show."""
    return _MENTION.sub(lambda match: match[2] or titles.get(match[1], match[1]), body)


def _clean(text: str) -> str:
    """The text without what the database cannot store."""
    return _UNSTORABLE.sub("", text)


def _clean_keys(keys: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(key.strip() for key in map(_clean, keys) if key.strip()))
