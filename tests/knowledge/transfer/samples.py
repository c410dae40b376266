"""Short ways to read made-up files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from knowledge.canon.core.article import Article
from knowledge.canon.core.drafts import Refusal
from knowledge.canon.transfer.article_stream import ImportReader, ReadArticle
from knowledge.canon.transfer.files import list_source_files
from knowledge.canon.transfer.options import ReadOptions

ARTICLE = """---
slug: {slug}
title: {title}
type: place
language: en
---
{body}
"""


def article_text(slug: str, *, title: str = "A place", body: str = "It stands by the river.") -> str:
    return ARTICLE.format(slug=slug, title=title, body=body)


def read_folder(folder: Path, **options: Any) -> list[ReadArticle | Refusal]:
    reader = ImportReader(list_source_files([folder]), ReadOptions(**{"domain": "lore", **options}))
    return list(reader.read())


def read_articles(folder: Path, **options: Any) -> list[Article]:
    found = read_folder(folder, **options)
    refused = [str(each) for each in found if isinstance(each, Refusal)]
    assert not refused, refused
    return [each.article for each in found if isinstance(each, ReadArticle)]


def read_refusals(folder: Path, **options: Any) -> list[Refusal]:
    return [each for each in read_folder(folder, **options) if isinstance(each, Refusal)]
