"""Where a text names a known fact: by its value, its key, or any name of its concept."""

from __future__ import annotations

import re
from dataclasses import dataclass

from factcheck.instant.core.concepts import ConceptTable, stems_of
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.messages import fold
from factcheck.instant.core.sizes import CLOTHES_RANGE, SHOE_RANGE, read_letter_size, read_number_size
from knowledge.facts.core.types import DEFAULT_KEYS, FACT_TYPES

Span = tuple[int, int]
Stems = tuple[str, ...]

_WORD = re.compile(r"[^\W_][\w'-]*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_MAX_NAME_WORDS = 5
_MIN_ROOT_LENGTH, _LONG_ROOT = 4, 5
"""Letters of a noun's stem that an adjective keeps: орех-овый whole, клубни(к)-чный without its last."""
_ADJECTIVE = re.compile(r"[а-я]{6,}(?:ая|ой|ую|ый|ий|ые|их|ых|ое|ого)")
_MIN_SKELETON_LENGTH = 4
_VOWELS = re.compile(r"[aeiouy']")
_ARTICLE = re.compile(r"^(?:el|al|il)[ -]?")
_DOUBLED = re.compile(r"(.)\1+")
_APOSTROPHES = "'’`"
_TYPE_NAMES = {each.name: each.names for each in FACT_TYPES.values() if each.names}
_EVENT_NAMES = 2
"""An event's key is its concept, then whose it is or in which month: `wedding_sister`."""


@dataclass(frozen=True, slots=True)
class StemmedText:
    """A folded text with its words and their stems, cut once for all facts."""

    text: str
    words: tuple[Span, ...]
    stems: tuple[Stems, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """How a thing may be called: stems, roots of Russian adjectives, consonants of Arabizi."""

    stems: frozenset[Stems]
    roots: tuple[str, ...] = ()
    skeletons: frozenset[str] = frozenset()


def stem_text(folded: str) -> StemmedText:
    """The words of a folded text."""
    words = tuple(match.span() for match in _WORD.finditer(folded))
    return StemmedText(folded, words, tuple(stems_of(folded[start:end]) for start, end in words))


def find_mentions(text: StemmedText, fact: KnownFact, concepts: ConceptTable) -> list[Span]:
    """The ranges where the text names the fact, in reading order; for sizes and budgets their value or their type."""
    if fact.type == "body_params":
        return _find_measures(text, fact) or _find_type_names(text, fact)
    if fact.type == "budget":
        return _find_amounts(text.text, fact) or _find_type_names(text, fact)
    return find_names(text, list_names(fact, concepts))


def find_values(text: StemmedText, fact: KnownFact, concepts: ConceptTable) -> list[Span]:
    """The ranges where the text names what the fact says: of sizes and budgets the value, not only the type."""
    if fact.type == "body_params":
        return _find_measures(text, fact)
    if fact.type == "budget":
        return _find_amounts(text.text, fact)
    return find_mentions(text, fact, concepts)


def names_value(answer: str, fact: ExtractedFact, concepts: ConceptTable) -> bool:
    """Whether an answer names its value itself: a late "yes" or "the second" may mean another question by now."""
    known = KnownFact(id=0, type=fact.type, key=fact.key, value=fact.value)
    return bool(find_values(stem_text(fold(answer)), known, concepts))


def find_names(text: StemmedText, names: Names) -> list[Span]:
    """The ranges of words that are one of the names; the longest name wins."""
    found: list[Span] = []
    index = 0
    while index < len(text.words):
        start, end = text.words[index]
        count = _count_words(text, index, names.stems) or int(_is_other_form(text.text[start:end], names))
        if count:
            found.append((start, text.words[index + count - 1][1]))
        index += count or 1
    return found


def list_names(fact: KnownFact, concepts: ConceptTable) -> Names:
    """All names of a fact: its value, its key, the names of their concepts."""
    said = (fact.value, fact.key.replace("_", " "))
    stems = {stems_of(name) for name in said}
    keys = {fact.key, *_list_concept_keys(fact, concepts)}
    if fact.type == "life_event":
        parts = fact.key.split("_")
        keys |= {"_".join(parts[:count]) for count in range(1, min(len(parts), _EVENT_NAMES) + 1)}
    for key in keys:
        stems.update(concepts.list_stems(key))
    stems.update(fact.places)
    stems.discard(())
    return Names(
        frozenset(stems),
        tuple(stem[:-1] if len(stem) > _LONG_ROOT else stem for (stem, *rest) in stems if not rest and _is_root(stem)),
        frozenset(_skeleton(name) for name in _list_arabizi(keys, concepts)) - {""},
    )


def list_lexemes(fact: KnownFact, concepts: ConceptTable) -> frozenset[str]:
    """Stems one of which a text that names the fact holds, as the search index has them: of each name the longest."""
    names = set(list_names(fact, concepts).stems)
    if fact.type in _TYPE_NAMES:
        names |= {stems_of(name) for name in _TYPE_NAMES[fact.type].split()}
        names |= {stems_of(number[0]) for number in _NUMBER.finditer(fact.value)}
    return frozenset(max(stems, key=len) for stems in names if stems)


def _list_concept_keys(fact: KnownFact, concepts: ConceptTable) -> list[str]:
    use = "event" if fact.type == "life_event" else fact.type
    found = (concepts.find(fact.value, use), concepts.find(fact.key.replace("_", " "), use))
    return [concept.key for concept in found if concept is not None]


def _list_arabizi(keys: set[str], concepts: ConceptTable) -> list[str]:
    known = (concepts.concepts.get(key) for key in keys)
    return [name for concept in known if concept is not None for name in concept.names.get("arabizi", ())]


def _count_words(text: StemmedText, index: int, names: frozenset[Stems]) -> int:
    """How many words from an index are a name; 0: none."""
    joined: Stems = ()
    longest = 0
    for count, stems in enumerate(text.stems[index : index + _MAX_NAME_WORDS], start=1):
        joined += stems
        if joined in names:
            longest = count
    return longest


def _is_other_form(word: str, names: Names) -> bool:
    """Whether a word is a name in a form that stems do not tell: behind «عال», as an adjective, in Arabizi."""
    if word[1:3] == "ال" and stems_of(word[1:]) in names.stems:
        return True
    if names.roots and _ADJECTIVE.fullmatch(word) and word.startswith(names.roots):
        return True
    return bool(names.skeletons) and word.isascii() and _skeleton(word) in names.skeletons


def _is_root(stem: str) -> bool:
    return len(stem) >= _MIN_ROOT_LENGTH and "а" <= stem[0] <= "я"


def _skeleton(name: str) -> str:
    """The consonants of an Arabizi word without its article; empty where they are too few to tell words apart."""
    letters = _VOWELS.sub("", _ARTICLE.sub("", fold(name)))
    once = _DOUBLED.sub(r"\1", letters.replace("kh", "5"))
    return once if len(once) >= _MIN_SKELETON_LENGTH and once.isalnum() else ""


def _find_measures(text: StemmedText, fact: KnownFact) -> list[Span]:
    """Places of a size or measure. A letter behind an apostrophe ("it's") is no size."""
    wanted = _NUMBER.search(fact.value)
    found = []
    for start, end in text.words:
        word = text.text[start:end]
        if start and text.text[start - 1] in _APOSTROPHES:
            continue
        size = read_letter_size(word) or read_number_size(word, CLOTHES_RANGE) or read_number_size(word, SHOE_RANGE)
        number = _NUMBER.match(word)
        if (size or word).casefold() == fact.value.casefold() or (
            wanted and number and number[0] == wanted[0] and not read_letter_size(fact.value)
        ):
            found.append((start, end))
    return found


def _find_amounts(text: str, fact: KnownFact) -> list[Span]:
    amount = _NUMBER.search(fact.value)
    if amount is None:
        return []
    return [match.span() for match in re.finditer(rf"(?<![\d.,]){re.escape(amount[0])}(?!\d|[.,]\d)", text)]


def _find_type_names(text: StemmedText, fact: KnownFact) -> list[Span]:
    names = (
        frozenset(_TYPE_NAMES[fact.type].split())
        if fact.key in {DEFAULT_KEYS.get(fact.type), fact.type}
        else frozenset()
    )
    return [(start, end) for start, end in text.words if text.text[start:end] in names]
