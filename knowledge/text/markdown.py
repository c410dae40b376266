"""Markdown as the canon uses it: headings, `[[slug]]` mentions and the plain text behind the marks.

Code is text, not markup: fences and code spans hold neither headings nor mentions.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_ATX_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*")
_SETEXT_UNDERLINE = re.compile(r" {0,3}(=+|-{3,})[ \t]*")
_NOT_A_PARAGRAPH = re.compile(r"\s*$|[ \t]{4}| {0,3}(?:[#>|]|[-*+][ \t]|\d+[.)][ \t])|.*\|")
_MENTION = re.compile(r"(?<!\\)\[\[([^\[\]|\\#\n]+)(?:#([^\[\]|\\\n]*))?(?:\\?\|([^\[\]\n]*))?\]\]")
_NOT_A_LINE_END = re.compile(r"[^\n]")
_BACKTICKS = re.compile(r"(?<!\\)`+")
_NOT_IN_ANCHOR = re.compile(r"[^\w\s-]")
_INLINE_MARKS = re.compile(r"(?<!\\)(?:\*\*|__|~~|`+|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)|\*(?=\S)|(?<=\S)\*)")
_BLOCK_MARKS = re.compile(
    r"^[ \t]*(?:(?:>[ \t]?)+|#{1,6}(?=\s|$)|[-*+](?=\s)(?:[ \t]+\[[ xX]\])?|\d{1,9}[.)](?=\s)|(?:`{3,}|~{3,}).*$)"
    r"[ \t]*",
    re.MULTILINE,
)
_RULES = re.compile(
    r"^[ \t]*(?:[-*_][ \t]*){3,}$|^[ \t]*=+[ \t]*$|^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*:?-*:?[ \t]*$", re.MULTILINE
)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,300}>")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])")
_CELL_EDGE = re.compile(r"(?<!\\)\|")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_GAPS = re.compile(r"[ \t]+")
_EMPTY_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a text. `line` counts from 1; `anchor` is unique in the text."""

    level: int
    title: str
    line: int
    anchor: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A `[[slug]]`, `[[slug#section]]` or `[[slug|label]]`; `start` and `end` are its place in the text."""

    slug: str
    section: str
    label: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Section:
    """A heading (None before the first one) with the text up to the next heading of any level.

    `source` is the section as written, heading line included: the sources of all sections joined are the whole text.
    """

    heading: Heading | None
    source: str
    body: str
    line: int


def split_sections(text: str) -> list[Section]:
    """The text cut at every heading; nothing is lost. A text that begins with a heading has no section before it."""
    lines = text.splitlines(keepends=True)
    marks = list(_find_headings(lines))
    sections = []
    first = marks[0][0] if marks else len(lines)
    if first > 0:
        opening = "".join(lines[:first])
        sections.append(Section(None, opening, opening, 1))
    for place, (start, length, heading) in enumerate(marks):
        end = marks[place + 1][0] if place + 1 < len(marks) else len(lines)
        sections.append(Section(heading, "".join(lines[start:end]), "".join(lines[start + length : end]), start + 1))
    return sections


def make_anchor(title: str) -> str:
    """A heading as the fragment of an address: lower case, words joined by hyphens, letters of any script kept."""
    words = _NOT_IN_ANCHOR.sub("", strip_markdown(title).casefold()).split()
    return "-".join(words) or "section"


def find_mentions(text: str) -> list[Mention]:
    """The mentions of other documents outside code, in order."""
    mentions = []
    line, counted = 1, 0
    for match in _MENTION.finditer(_mask_code(text)):
        slug = match[1].strip()
        if not slug:
            continue
        line += text.count("\n", counted, match.start())
        counted = match.start()
        section = (match[2] or "").strip()
        label = (match[3] or "").strip() or slug
        mentions.append(Mention(slug, section, label, match.start(), match.end(), line))
    return mentions


def strip_markdown(text: str) -> str:
    """The plain text that a reader sees: marks gone, labels of links and mentions kept, code kept, cells apart."""
    plain = _GAPS.sub(" ", _strip_comments(text))
    if "[" in plain:
        plain = _MENTION.sub(lambda match: (match[3] or "").strip() or match[1].strip().replace("-", " "), plain)
        plain = _LINK.sub(r"\1", plain)
    plain = _RULES.sub("", plain)
    plain = _BLOCK_MARKS.sub("", plain)
    if "|" in plain:
        plain = _CELL_EDGE.sub(" ", plain)
    if any(mark in plain for mark in "*_~`"):
        plain = _INLINE_MARKS.sub("", plain)
    plain = _TAG.sub(" ", plain)
    plain = _ESCAPE.sub(r"\1", plain)
    plain = _GAPS.sub(" ", html.unescape(plain))
    return _EMPTY_LINES.sub("\n\n", "\n".join(line.strip() for line in plain.splitlines())).strip()


def _strip_comments(text: str) -> str:
    """The text without HTML comments; one that is never closed stays."""
    pieces = []
    done = 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start)) >= 0:
        pieces += [text[done:start], " "]
        done = end + 3
    return "".join([*pieces, text[done:]])


def _find_headings(lines: list[str]) -> Iterator[tuple[int, int, Heading]]:
    """Index of the first line, number of lines and the heading itself."""
    anchors: dict[str, int] = {}
    code = _code_lines(lines)
    for index, raw in enumerate(lines):
        if code[index]:
            continue
        line = raw.rstrip("\r\n")
        match = _ATX_HEADING.fullmatch(line)
        if match:
            title, level, start = (match[2] or "").strip(), len(match[1]), index
        elif _is_setext(lines, code, index):
            title, level, start = lines[index - 1].strip(), 1 if "=" in line else 2, index - 1
        else:
            continue
        anchor = make_anchor(title)
        seen = anchors[anchor] = anchors.get(anchor, -1) + 1
        if seen:
            anchor = f"{anchor}-{seen}"
        yield start, index - start + 1, Heading(level, strip_markdown(title), start + 1, anchor)


def _is_setext(lines: list[str], code: list[bool], index: int) -> bool:
    """Whether the line underlines a paragraph of one line."""
    if index == 0 or code[index - 1] or not _SETEXT_UNDERLINE.fullmatch(lines[index].rstrip("\r\n")):
        return False
    title = lines[index - 1].rstrip("\r\n")
    return not _NOT_A_PARAGRAPH.match(title) and (index == 1 or not lines[index - 2].strip())


def _code_lines(lines: list[str]) -> list[bool]:
    """Which lines lie in a fence, its own marks included; an open fence runs to the end."""
    inside: list[bool] = []
    fence = ""
    for raw in lines:
        match = _FENCE.match(raw)
        if fence:
            inside.append(True)
            closes = match and match[1][0] == fence[0] and len(match[1]) >= len(fence) and not match[2].strip()
            fence = "" if closes else fence
            continue
        opens = match is not None and not (match[1][0] == "`" and "`" in match[2])
        fence = match[1] if match and opens else ""
        inside.append(opens)
    return inside


def _mask_code(text: str) -> str:
    """The text with fences and code spans blanked out, every other character at its place."""
    lines = text.splitlines(keepends=True)
    masked = "".join(_blank(line) if is_code else line for line, is_code in zip(lines, _code_lines(lines), strict=True))
    pieces: list[str] = []
    done = 0
    closings: dict[int, list[int]] = {}
    runs = [(match.start(), match.end()) for match in _BACKTICKS.finditer(masked)]
    for place in range(len(runs) - 1, -1, -1):
        closings.setdefault(runs[place][1] - runs[place][0], []).append(place)
    place = 0
    while place < len(runs):
        start, end = runs[place]
        waiting = closings[end - start]
        while waiting and waiting[-1] <= place:
            waiting.pop()
        closing = waiting[-1] if waiting else None
        if closing is None or "\n\n" in masked[end : runs[closing][0]]:
            place += 1
            continue
        pieces += [masked[done:start], _blank(masked[start : runs[closing][1]])]
        done = runs[closing][1]
        place = closing + 1
    return "".join([*pieces, masked[done:]])


def _blank(code: str) -> str:
    return _NOT_A_LINE_END.sub(" ", code)
