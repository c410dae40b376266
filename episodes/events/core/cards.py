"""StoryRenderer: the card of an event, as a lorebook and a pack show it. Source: seed 001, section 4.1.

A template is text with places in braces: a place is put in as it is, nothing of it is read as a template again. So a
template can compute nothing, and words of a player cannot become part of one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from episodes.events.core.plot import Plot
from knowledge.text.languages import DEFAULT_LANGUAGE, LANGUAGES, find_prompt_language, read_primary_tag

MAX_TEMPLATE_LENGTH = 2000
FIELDS = ("timestamp", "location", "keywords", "summary", "details", "entities")
_PLACE = re.compile(r"\{(\w+)\}")
_BRACES = re.compile(r"[{}]")
_CARD = (
    "---\n📅 {0}: {{timestamp}}\n📍 {1}: {{location}}\n🔑 {2}: {{keywords}}\n---\n"
    "📜 **{3}**:\n{{summary}}\n\n> {{details}}"
)
TEMPLATES: Mapping[str, str] = {
    code: _CARD.format(*each.scenes.card_labels) for code, each in LANGUAGES.items() if each.scenes
}
"""Language to the template that ships; the Chinese one is the seed's."""
NO_BREAK = "\u200b"
"""Put between signs that a lorebook would read as a command: nobody sees it."""


class TemplateInvalid(ValueError):
    """A template with a place that is none, or a brace of its own."""


@dataclass(frozen=True, slots=True)
class Escaped:
    """Lorebooks read macros in text, decorators at the start of lines and expressions in keys."""

    content: str
    keys: tuple[str, ...]


def choose_template(language: str, own: Mapping[str, str]) -> str:
    """The world's template of the language, else the one that ships, else the English one."""
    base = find_prompt_language(language) or read_primary_tag(language) or DEFAULT_LANGUAGE
    return own.get(base) or TEMPLATES.get(base) or own.get(DEFAULT_LANGUAGE) or TEMPLATES[DEFAULT_LANGUAGE]


def validate_template(template: str) -> None:
    """Raises TemplateInvalid. A template names the summary, and knows no other places than `FIELDS`."""
    if len(template) > MAX_TEMPLATE_LENGTH:
        raise TemplateInvalid(f"A template has at most {MAX_TEMPLATE_LENGTH} characters.")
    unknown = sorted({name for name in _PLACE.findall(template) if name not in FIELDS})
    if unknown:
        raise TemplateInvalid(f"There is no {{{unknown[0]}}}. Known: {', '.join(FIELDS)}.")
    if _BRACES.search(_PLACE.sub("", template)):
        raise TemplateInvalid("A brace stands only around the name of a place.")
    if "{summary}" not in template:
        raise TemplateInvalid("The template does not show {summary}.")


def render_card(plot: Plot, template: str) -> str:
    """The card, trimmed. A line whose places are all empty is left out, so that no lone `>` stays."""
    values = {
        "timestamp": plot.timestamp,
        "location": plot.location,
        "keywords": ", ".join(plot.keywords),
        "summary": plot.summary,
        "details": plot.details,
        "entities": ", ".join(entity.name for entity in plot.entities),
    }
    lines = []
    for line in template.splitlines():
        names = _PLACE.findall(line)
        if names and not any(values[name].strip() for name in names):
            continue
        quoted = line.startswith("> ")
        shown = _PLACE.sub(lambda match: values[match.group(1)].strip(), line)
        lines.append(shown.replace("\n", "\n> ") if quoted else shown)
    return "\n".join(lines).strip()


def escape_entry(content: str, keys: tuple[str, ...]) -> Escaped:
    """The same for a lorebook: no macro, no decorator, no expression, and no key that is two of them."""
    escaped = re.sub(r"\{(?=\{)|\}(?=\})", lambda match: match.group() + NO_BREAK, content)
    escaped = re.sub(r"(?m)^([^\S\n]*)@(?=@)", rf"\1@{NO_BREAK}", escaped)
    return Escaped(escaped, tuple(dict.fromkeys(filter(None, map(escape_key, keys)))))


def escape_key(key: str) -> str:
    """A key as plain words: slashes at both ends would make it an expression, a comma two keys."""
    plain = re.sub(r"\{+", "{", re.sub(r"\}+", "}", key)).replace(",", " ")
    plain = re.sub(r"\s+", " ", plain).strip()
    return plain.strip("/ ") if plain.startswith("/") else plain


def unescape_content(content: str) -> str:
    """A content as it was before `escape_entry`."""
    return content.replace(f"{{{NO_BREAK}", "{").replace(f"}}{NO_BREAK}", "}").replace(f"@{NO_BREAK}", "@")
