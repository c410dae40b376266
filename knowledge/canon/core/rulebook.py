"""A rulebook in Markdown as entries to import: its articles, with the other names that their titles give away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from knowledge.text.markdown import split_sections
from knowledge.text.rulebook import split_articles

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


def split_rulebook(text: str, *, name: str) -> Iterator[RulebookEntry]:
    """The articles of a rulebook in reading order; `name` is the title of what comes before the first heading."""
    for article in split_articles(text, title=name):
        if article.body:
            yield RulebookEntry(
                article.title, find_aliases(article.title), article.heading_path, article.body, article.line
            )


def make_whole_entry(text: str, *, name: str) -> RulebookEntry | None:
    """The whole text as one article, named by its first heading if it begins with one; None without any text."""
    sections = split_sections(text)
    start = 1 if len(sections) > 1 and sections[0].heading is None and not sections[0].body.strip() else 0
    first = sections[start] if sections else None
    title, body, line = name, text, 1
    if first is not None and first.heading is not None and first.heading.title:
        title, line = first.heading.title, first.line
        body = "".join([first.body, *(section.source for section in sections[start + 1 :])])
    body = body.strip("\n").rstrip()
    return RulebookEntry(title, find_aliases(title), (), body, line) if body.strip() else None


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
