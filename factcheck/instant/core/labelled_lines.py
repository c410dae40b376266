"""Lines with the facts that must be heard of them, and whether a fact is one of those."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factcheck.instant.core.chinese_numbers import parse_number
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.measure_values import list_pieces
from factcheck.instant.core.messages import fold, fold_message
from factcheck.instant.core.phrases import name_thing
from factcheck.instant.core.spoken_numbers import list_numbers
from factcheck.instant.core.value_lists import list_mentions
from knowledge.facts.core.types import LIFE_EVENT, THING_TYPES, WISH_TYPES

_MAX_WORDS_BESIDE = 2
"""In the name of a thing, beside the one that is expected."""
_RANGE = re.compile(r"[^\w]*(?:to|ila|la|lal|l|w|do|до|и|على|الي|ل|و|到|至|and|or|или|aw|wala|walla)?[^\w]*")
"""What stands between the bounds of a range."""
_HAN_DIGITS = re.compile("[一二两三四五六七八九十]+")
_HAN = re.compile("[\u4e00-\u9fff]")
"""Between its words are no spaces."""
SAID_AT = datetime.datetime(2026, 2, 10, 12, 0, tzinfo=datetime.UTC)
"""When all lines and cases are said: some name days or months."""
Expected = Mapping[str, Any]
"""`type` and `any_of`: spellings of the fact's key or value."""


@dataclass(frozen=True, slots=True)
class LabelledLine:
    """A message that plays nobody, with its facts."""

    text: str
    language: str
    expected: tuple[Expected, ...]
    previous: str = ""
    """What the assistant said before it."""

    @property
    def kinds(self) -> frozenset[str]:
        """The types of its facts."""
        return frozenset(each["type"] for each in self.expected)

    def expects(self, fact: ExtractedFact, concepts: ConceptTable) -> bool:
        """Whether the fact is one of the line's."""
        return any(is_meant(fact, each, concepts) for each in self.expected)


def read_labelled_lines(paths: Sequence[Path], *, with_answers: bool = False) -> list[LabelledLine]:
    """The lines of files with `expect` or with `facts` (see ``qa/facts/README.md``), the first of each text.

    Left out are lines with a `frame`, and without `with_answers` those with a `context`: their facts depend on more
    than their words.
    """
    found: dict[str, LabelledLine] = {}
    for path in paths:
        for row in path.read_text(encoding="utf-8").splitlines():
            line = json.loads(row) if row.strip() else {}
            previous = read_previous(line.get("context"))
            if not line or line.get("frame") or line.get("known") or (previous and not with_answers):
                continue
            expected = line.get("expect")
            if expected is None:
                expected = [{"type": each["type"], "any_of": _list_spellings(each)} for each in line["facts"]]
            language = str(line.get("language", path.stem))
            found.setdefault(line["text"], LabelledLine(line["text"], language, tuple(expected), previous))
    return list(found.values())


def read_previous(context: Any) -> str:
    """The assistant's last message of a context: a text, a list of texts, or of {role, text | content}."""
    if not context:
        return ""
    if isinstance(context, str):
        return context
    last = context[-1]
    if isinstance(last, str):
        return last
    spoken = [each for each in context if each.get("role", "assistant") == "assistant"]
    return str(spoken[-1].get("text", spoken[-1].get("content", ""))) if spoken else ""


