"""A big Markdown file as articles: the headings are the articles.

A heading with text of its own is an article. Headings that recur under different parents (Actions and Traits of every
monster, History of every town) are parts of the article above them, and so is a short section that is the only one
under its parent. Real rulebooks are not strict about levels, so a section does not swallow those below it.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from knowledge.text.markdown import Section, split_sections, strip_markdown

_SHORT_WORDS = 60
_LONG_WORDS = 40
_MAX_SECTIONS_PER_ENTRY = 20
_ALWAYS_A_PART_FROM = 3


@dataclass(frozen=True, slots=True)
class MarkdownArticle:
    """One article of a file: the headings above it, its title, its Markdown without the title, its line in the file."""

    heading_path: tuple[str, ...]
    title: str
    body: str
    line: int


@dataclass(slots=True, eq=False)
class _Node:
    """A section in the tree of headings, and what was decided about it."""

    section: Section
    title: str
    level: int
    parent: "_Node | None"
    below: int = 0
    children: int = 0
    is_whole_file: bool = False
    host: "_Node | None" = None
    sources: list[str] = field(default_factory=list)

    @property
    def words(self) -> int:
        """How many words of text the section has before the next heading."""
        return len(strip_markdown(self.section.body).split())


def split_articles(text: str, *, title: str) -> list[MarkdownArticle]:
    """The articles of a file in order; `title` names what stands before the first heading.

    No text is lost: the bodies joined hold everything but the headings that became titles and paths.
    """
    nodes = _build_tree(split_sections(text), title)
    recurring = _find_recurring(nodes)
    articles: list[_Node] = []
    for node in nodes:
        node.host = _find_host(node, articles, recurring)
        if node.host:
            if not node.host.sources:
                articles.append(node.host)
            repeats_title = node.title == node.host.title and node.level == node.host.level
            node.host.sources.append(node.section.body if repeats_title else node.section.source)
        elif node.section.body.strip():
            node.sources.append(node.section.body)
            articles.append(node)
    return [
        MarkdownArticle(_path_of(node), node.title, "".join(node.sources).strip("\n").rstrip(), node.section.line)
        for node in articles
    ]


def _build_tree(sections: list[Section], title: str) -> list[_Node]:
    nodes: list[_Node] = []
    above: list[_Node] = []
    for section in sections:
        level = section.heading.level if section.heading else 0
        while above and above[-1].level >= max(level, 1):
            above.pop()
        name = (section.heading.title if section.heading else "") or title
        node = _Node(section, name, level, above[-1] if above else None)
        for ancestor in above:
            ancestor.below += 1
        if above:
            above[-1].children += 1
        if level:
            above.append(node)
        nodes.append(node)
    roots = [node for node in nodes if node.level and node.parent is None]
    if len(roots) == 1:
        roots[0].is_whole_file = True
    return nodes


def _find_recurring(nodes: list[_Node]) -> set[str]:
    """Titles under at least three differently named parents, or under two that have other such titles in common."""
    parents: dict[str, set[str]] = defaultdict(set)
    for node in nodes:
        if node.parent:
            parents[node.title.casefold()].add(node.parent.title.casefold())
    pairs = Counter(frozenset(found) for found in parents.values() if len(found) == _ALWAYS_A_PART_FROM - 1)
    sure = {title for title, found in parents.items() if len(found) >= _ALWAYS_A_PART_FROM}
    return sure | {
        title
        for title, found in parents.items()
        if len(found) == _ALWAYS_A_PART_FROM - 1
        and (pairs[frozenset(found)] > 1 or any(found <= parents[other] for other in sure))
    }


def _find_host(node: _Node, articles: list[_Node], recurring: set[str]) -> _Node | None:
    """The article that a section is a part of; None when it stands for itself."""
    last = articles[-1] if articles else None
    if last and last.title == node.title and last.level == node.level:
        return last
    parent = node.parent
    if parent is None or parent.is_whole_file:
        return None
    if node.title.casefold() in recurring and parent.title.casefold() != node.title.casefold():
        return parent.host or parent
    is_only_child = parent.children == 1 and node.children == 0
    has_text_above = bool(parent.host or parent.section.body.strip())
    if is_only_child and has_text_above and node.words < _SHORT_WORDS:
        return parent.host or parent
    return None


def _path_of(node: _Node) -> tuple[str, ...]:
    """The headings above an article, without those that repeat its title.

    A heading with an article's text and dozens of sections below is an entry that was set a level too high: its
    neighbours do not belong to it.
    """
    path: list[str] = []
    above = node.parent
    while above:
        is_misplaced = above.below > _MAX_SECTIONS_PER_ENTRY and above.words >= _LONG_WORDS
        if above.title != node.title and not is_misplaced:
            path.insert(0, above.title)
        above = above.parent
    return tuple(path)
