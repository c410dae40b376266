"""Articles from files, checked one by one: what an import consists of, in a stream."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from knowledge.canon.core.article import Article, parse_article
from knowledge.canon.core.drafts import Draft, Place, Refusal
from knowledge.canon.core.slugs import join_slug
from knowledge.canon.transfer.files import (
    JSON_ENDINGS,
    LINES_ENDINGS,
    MARKDOWN_ENDINGS,
    SourceFile,
)
from knowledge.canon.transfer.json_files import read_json, read_json_lines
from knowledge.canon.transfer.markdown_files import read_markdown
from knowledge.canon.transfer.options import ReadOptions
from knowledge.errors import InvalidArticle

Reader = Callable[[SourceFile, ReadOptions], Iterator[Draft | Refusal]]
READERS: Mapping[str, Reader] = {
    **dict.fromkeys(MARKDOWN_ENDINGS, read_markdown),
    **dict.fromkeys(JSON_ENDINGS, read_json),
    **dict.fromkeys(LINES_ENDINGS, read_json_lines),
}


@dataclass(frozen=True, slots=True)
class ReadArticle:
    """An article that fits the schema, and where it was read."""

    place: Place
    article: Article


@dataclass(slots=True)
class ImportReader:
    """Reads the files of one import from beginning to end, once. Keeps nothing but the slugs it has met."""

    files: Sequence[SourceFile]
    options: ReadOptions
    _places: dict[bytes, tuple[int, int | None, int | None]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)

    def read(self) -> Iterator[ReadArticle | Refusal]:
        """Every article and every refusal, in the order of the files."""
        for number, file in enumerate(self.files):
            self._numbers[file.name] = number
            reader = READERS.get(file.ending)
            if reader is None:
                yield Refusal(Place(file.name), "file_type_unknown", f"is not one of {', '.join(sorted(READERS))}")
                continue
            for found in reader(file, self.options):
                yield found if isinstance(found, Refusal) else self._check(found, number)

    def _check(self, draft: Draft, file_number: int) -> ReadArticle | Refusal:
        draft = self._choose_slug(draft)
        try:
            article = parse_article(draft.content)
        except InvalidArticle as error:
            return _refuse(draft, error)
        key = _key(article.slug)
        taken = self._places.get(key)
        if taken is not None:
            other = Place(self.files[taken[0]].name, line=taken[1], item=taken[2])
            line = (draft.lines or {}).get("slug", draft.place.line)
            reason = f"the slug {article.slug!r} is already used at {other}"
            return Refusal(replace(draft.place, line=line), "slug_duplicate", reason, other=other)
        line = (draft.lines or {}).get("slug", draft.place.line)
        self._places[key] = (file_number, line, draft.place.item)
        return ReadArticle(draft.place, article)

    def _choose_slug(self, draft: Draft) -> Draft:
        """The draft under the first of its possible slugs that is free; one with a slug of its own is left alone."""
        if not draft.slug_choices or _key(draft.content["slug"]) not in self._places:
            return draft
        free = next((slug for slug in draft.slug_choices if _key(slug) not in self._places), None)
        number = 2
        while free is None:
            slug = join_slug(draft.content["slug"], str(number))
            free = slug if _key(slug) not in self._places else None
            number += 1
        return replace(draft, content={**draft.content, "slug": free})


def _refuse(draft: Draft, error: InvalidArticle) -> Refusal:
    """The refusal of a draft that does not fit, at the line of the member that is wrong."""
    errors = error.extra.get("errors", [])
    path = errors[0]["path"] if errors else ""
    member = path.split(".", 1)[0].split("[", 1)[0]
    line = (draft.lines or {}).get(member, draft.place.line)
    return Refusal(replace(draft.place, line=line), error.code, error.detail)


def _key(slug: str) -> bytes:
    """A slug in sixteen bytes."""
    return hashlib.blake2b(slug.encode(), digest_size=16).digest()