def is_meant(fact: ExtractedFact, expected: Expected, concepts: ConceptTable) -> bool:
    """Whether a fact is the expected one: the same type, its key or value among the accepted spellings.

    Pronouns are a wish like others. A spelling that names the fact's concept is its key by another name. Of a sum the
    amount is enough, and of a range its upper bound, which is what is kept. Of an event its name is enough, without
    whose it is, or when: `wedding_sister` is "my sister's wedding"; so is a part of its words. A thing is the same in
    another form, without its article or with words beside it. Of a wish that has a name of ours its words are
    enough, or its number.
    """
    is_wish = fact.type in WISH_TYPES and expected["type"] in WISH_TYPES
    if fact.type != expected["type"] and not is_wish:
        return False
    keys = {fact.key}
    if fact.type == LIFE_EVENT:
        parts = fact.key.split("_")
        keys |= {"_".join(parts[:count]) for count in range(1, len(parts))}
    said = {_normalise(fact.value), *map(_normalise, keys)}
    if fact.type == "budget":
        said.add(_normalise(fact.value.split(" ")[0]))
        said |= {_normalise(spelling) for spelling in expected["any_of"] if _is_amount(fold(str(spelling)), fact.value)}
    if not said.isdisjoint(map(_normalise, expected["any_of"])):
        return True
    if fact.type in WISH_TYPES:
        said = {_normalise(fact.value), *_list_renamed(fact)}
        return any(
            _is_said(_normalise(spelling), said) or _counts_alike(str(spelling), fact)
            for spelling in expected["any_of"]
        )
    if fact.type == "body_params" and any(_measures(spelling, fact.value) for spelling in expected["any_of"]):
        return True
    if fact.type == LIFE_EVENT:
        own = set() if keys & concepts.concepts.keys() else {_normalise(fact.value)}
        return any(
            _names_event(spelling, keys, concepts) or _is_said(_normalise(spelling), own)
            for spelling in expected["any_of"]
        )
    if fact.type in THING_TYPES and any(_names_thing(spelling, fact) for spelling in expected["any_of"]):
        return True
    named = (concepts.find(spelling, fact.type) for spelling in expected["any_of"])
    return any(concept is not None and concept.key in keys for concept in named)


def _is_amount(spelling: str, value: str) -> bool:
    """Whether a folded spelling has one number, which is the amount, or is a range that ends with it ("40-45 USD")."""
    numbers = list_numbers(spelling, 0, len(spelling))
    if not 1 <= len(numbers) <= 2 or numbers[-1].shown != value.split(" ", maxsplit=1)[0]:
        return False
    is_range = _RANGE.fullmatch(spelling, numbers[0].end, numbers[-1].start) and numbers[0].value < numbers[-1].value
    return len(numbers) == 1 or bool(is_range)


def _counts_alike(spelling: str, fact: ExtractedFact) -> bool:
    """Whether a length is told by the same number: 三句话以内 is `at most 3 sentences`."""
    if fact.key != "length":
        return False
    told, kept = _list_counts(spelling), _list_counts(fact.value)
    return len(told) == 1 and told == kept


def _list_counts(text: str) -> list[str]:
    folded = fold(text)
    spoken = [each.shown for each in list_numbers(folded, 0, len(folded))]
    return spoken or [str(parse_number(run)) for run in _HAN_DIGITS.findall(folded)]


def _list_renamed(fact: ExtractedFact) -> set[str]:
    """The words of a wish that is kept by a name of ours: "two sentences max" is `at most 2 sentences`."""
    quote, value = _normalise(fact.quote), _normalise(fact.value)
    return {quote} if quote and f" {value} " not in f" {quote} " else set()


def _measures(spelling: str, value: str) -> bool:
    """Whether a spelling is read as the value, and nothing else is read of it: "157 cm", `5'2`."""
    message = fold_message(str(spelling))
    pieces = list_pieces(message, (0, len(message.text)))
    return len(pieces) == 1 and pieces[0].value == value


def _names_thing(spelling: str, fact: ExtractedFact) -> bool:
    """Whether a thing is the spelling as we name it, with a word or two beside it at most: `тёмные комнаты` for
    «тёмных комнат», `old barn owls` for "owls".
    """
    words = fold(str(spelling)).replace("_", " ").split()
    names = {_normalise(spelling), _normalise(name_thing(words, fact.type) or "")} - {""}
    value = _normalise(fact.value)
    room = len(value.split()) - _MAX_WORDS_BESIDE
    return any(f" {name} " in f" {value} " and len(name.split()) >= room for name in names)


def _names_event(spelling: str, keys: set[str], concepts: ConceptTable) -> bool:
    """Whether the first event that a spelling names is one of the keys."""
    said = fold(spelling)
    named = list_mentions(said, 0, len(said), concepts, "event", arabizi=True)
    return bool(named) and named[0].key in keys


def _is_said(spelling: str, said: set[str]) -> bool:
    """Whether a wish says a key phrase among more words, or the phrase says all of a value of one or two words."""
    if _HAN.search(spelling):
        return any(spelling.replace(" ", "") in each.replace(" ", "") for each in said)
    spelt = f" {spelling} "
    return any(spelt in f" {each} " or (each != "" and f" {each} " in spelt) for each in said)


def _list_spellings(fact: Mapping[str, Any]) -> list[str]:
    return [str(fact[name]) for name in ("value", "key") if fact.get(name)]


def _normalise(text: Any) -> str:
    return " ".join(fold(str(text)).replace("_", " ").replace("-", " ").split())
