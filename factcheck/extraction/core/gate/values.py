"""Whether a value that is proposed is one that was read, and under which canonical key and value it is kept.

A proposer says "арахис", "peanut allergy" or "500 dirhams": what is kept is what our readers make of the words said.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from factcheck.extraction.core.deltas import Delta
from factcheck.instant.core.concept_files import Concept
from factcheck.instant.core.concepts import ConceptTable, make_key, stems_of
from factcheck.instant.core.messages import fold
from factcheck.instant.core.money import read_bare_amount, read_money
from factcheck.instant.core.sizes import CLOTHES_RANGE, SHOE_RANGE, read_letter_size, read_number_size
from knowledge.facts.core.types import THING_TYPES, canonical_key

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_MEASURES = {
    "height_cm": "height height_cm рост طول stature 身高",
    "weight_kg": "weight weight_kg вес وزن 体重",
    "shoe_size": "shoe_size shoes shoe foot_size обувь размер_обуви размер_ноги حذاء 鞋码",
    "waist": "waist waist_size талия خصر 腰围",
    "chest": "chest bust грудь صدر 胸围",
    "hips": "hips hip бедра 臀围",
    "ring_size": "ring ring_size кольцо خاتم",
    "bra_size": "bra bra_size",
}
"""Other names of measures that proposers choose as keys."""


@functools.cache
def _load_keys() -> Mapping[str, str]:
    """The keys of measures by their other names; at its first use, since folding Chinese loads a dictionary."""
    return {fold(name): key for key, names in _MEASURES.items() for name in names.split()}


def find_concept(delta: Delta, table: ConceptTable) -> Concept | None:
    """The one concept that a proposed thing is: of its value, else of its key; None where none or several are."""
    for said in (delta.value, delta.key.replace("_", " ")):
        found = table.find(said, delta.type)
        if found is not None:
            return found
        named = {concept.key: concept for concept, _ in table.find_all(said, delta.type)}
        if len(named) == 1:
            return next(iter(named.values()))
        if named:
            return None
    return None


def propose_key(delta: Delta, table: ConceptTable) -> str:
    """The key of a delta in its canonical form, as far as it can be told without the words that were said."""
    if delta.type in THING_TYPES:
        concept = find_concept(delta, table)
        return concept.key if concept else make_key(delta.value)
    if delta.type == "body_params":
        return _load_keys().get(fold(delta.key), canonical_key(delta.key) or "size")
    if delta.type == "budget":
        return canonical_key(delta.key) or "general"
    return canonical_key(delta.key or delta.value)


def is_same(delta: Delta, key: str, value: str, table: ConceptTable, *, said: str = "") -> bool:
    """Whether what was read (`key`, `value`, from the words `said`) is what a delta proposes."""
    if delta.type in THING_TYPES:
        concept = find_concept(delta, table)
        if concept is not None:
            return key == concept.key
        return bool(stems_of(delta.value)) and stems_of(delta.value) == stems_of(value)
    if delta.type == "body_params":
        return _is_same_measure(delta, key, value, said)
    if delta.type == "budget":
        return _is_same_sum(delta.value, value)
    if delta.type == "life_event":
        return _is_same_event(delta, key, table)
    return _is_same_instruction(delta, key, value, said)


def _is_same_measure(delta: Delta, key: str, value: str, said: str) -> bool:
    named = _load_keys().get(fold(delta.key))
    if named is not None and named != key:
        return False
    if named is None and key in _MEASURES and "size" in canonical_key(delta.key).split("_"):
        return False
    wanted, letter = fold(delta.value), _read_letter(delta.value)
    if letter or _read_letter(value):
        return letter.casefold() == (_read_letter(value) or value).casefold()
    numbers = {_shorten(each) for each in _NUMBER.findall(value)}
    told = numbers | {_shorten(each) for each in _NUMBER.findall(fold(said))}
    proposed = [_shorten(each) for each in _NUMBER.findall(wanted)]
    if not proposed:
        read = read_number_size(wanted, CLOTHES_RANGE) or read_number_size(wanted, SHOE_RANGE)
        return read is not None and read in told
    if key == "height_cm" and len(proposed) == 1 and "." in proposed[0]:
        proposed = [_shorten(f"{float(proposed[0]) * 100:g}")]
    return set(proposed) <= told if numbers else wanted == fold(value)


def _read_letter(text: str) -> str:
    words = [word for word in re.findall(r"[^\s,;:()]+", fold(text)) if word not in ("size", "размер", "مقاس")]
    return (read_letter_size(words[0]) or "") if len(words) == 1 else ""


def _shorten(number: str) -> str:
    return f"{float(number.replace(',', '.')):g}"


def _is_same_sum(proposed: str, value: str) -> bool:
    """Amount and currency; a proposed currency that nobody said is not the same, one that is left out is."""
    money, read = read_money(proposed), value.split(" ")
    amount = money[0].split(" ") if money else [read_bare_amount(proposed) or ""]
    if amount[0] != read[0]:
        return False
    return len(amount) == 1 or amount[1:] == read[1:]


def _is_same_event(delta: Delta, key: str, table: ConceptTable) -> bool:
    for said in (delta.value, delta.key.replace("_", " ")):
        for concept, _ in table.find_all(said, "event"):
            if key == concept.key or key.startswith(f"{concept.key}_"):
                return True
    proposed = {canonical_key(delta.key), canonical_key(delta.value), make_key(delta.value)} - {""}
    return any(key == each or key.startswith(f"{each}_") or each.startswith(f"{key}_") for each in proposed)


def _is_same_instruction(delta: Delta, key: str, value: str, said: str) -> bool:
    """The same kind, and a word of the proposed value among those of the value that was read, or of what was said."""
    wanted = set(stems_of(delta.value))
    if not wanted & (set(stems_of(value)) | set(stems_of(said))):
        return key == canonical_key(delta.key) and fold(value) == fold(delta.value)
    return key == canonical_key(delta.key) or wanted <= set(stems_of(value)) | set(stems_of(said))
