"""Drafts from Markdown files: an article with front matter, or a rulebook cut at its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from knowledge.canon.core.drafts import Draft, Place, Refusal
from knowledge.canon.core.rulebook import RulebookEntry, make_whole_entry, split_rulebook
from knowledge.canon.core.slugs import make_slug
from knowledge.canon.transfer.files import SourceFile, read_text
from knowledge.canon.transfer.options import ReadOptions, Split
from knowledge.text.front_matter import FrontMatter, FrontMatterError, parse_front_matter
from knowledge.text.language import UNDETERMINED, detect_language
from knowledge.text.markdown import strip_markdown

WHOLE_UP_TO_CHARACTERS = 12_000
MAX_TITLE_LENGTH = 200
MAX_SOURCE_LENGTH = 500
_TOP_KEY = re.compile(r"^([A-Za-z_]\w*)\s*:")
_NUMBER_BEFORE_NAME = re.compile(r"^\d+[\s._-]*(?=\D)")
_SEPARATOR = " › "


def read_markdown(file: SourceFile, options: ReadOptions) -> Iterator[Draft | Refusal]:
    """The articles of a Markdown file."""
    text = read_text(file)
    if isinstance(text, Refusal):
        yield text
        return
    try:
        front_matter = parse_front_matter(text)
    except FrontMatterError as error:
        yield Refusal(Place(file.name, line=error.line), "front_matter_invalid", error.reason)
        return
    if front_matter.body_line > 1:
        yield _read_article(file, text, front_matter, options)
    else:
        yield from _read_rulebook(file, text, options)


def _read_article(file: SourceFile, text: str, front_matter: FrontMatter, options: ReadOptions) -> Draft | Refusal:
    lines = _find_key_lines(text, front_matter.body_line)
    if "body" in front_matter.fields:
        reason = "body: the text goes below the front matter, not into it"
        return Refusal(Place(file.name, line=lines.get("body", 1)), "front_matter_invalid", reason)
    content: dict[str, Any] = {**options.defaults(), **front_matter.fields, "body": front_matter.body}
    if options.source and "source" not in content:
        content["source"] = options.source
    return Draft(Place(file.name, line=1), content, lines={**lines, "body": front_matter.body_line})


def _read_rulebook(file: SourceFile, text: str, options: ReadOptions) -> Iterator[Draft | Refusal]:
    name = _name_of(file)
    language = options.language or detect_language(strip_markdown(text))
    if _is_whole(text, options):
        whole = make_whole_entry(text, name=name)
        entries = iter([whole] if whole is not None else [])
    else:
        entries = split_rulebook(text, name=name)
    count = 0
    for entry in entries:
        count += 1
        yield _make_draft(file, entry, options, language)
    if not count:
        yield Refusal(Place(file.name), "file_empty", "has headings only, no text below them", harmless=True)


def _make_draft(file: SourceFile, entry: RulebookEntry, options: ReadOptions, language: str) -> Draft:
    own_language = options.language or detect_language(f"{entry.title}\n{strip_markdown(entry.body)}")
    title = entry.title[:MAX_TITLE_LENGTH]
    path = _SEPARATOR.join((file.name, *entry.path, title))
    content: dict[str, Any] = {
        "slug": make_slug(title),
        "title": title,
        "type": options.type_or_default,
        "language": language if own_language == UNDETERMINED else own_language,
        "aliases": [alias[:MAX_TITLE_LENGTH] for alias in entry.aliases],
        "source": _join_source(options.source, path),
        "body": entry.body,
    }
    nearest = entry.path[-1] if entry.path else _name_of(file)
    choices = (
        make_slug(f"{nearest} {title}"),
        make_slug(" ".join((*entry.path, title))),
        make_slug(" ".join((file.path.stem, *entry.path, title))),
    )
    return Draft(Place(file.name, line=entry.line), content, slug_choices=choices)


def _is_whole(text: str, options: ReadOptions) -> bool:
    if options.split is Split.AUTO:
        return options.domain != "srd" and len(text) <= WHOLE_UP_TO_CHARACTERS
    return options.split is Split.FILES


def _find_key_lines(text: str, body_line: int) -> Mapping[str, int]:
    """The line of each top-level key of the front matter."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n")[: body_line - 1], start=1):
        match = _TOP_KEY.match(line)
        if match:
            lines.setdefault(match[1], number)
    return lines


def _name_of(file: SourceFile) -> str:
    """A file's name as a title: `07_Spells.md` is Spells."""
    stem = _NUMBER_BEFORE_NAME.sub("", file.path.stem).replace("_", " ").replace("-", " ").strip()
    return stem[:MAX_TITLE_LENGTH] or file.path.stem


def _join_source(attribution: str, path: str) -> str:
    text = f"{attribution} · {path}" if attribution else path
    return text if len(text) <= MAX_SOURCE_LENGTH else text[: MAX_SOURCE_LENGTH - 1] + "…"
