"""Search and replace in articles: literal, or by RE2, which no pattern can send into endless backtracking."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import re2

from reviews.errors import InvalidPattern, TooManyHits

FieldName = Literal["title", "aliases", "body"]
FIELDS: Final[tuple[FieldName, ...]] = get_args(FieldName)
MAX_PATTERN_LENGTH = 1000
MAX_REPLACEMENT_LENGTH = 10_000
PATTERN_MEMORY_BYTES = 8 << 20
MAX_HITS_PER_ARTICLE = 5000
CONTEXT_CHARACTERS = 60
_TEMPLATE = re.compile(r"\\(?:(?P<number>\d{1,2})|g<(?P<name>[^>]*)>|(?P<character>.)|$)", re.DOTALL)
_ESCAPES = {"\\": "\\", "n": "\n", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Hit:
    """One place in an article: what stands there, what would, and the text around it."""

    field: FieldName
    place: int
    """Characters before it in the field; for aliases, in that alias."""
    before: str
    after: str
    context_before: str
    context_after: str


@dataclass(frozen=True, slots=True)
class Replacer:
    """A checked search and replacement. Made by `make_replacer`."""

    pattern: Any
    template: tuple[str | int, ...]
    fields: tuple[FieldName, ...]

    def replace(self, content: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Hit, ...]]:
        """The article with everything replaced, and each place. Raises TooManyHits, InvalidPattern."""
        changed = dict(content)
        hits: list[Hit] = []
        for field in self.fields:
            if field == "aliases":
                changed[field] = [self._replace_text(field, alias, hits) for alias in content.get(field, [])]
            else:
                changed[field] = self._replace_text(field, content[field], hits)
        if "aliases" in self.fields:
            changed["aliases"] = list(dict.fromkeys(changed["aliases"]))
        return changed, tuple(hits)

    def _replace_text(self, field: FieldName, text: str, hits: list[Hit]) -> str:
        pieces = []
        place = 0
        for match in self.pattern.finditer(text):
            start, end = match.span()
            if start == end:
                raise InvalidPattern("The pattern matches nothing at all: it would insert text between characters.")
            if len(hits) >= MAX_HITS_PER_ARTICLE:
                raise TooManyHits(f"One article has more than {MAX_HITS_PER_ARTICLE} hits: narrow the search.")
            after = "".join(part if isinstance(part, str) else match.group(part) or "" for part in self.template)
            hits.append(
                Hit(
                    field=field,
                    place=start,
                    before=text[start:end],
                    after=after,
                    context_before=text[max(0, start - CONTEXT_CHARACTERS) : start],
                    context_after=text[end : end + CONTEXT_CHARACTERS],
                )
            )
            pieces += [text[place:start], after]
            place = end
        return "".join([*pieces, text[place:]])


def make_replacer(
    *, search: str, replacement: str, regex: bool, case_sensitive: bool, fields: Sequence[str]
) -> Replacer:
    """A replacer, if all of it can be used. In a regex replacement, `\\1` and `\\g<name>` stand for groups.

    Raises InvalidPattern.
    """
    if not search:
        raise InvalidPattern("Say what to search for.")
    if len(search) > MAX_PATTERN_LENGTH:
        raise InvalidPattern(f"The pattern is longer than {MAX_PATTERN_LENGTH} characters.")
    if len(replacement) > MAX_REPLACEMENT_LENGTH:
        raise InvalidPattern(f"The replacement is longer than {MAX_REPLACEMENT_LENGTH} characters.")
    unknown = sorted(set(fields) - set(FIELDS))
    if unknown or not fields:
        raise InvalidPattern(f"Choose among the fields {', '.join(FIELDS)}.", fields=unknown)
    pattern = _compile(search, regex=regex, case_sensitive=case_sensitive)
    return Replacer(
        pattern=pattern,
        template=_parse_template(replacement, pattern) if regex else (_check_storable(replacement),),
        fields=tuple(field for field in FIELDS if field in fields),
    )


def _compile(search: str, *, regex: bool, case_sensitive: bool) -> Any:
    options = re2.Options()
    options.literal = not regex
    options.case_sensitive = case_sensitive
    options.max_mem = PATTERN_MEMORY_BYTES
    options.log_errors = False
    try:
        pattern = re2.compile(_check_storable(search), options)
        if pattern.search("") is not None:
            raise InvalidPattern("The pattern matches the empty text.")
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise InvalidPattern(f"The pattern can't be used: {text}.") from error
    return pattern


def _check_storable(text: str) -> str:
    if any(character == "\x00" or "\ud800" <= character <= "\udfff" for character in text):
        raise InvalidPattern("A NUL character or half of a surrogate pair can't be searched for or stored.")
    return text


def _parse_template(replacement: str, pattern: Any) -> tuple[str | int, ...]:
    """The replacement as literal texts and group numbers (re2's own expansion garbles non-Latin text)."""
    _check_storable(replacement)
    parts: list[str | int] = []
    place = 0
    for match in _TEMPLATE.finditer(replacement):
        parts.append(replacement[place : match.start()])
        parts.append(_read_escape(match, pattern))
        place = match.end()
    parts.append(replacement[place:])
    return tuple(part for part in parts if part != "")


def _read_escape(match: re.Match[str], pattern: Any) -> str | int:
    number, name, character = match.group("number", "name", "character")
    if number is not None or name is not None:
        reference = number if number is not None else name
        group = int(reference) if reference.isdecimal() else pattern.groupindex.get(reference)
        if group is None or group > pattern.groups:
            raise InvalidPattern(f"The replacement names a group that the pattern has not: {reference!r}.")
        return int(group)
    if character not in _ESCAPES:
        raise InvalidPattern(f"The replacement holds an unknown escape: {match.group()!r}.")
    return _ESCAPES[character]
