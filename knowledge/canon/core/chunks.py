"""The chunks of an article as they will be stored, hashed and indexed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.canon.core.article import Article
from knowledge.text.analysis import analyse
from knowledge.text.chunking import ChunkLimits
from knowledge.text.chunking import chunk_article as cut_article
from knowledge.text.markdown import strip_markdown

MAX_HEADING_LENGTH = 300

TITLE_WORDS = 12
MIN_EXTRA_TITLES = 2
"""A title is counted until it has about twelve words, and at least twice, beyond its place in the text. An article
seldom repeats its own name while others do, and the shorter the name, the more of them. Asked for by title, the article
came first for 60 % of 600 titles of a rulebook (en, ru) without this, for 82 % by two titles, for 92 % by twelve words.
"""


@dataclass(frozen=True, slots=True)
class ArticleChunk:
    """One chunk of an article, with what is indexed and embedded for it."""

    anchor: str
    heading_path: tuple[str, ...]
    text: str
    token_count: int
    content_hash: bytes
    """Of all that a hit shows or filters by, or that is indexed."""
    indexed_text: str
    embedded_text: str


def chunk_article(article: Article, limits: ChunkLimits) -> list[ArticleChunk]:
    """The chunks of an article in reading order; at least one."""
    chunks = []
    for chunk in cut_article(title=article.title, body=article.body, limits=limits):
        path = tuple(heading[:MAX_HEADING_LENGTH] for heading in chunk.heading_path)
        embedded = embedded_text(article.title, path, chunk.text)
        chunks.append(
            ArticleChunk(
                anchor=chunk.anchor[:MAX_HEADING_LENGTH],
                heading_path=path,
                text=chunk.text,
                token_count=chunk.token_count,
                content_hash=_hash_content(article, path, chunk.text),
                indexed_text=indexed_text(article.title, article.aliases, embedded),
                embedded_text=embedded,
            )
        )
    return chunks


def indexed_text(title: str, aliases: Sequence[str], embedded: str) -> str:
    """What keyword search sees of a chunk: its names weigh more than its words."""
    repeats = max(MIN_EXTRA_TITLES, TITLE_WORDS // max(len(analyse(title)), 1))
    return "\n".join((*aliases, *[title] * repeats, embedded))


def embedded_text(title: str, heading_path: Sequence[str], text: str) -> str:
    """What is embedded of a chunk: the title, the headings that lead to it, and its plain text."""
    headings = [heading for heading in heading_path if heading != title]
    return "\n".join((title, *headings, strip_markdown(text)))


def _hash_content(article: Article, heading_path: Sequence[str], text: str) -> bytes:
    content = [
        article.title,
        article.type,
        article.language,
        sorted(article.tags),
        list(article.aliases),
        sorted(article.audience),
        list(heading_path),
        text,
    ]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).digest()
