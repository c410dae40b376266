"""A card's own words as the article about its character, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from knowledge.lorebooks.core.card import Card
from reviews.lorebooks.core.articles import MAX_TITLE_LENGTH, clean_source

_SECTIONS = (("description", ""), ("personality", "Personality"), ("scenario", "Scenario"))
_HEADING = re.compile(r"^## (Personality|Scenario)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Character:
    """Title and text of the article about a card's character."""

    title: str
    body: str


def make_character(card: Card) -> Character | None:
    """The article about the character; None for a card without words of its own."""
    parts = [
        f"## {heading}\n\n{getattr(card, name).strip()}" if heading else getattr(card, name).strip()
        for name, heading in _SECTIONS
        if getattr(card, name).strip()
    ]
    if not parts or not card.name.strip():
        return None
    return Character(name_card(card), "\n\n".join(parts))


def edit_card(card: Card, title: str, body: str) -> Card:
    """The card with what was edited in the article about its character; what was not stays word for word."""
    before = make_character(card)
    if before is None:
        return card
    if title != before.title:
        card = replace(card, name=title)
    now, then = _split_body(body), _split_body(before.body)
    edits: dict[str, Any] = {name: now[name] for name, _ in _SECTIONS if now[name] != then[name]}
    return replace(card, **edits)


def name_card(card: Card) -> str:
    """The title of the article about a card's character."""
    return " ".join(card.name.split())[:MAX_TITLE_LENGTH]


def name_card_source(name: str) -> str:
    """How the article about a card's character is known again."""
    return clean_source(f"card {name}")


def _split_body(body: str) -> dict[str, str]:
    """The text under each heading of ours, the first of a kind; what stands before them is the description."""
    first, *rest = _HEADING.split(body.replace("\r\n", "\n"))
    found = {"description": first.strip(), "personality": "", "scenario": ""}
    for heading, text in zip(rest[::2], rest[1::2], strict=True):
        name = heading.lower()
        found[name] = "\n\n".join(part for part in (found[name], text.strip()) if part)
    return found
