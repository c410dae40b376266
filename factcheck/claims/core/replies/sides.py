"""Left and right: what canon says of the left eye, hand or bank of something, a reply says of the right one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from factcheck.claims.core.replies.findings import Finding, Said
from factcheck.claims.core.replies.texts import Text, TypedValue, is_arabic, key_of

GROUP = "side"
IDLE_HAN = frozenset("左右的了是在有和过着一个边侧面上下他她它就也都")


@dataclass(frozen=True, slots=True)
class SideFact:
    """A side, what has it, and what else is said there."""

    slug: str
    label: str
    part: str
    keys: frozenset[str]
    quote: str


def list_sides(slug: str, text: Text, values: Iterable[TypedValue], quote: str) -> Iterable[SideFact]:
    """The sides of things in one clause of canon."""
    for value in values:
        part = _part_of(text, value) if value.group == GROUP else None
        if part is not None:
            yield SideFact(slug, value.label, part, _list_keys(text, part), quote)


def compare_sides(said: Said, facts: Sequence[SideFact]) -> list[Finding]:
    """What canon says to the side in a clause: the same of the same part on the other side, by one more word."""
    known = [fact for fact in facts if fact.slug in said.slugs]
    values = [each for each in said.values if each.group == GROUP] if known else []
    if len(values) != 1 or said.is_own or not said.is_plain:
        return []
    value, text = values[0], said.clause.text
    part = _part_of(text, value)
    meant = [fact for fact in known if fact.part == part]
    if not meant or any(fact.label == value.label for fact in meant):
        return []
    keys = _list_keys(text, meant[0].part)
    keys |= _list_keys(said.question.text, meant[0].part) if said.clause.is_opening else frozenset()
    fact = next((each for each in meant if keys & each.keys - said.type_keys), None)
    if fact is None:
        return []
    shown = fact.label.partition(":")[2]
    return [said.finding("kind", fact.quote, fact.slug, shown, None, is_sure=said.is_settled)]


def _part_of(text: Text, value: TypedValue) -> str | None:
    """What has the side: the noun behind it, in Arabic before it, in English often within the phrase."""
    words = text.words
    first = words[value.start]
    if is_arabic(first):
        return key_of(words[value.start - 1]) if value.start and not first.gap else None
    if value.end - value.start > 1:
        last = words[value.end - 1]
        return last.lexeme if words[value.start].text in {"left", "right"} else None
    if value.end >= len(words) or words[value.end].gap:
        return None
    after = words[value.end]
    return after.lexeme if after.kind != "han" or after.text not in IDLE_HAN else None


def _list_keys(text: Text, part: str) -> frozenset[str]:
    """What is said beside the side and what has it; of Chinese the characters, of names nothing."""
    if text.words and text.words[0].kind == "han":
        return frozenset(word.text for word in text.words) - IDLE_HAN - {part}
    told = (keys for word, keys in zip(text.words, text.keys, strict=True) if not word.capital)
    return frozenset(key for keys in told for key in keys if not key.startswith((f"%{GROUP}", "%body"))) - {part}
