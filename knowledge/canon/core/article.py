"""An article of the canon as editors, ingest and machines hand it in: checked, in one form, with a stable hash."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator

from knowledge.canon.core.slugs import is_slug
from knowledge.errors import InvalidArticle
from knowledge.text.markdown import find_mentions
from memoryproject.json_schema import describe_errors, load_schema, make_strict_validator, summarise_errors

PUBLIC = "public"
TRANSLATION_OF = "translation_of"
ERRORS_SHOWN = 50
MAX_ORIGIN_NESTING = 100
"""Levels of JSON in what a lorebook's file says; lorebooks themselves are read to 64."""
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LINE_BREAKS = re.compile(r"\r\n?")

FieldValue = float | int | bool | str | list[str]


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed link to another article of the same world."""

    type: str
    to: str


@dataclass(frozen=True, slots=True)
class Article:
    """What one version of a lore document says. Made by `parse_article`, which checks it."""

    slug: str
    title: str
    type: str
    language: str
    body: str
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    rule_id: str = ""
    audience: tuple[str, ...] = (PUBLIC,)
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    field_labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()
    source: str = ""
    lorebook_origin: Mapping[str, Any] = field(default_factory=dict)
    """What a lorebook's file says beside the article; kept for exports, never told or searched."""

    @property
    def translation_of(self) -> str:
        """The slug of the article that this one translates; empty if it translates none."""
        return next((relation.to for relation in self.relations if relation.type == TRANSLATION_OF), "")

    def as_content(self) -> dict[str, Any]:
        """The article in the form of `schemas/lore_document.schema.json`, members in a fixed order."""
        content: dict[str, Any] = {
            "slug": self.slug,
            "title": self.title,
            "type": self.type,
            "language": self.language,
            "tags": list(self.tags),
            "aliases": list(self.aliases),
            "rule_id": self.rule_id or None,
            "audience": PUBLIC if self.audience == (PUBLIC,) else list(self.audience),
            "fields": dict(self.fields),
            "field_labels": {name: list(labels) for name, labels in self.field_labels.items()},
            "relations": [{"type": relation.type, "to": relation.to} for relation in self.relations],
            "source": self.source,
            "body": self.body,
        }
        if not self.source:
            del content["source"]
        if self.lorebook_origin:
            content["lorebook_origin"] = dict(self.lorebook_origin)
        return content

    def content_hash(self) -> bytes:
        """SHA-256 of all that the article says: equal for equal articles, whatever the order of members."""
        canonical = json.dumps(self.as_content(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).digest()

    def mentions(self) -> tuple[str, ...]:
        """Slugs named by `[[…]]` in the body or in fields, and by relations; each once, in order, never its own."""
        slugs = [mention.slug for mention in find_mentions(self.body)]
        for text in _texts_of(list(self.fields.values())):
            slugs += [mention.slug for mention in find_mentions(text)]
        slugs += [relation.to for relation in self.relations]
        return tuple(slug for slug in dict.fromkeys(slugs) if slug != self.slug and is_slug(slug))


def parse_article(content: Mapping[str, Any]) -> Article:
    """The article that the content describes. Raises InvalidArticle with `errors`: a list of path and message."""
    if isinstance(content, Mapping) and _nests_deeper(content.get("lorebook_origin"), MAX_ORIGIN_NESTING):
        message = f"nests deeper than {MAX_ORIGIN_NESTING} levels"
        raise InvalidArticle(f"lorebook_origin {message}", errors=[{"path": "lorebook_origin", "message": message}])
    errors = [{"path": path, "message": message} for path, message in _find_unstorable(content, "")]
    if not errors:
        errors = describe_errors(_validator().iter_errors(_as_plain(content)))
    if errors:
        raise InvalidArticle(summarise_errors(errors), errors=errors[:ERRORS_SHOWN])
    return _make_article(content)


def _make_article(content: Mapping[str, Any]) -> Article:
    audience = content.get("audience", PUBLIC)
    return Article(
        slug=content["slug"],
        title=content["title"].strip(),
        type=content["type"],
        language=content["language"],
        body=_LINE_BREAKS.sub("\n", content["body"]).strip("\n"),
        tags=tuple(content.get("tags", ())),
        aliases=tuple(alias.strip() for alias in content.get("aliases", ())),
        rule_id=content.get("rule_id") or "",
        audience=(PUBLIC,) if audience == PUBLIC else tuple(audience),
        fields={name: _in_one_form(value) for name, value in content.get("fields", {}).items()},
        field_labels={name: tuple(labels) for name, labels in content.get("field_labels", {}).items()},
        relations=tuple(Relation(relation["type"], relation["to"]) for relation in content.get("relations", ())),
        source=content.get("source", ""),
        lorebook_origin=_as_stored(content.get("lorebook_origin") or {}),
    )


def _in_one_form(value: FieldValue) -> FieldValue:
    """Whole numbers as integers: JSON and the database do not tell 3 from 3.0, so the hash must not either."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _as_stored(value: Any) -> Any:
    """JSON as the database gives it back: whole numbers as integers."""
    if isinstance(value, Mapping):
        return {str(name): _as_stored(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_stored(inner) for inner in value]
    return _in_one_form(value)


@functools.cache
def _validator() -> Draft202012Validator:
    return make_strict_validator(load_schema("lore_document"))


def _as_plain(content: object) -> object:
    """The content as a dict: the validator does not take other mappings for objects."""
    return dict(content) if isinstance(content, Mapping) else content


def _find_unstorable(value: object, path: str) -> Iterator[tuple[str, str]]:
    """Places of what PostgreSQL can't store: NUL, lone surrogates, numbers that are not finite."""
    if isinstance(value, str):
        if _UNSTORABLE.search(value):
            yield path, "holds a NUL character or half of a surrogate pair"
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield path, "is not a finite number"
    elif isinstance(value, Mapping):
        for key, member in value.items():
            name = str(key).encode("utf-8", "replace").decode().replace("\x00", "")
            inner = f"{path}.{name}" if path else name
            yield from _find_unstorable(str(key), inner)
            yield from _find_unstorable(member, inner)
    elif isinstance(value, list | tuple):
        for index, member in enumerate(value):
            yield from _find_unstorable(member, f"{path}[{index}]")


def _nests_deeper(value: object, most: int) -> bool:
    level = [value]
    for _ in range(most):
        objects = [inner for each in level if isinstance(each, Mapping) for inner in each.values()]
        level = objects + [inner for each in level if isinstance(each, list | tuple) for inner in each]
        if not level:
            return False
    return True


def _texts_of(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for member in value:
            yield from _texts_of(member)
