"""An article as chunks: by its headings first, by the structure of its Markdown where a section is too long.

No text is lost and none is repeated; chunks never exceed the limit. Small neighbouring sections share a chunk, but a
chunk does not reach across a higher heading.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from semantic_text_splitter import MarkdownSplitter

from knowledge.text.markdown import Section, split_sections
from knowledge.text.tokens import count_tokens, fits_tokens

_MIN_MAX_TOKENS = 16
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK_BEGINNING = re.compile(r"\A(?:[^\S\n]*\n)+")


@dataclass(frozen=True, slots=True)
class ChunkLimits:
    """From how many tokens a chunk is full, and how many it may have at most (o200k)."""

    min_tokens: int = 500
    max_tokens: int = 1500

    def __post_init__(self) -> None:
        if not 0 < self.min_tokens <= self.max_tokens:
            raise ValueError("min_tokens must be positive and not above max_tokens")
        if self.max_tokens < _MIN_MAX_TOKENS:
            raise ValueError(f"max_tokens must be at least {_MIN_MAX_TOKENS}")


DEFAULT_LIMITS = ChunkLimits()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of an article. `heading_path` leads to what all of it is about, without the article's own title;
    `anchor` is the first heading's, empty before the first heading."""

    ordinal: int
    heading_path: tuple[str, ...]
    text: str
    token_count: int
    anchor: str


@dataclass(frozen=True, slots=True)
class _Part:
    """Neighbouring text under one or more headings on its way to a chunk; `level` is that of its first heading."""

    source: str
    level: int
    path: tuple[str, ...]
    anchor: str
    token_count: int

    def joined(self, other: "_Part") -> "_Part":
        shared = tuple(_shared_beginning(self.path, other.path))
        source = self.source + other.source
        return _Part(source, self.level, shared, self.anchor, count_tokens(source))


def chunk_article(*, title: str, body: str, limits: ChunkLimits = DEFAULT_LIMITS) -> list[Chunk]:
    """The chunks of an article in order, at least one: an article without text is found by its title.

    An article of up to `min_tokens` stays whole, as does one without headings of up to `max_tokens`. Blank lines
    between chunks belong to none.
    """
    body = _SURROGATE.sub("\ufffd", body)
    if fits_tokens(body, limits.min_tokens):
        parts = [_Part(body, 0, (), "", count_tokens(body))]
    else:
        parts = _absorb_small_tails(_merge_forward(_cut_sections(title, body, limits), limits), limits)
    chunks: list[Chunk] = []
    for part in parts:
        text, token_count = _trim(part)
        if text or len(parts) == 1:
            chunks.append(Chunk(len(chunks), part.path, text, token_count, part.anchor))
    return chunks or [Chunk(0, (), "", 0, "")]


def _trim(part: _Part) -> tuple[str, int]:
    """The part without blank lines around it, and its count; as it was, should trimming take more tokens."""
    text = _BLANK_BEGINNING.sub("", part.source).rstrip()
    token_count = count_tokens(text)
    return (text, token_count) if token_count <= part.token_count else (part.source, part.token_count)


def _cut_sections(title: str, body: str, limits: ChunkLimits) -> Iterable[_Part]:
    """The sections of a body, each at most `max_tokens` long, with the headings above them."""
    above: list[tuple[int, str]] = []
    for section in split_sections(body):
        level, anchor = 0, ""
        if section.heading:
            level, anchor = section.heading.level, section.heading.anchor
            while above and above[-1][0] >= level:
                above.pop()
            if section.heading.title.casefold() != title.strip().casefold() or above:
                above.append((level, section.heading.title))
        path = tuple(heading for _, heading in above)
        for source in _cut_oversize(section, limits):
            yield _Part(source, level, path, anchor, count_tokens(source))


def _cut_oversize(section: Section, limits: ChunkLimits) -> list[str]:
    if fits_tokens(section.source, limits.max_tokens):
        return [section.source]
    splitter = MarkdownSplitter.from_callback(count_tokens, (limits.min_tokens, limits.max_tokens), trim=False)
    return splitter.chunks(section.source)


def _merge_forward(parts: Iterable[_Part], limits: ChunkLimits) -> list[_Part]:
    """The parts with those that are not full taking in what follows, as long as no higher heading begins."""
    merged: list[_Part] = []
    for part in parts:
        last = merged[-1] if merged else None
        if last and last.token_count < limits.min_tokens and part.level >= last.level:
            together = last.joined(part)
            if together.token_count <= limits.max_tokens:
                merged[-1] = together
                continue
        merged.append(part)
    return merged


def _absorb_small_tails(parts: list[_Part], limits: ChunkLimits) -> list[_Part]:
    """The parts with those still too small joined to the one before, unless a higher heading begins with them."""
    kept: list[_Part] = []
    for part in parts:
        if kept and part.token_count < limits.min_tokens and part.level >= kept[-1].level:
            together = kept[-1].joined(part)
            if together.token_count <= limits.max_tokens:
                kept[-1] = together
                continue
        kept.append(part)
    return kept


def _shared_beginning(left: tuple[str, ...], right: tuple[str, ...]) -> Iterable[str]:
    for first, second in zip(left, right, strict=False):
        if first != second:
            return
        yield first
