"""A rulebook in Markdown cut into the articles that its headings name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from knowledge.text.markdown import Section, split_sections

STRUCTURAL_FROM = 4
"""A heading that comes so often in one file ("Actions", "Traits") is a part of articles, not the name of one."""
ALIASES_MOST = 50
_TAGGED = re.compile(r"(?P<name>.+?)\s*\[(?P<tag>[^\[\]]+)\]")
_AFTER_COLON = re.compile(r"[^:：]{1,60}[:：]\s*(?P<name>\S.{2,})")


@dataclass(frozen=True, slots=True)
class RulebookEntry:
    """One article: its title, other names, the headings above it, its Markdown without its own heading, its line."""

    title: str
    aliases: tuple[str, ...]
    path: tuple[str, ...]
    """Headings that lead to it, outermost first, without its own."""
    body: str
    line: int


@dataclass(slots=True)
class _Open:
    """An article that may still grow."""

    title: str
    path: tuple[str, ...]
    line: int
    parts: list[str] = field(default_factory=list)


def split_rulebook(text: str, *, name: str) -> Iterator[RulebookEntry]:
    """The articles of a rulebook in reading order.

    Every heading with a text of its own is an article. Headings without one only lead to others; a heading that comes
    again and again in the file, or that repeats the title just before it, belongs to the article that it stands in.
    `name` is the title of what comes before the first heading.
    """
    sections = split_sections(text)
    structural = find_structural_titles(sections)
    above: list[tuple[int, str]] = []
    article: _Open | None = None
    for section in sections:
        heading = section.heading
        if heading is None:
            article = _Open(name, (), section.line, [section.body])
            continue
        key = _key(heading.title)
        if article is not None and key == _key(article.title):
            article.parts.append(section.body)
            continue
        if article is not None and (key in structural or not key):
            article.parts.append(section.source)
            continue
        if article is not None:
            yield from _close(article)
        while above and above[-1][0] >= heading.level:
            above.pop()
        path = tuple(title for _, title in above)
        title = heading.title or name
        above.append((heading.level, title))
        article = _Open(title, path, section.line, [section.body])
    if article is not None:
        yield from _close(article)


def make_whole_entry(text: str, *, name: str) -> RulebookEntry | None:
    """The whole text as one article, named by its first heading if it begins with one; None without any text."""
    sections = split_sections(text)
    start = 1 if len(sections) > 1 and sections[0].heading is None and not sections[0].body.strip() else 0
    first = sections[start] if sections else None
    if first is None or first.heading is None or not first.heading.title:
        entry = _Open(name, (), 1, [text])
    else:
        rest = [section.source for section in sections[start + 1 :]]
        entry = _Open(first.heading.title, (), first.line, [first.body, *rest])
    return next(_close(entry), None)


def find_structural_titles(sections: Sequence[Section]) -> frozenset[str]:
    """Titles, in one form, that come so often that they name parts of articles."""
    counts: Counter[str] = Counter()
    previous = ""
    for section in sections:
        if section.heading is None:
            continue
        key = _key(section.heading.title)
        counts[key] += key != previous
        previous = key
    return frozenset(title for title, count in counts.items() if count >= STRUCTURAL_FROM)


def find_aliases(title: str) -> tuple[str, ...]:
    """Other names that a title gives away: Grappled of `Grappled [Condition]`, Champion of `Subclass: Champion`."""
    names = []
    tagged = _TAGGED.fullmatch(title)
    if tagged:
        names.append(tagged["name"])
    for form in (title, *names):
        after = _AFTER_COLON.fullmatch(form)
        if after:
            names.append(after["name"])
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip() and name != title))


def _close(article: _Open) -> Iterator[RulebookEntry]:
    body = "".join(article.parts).strip("\n").rstrip()
    if body.strip():
        yield RulebookEntry(article.title, find_aliases(article.title)[:ALIASES_MOST], article.path, body, article.line)


def _key(title: str) -> str:
    return " ".join(title.casefold().split())
