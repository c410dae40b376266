"""The word lists of `lexicon.yaml`, compiled: phrases that are found in a text in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from factcheck.core.tokens import Token, tokenize
from factcheck.core.yaml_files import read_yaml
from factcheck.instant.core.forms import list_word_forms
from knowledge.text.folding import normalise

FILE = Path(__file__).with_name("lexicon.yaml")
STANCES_FILE = Path(__file__).with_name("stances.yaml")
VALUES_FILE = Path(__file__).with_name("values.yaml")
COMPATIBLE_FILE = Path(__file__).with_name("compatible.yaml")
VALUE_LANGUAGES = ("en", "ru", "ar", "zh")
"""The order of the parts of a line of `values.yaml`."""
EXACT_LANGUAGES = frozenset({"en"})
"""English forms are listed whole: its stemmer takes `founded` and `found`, `means` and `mean` for one word."""
EXACT_IN_ARABIC = frozenset({"kin", "ruler_sort", "marital", "gender", "weekday"})
"""Arabic has one stem for both values of a pair (`زوج`, `زوجة`), and for Sunday and `one of them` (`أحدهم`)."""
ARABIC_THE = "\u0627\u0644"
ARABIC_PRESENT = "\u064a"
"""It opens a verb: of `بيضاء` (white) the stem is `يضاء` (is lit)."""
MIN_SAFE_STEM_LENGTH = 5
"""Shorter Russian stems are shared: `медь` and `мёд`, `лето` and `лет`, `сталь` and `стал`."""
RUSSIAN_ADJECTIVE_ENDINGS = (
    "ый ий ой ая яя ое ее ые ие ого его ому ему ую юю ым им ых их ыми ими ом ем".split()  # noqa: SIM905
)
ARABIC_AND = "\u0648"
CUES_OF_THE_SENTENCE = ("rumour", "denial", "hypothetical", "opinion", "joke", "bygone")
CONDITION = "condition"
"""A cue of its clause and of those behind it; of the whole sentence where it opens it or bears on what was counted."""
CUES_OF_THE_CLAUSE = ("elsewhere", "plan", "past", "temporary", "exaggeration")


@dataclass(frozen=True, slots=True)
class Found:
    """A phrase in a text, [start, end)."""

    start: int
    end: int
    label: str

    @property
    def group(self) -> str:
        """Of a value of a class, whose label is `class:value`: its class."""
        return self.label.partition(":")[0]


@dataclass(frozen=True, slots=True)
class _Entry:
    words: tuple[str, ...]
    label: str
    is_exact: bool


@dataclass(slots=True)
class PhraseIndex:
    """Phrases by their first word."""

    by_word: dict[str, list[_Entry]] = field(default_factory=dict)

    def add(self, forms: str, label: str, *, is_exact: bool) -> None:
        """Takes in forms separated by spaces, the words of a phrase joined by `_`."""
        for form in forms.split():
            tokens = tokenize(form.replace("_", " ")).words
            words = tuple(token.text if is_exact else token.lexeme for token in tokens)
            if words:
                self.by_word.setdefault(words[0], []).append(_Entry(words, label, is_exact))

    def find(self, words: Sequence[Token]) -> list[Found]:
        """Where phrases stand, in reading order; of those that begin at one word and share a label, the longest."""
        found: dict[tuple[int, str], Found] = {}
        for place, word in enumerate(words):
            for first in _spellings(word):
                for entry in self.by_word.get(first, ()):
                    end = place + len(entry.words)
                    if not _stands_at(words, place, entry):
                        continue
                    known = found.get((place, entry.label))
                    if known is None or end > known.end:
                        found[place, entry.label] = Found(place, end, entry.label)
        return sorted(found.values(), key=lambda each: (each.start, each.label))

    def places(self, words: Sequence[Token]) -> frozenset[int]:
        """The places of all words of phrases that are found."""
        return frozenset(place for each in self.find(words) for place in range(each.start, each.end))

    def is_in(self, words: Sequence[Token]) -> bool:
        """Whether any phrase is found."""
        return bool(self.find(words))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All lists."""

    cues: Mapping[str, PhraseIndex]
    lists: Mapping[str, PhraseIndex]
    """`approximate`, `yes`, `negations` and the other plain lists, by name."""
    classes: PhraseIndex
    """Labels are `class:value`."""
    concepts: PhraseIndex
    """Labels are `@deed` and `#thing`."""
    asked_kinds: PhraseIndex
    """Questions for a value of a class; the label is the class."""
    sorts: PhraseIndex
    """Finer than classes (`fish:pike`); only an answer to a question is held against them."""
    spans: PhraseIndex
    """Units of time; `day:2` is a word that means two days."""
    wide: PhraseIndex
    """Sets of like words by which a denial is met in other words: the label is the set."""
    units: frozenset[str]
    coins: frozenset[str]
    roles: frozenset[str]
    compatible: frozenset[tuple[str, str]]
    """Two labels of one class that may both be true, either way round."""

    def find_negations(self, words: Sequence[Token]) -> list[Found]:
        """The words that deny; the `ما` of `ما عدا` (except) does not."""
        idle = self.lists["undenied"].places(words)
        return [each for each in self.lists["negations"].find(words) if each.start not in idle]

    def excludes(self, label: str, other: str) -> bool:
        """Whether two values cannot both be true of one thing: they are of one class and not alike."""
        is_one_class = label.partition(":")[0] == other.partition(":")[0]
        return is_one_class and label != other and (label, other) not in self.compatible


@cache
def load_lexicon() -> Lexicon:
    """The lists of the file beside this module, read once a process."""
    raw = read_yaml(FILE)
    classes, concepts, sorts, spans = (PhraseIndex() for _ in range(4))
    for name, values in raw.pop("classes").items():
        for value, forms in values.items():
            _fill(classes, forms, f"{name}:{value}", is_strict=True)
    for mark, name in (("@", "concepts"), ("#", "things")):
        for label, forms in raw.pop(name).items():
            _fill(concepts, forms, f"{mark}{label}")
    for name, values in raw.pop("sorts").items():
        for value, forms in values.items():
            _fill(sorts, forms, f"{name}:{value}", is_strict=True)
    _add_values(sorts)
    for label, forms in raw.pop("spans").items():
        for text in forms.values():
            spans.add(text, label, is_exact=True)
    asked = PhraseIndex()
    for name, forms in raw.pop("ask_kind").items():
        for text in forms.values():
            asked.add(text, name, is_exact=True)
    stances = read_yaml(STANCES_FILE)
    wide = PhraseIndex()
    for name, forms in stances.pop("wide").items():
        _fill(wide, forms, name, is_strict=True)
    raw |= stances
    cues = {name: _index(forms, name) for name, forms in raw.pop("cues").items()}
    units, coins, roles = (raw.pop(name) for name in ("units", "coins", "roles"))
    return Lexicon(
        cues=cues,
        lists={name: _index(forms, name) for name, forms in raw.items()},
        classes=classes,
        concepts=concepts,
        asked_kinds=asked,
        sorts=sorts,
        spans=spans,
        wide=wide,
        units=_labels("#", units),
        coins=_labels("#", coins),
        roles=_labels("@", roles),
        compatible=_read_compatible(),
    )


def _index(forms: Mapping[str, Any], label: str) -> PhraseIndex:
    index = PhraseIndex()
    for text in forms.values():
        index.add(str(text), label, is_exact=True)
    return index


def _fill(index: PhraseIndex, forms: Mapping[str, Any], label: str, *, is_strict: bool = False) -> None:
    for language, text in forms.items():
        if is_strict and language == "ar":
            for form in str(text).split():
                index.add(form, label, is_exact=_has_stem_of_verb(form))
            continue
        if not is_strict or language != "ru":
            index.add(str(text), label, is_exact=language in EXACT_LANGUAGES)
            continue
        for form in str(text).split():
            lexemes = [token.lexeme for token in tokenize(form.replace("_", " ")).words]
            is_exact = any(len(lexeme) < MIN_SAFE_STEM_LENGTH for lexeme in lexemes)
            index.add(" ".join(_inflect(form)) if is_exact else form, label, is_exact=is_exact)


def _has_stem_of_verb(form: str) -> bool:
    """Whether an Arabic word that opens with another letter has the stem of a verb."""
    word = tokenize(form).words[0]
    return word.lexeme[0] == ARABIC_PRESENT and word.text.removeprefix(ARABIC_THE)[0] != ARABIC_PRESENT


def _add_values(sorts: PhraseIndex) -> None:
    """The lines of `values.yaml` in all forms: English plurals and Russian cases are made here."""
    raw = read_yaml(VALUES_FILE)
    for group, values in raw.items():
        for value, line in values.items():
            label = f"{group}:{value}"
            for language, part in zip(VALUE_LANGUAGES, line.split("|"), strict=True):
                for form in part.split():
                    if form == "-":
                        continue
                    if "_" in form or language in ("ar", "zh"):
                        is_exact = language in EXACT_LANGUAGES or (language == "ar" and group in EXACT_IN_ARABIC)
                        sorts.add(form, label, is_exact=is_exact)
                    else:
                        sorts.add(" ".join(list_word_forms(normalise(form), language)), label, is_exact=True)


def _read_compatible() -> frozenset[tuple[str, str]]:
    pairs = {
        (f"{group}:{first}", f"{group}:{other}")
        for group, lines in read_yaml(COMPATIBLE_FILE).items()
        for first, *others in (line.split() for line in lines)
        for other in others
    }
    return frozenset(pairs | {(second, first) for first, second in pairs})


def _inflect(form: str) -> list[str]:
    """A Russian adjective in all its forms; any other word as it is."""
    if "_" in form or form[-2:] not in {"ый", "ий", "ой"}:
        return [form]
    return [form[:-2] + ending for ending in RUSSIAN_ADJECTIVE_ENDINGS]


def _labels(mark: str, names: Iterable[str]) -> frozenset[str]:
    return frozenset(f"{mark}{name}" for name in names)


def _stands_at(words: Sequence[Token], place: int, entry: _Entry) -> bool:
    if place + len(entry.words) > len(words):
        return False
    for offset, wanted in enumerate(entry.words):
        word = words[place + offset]
        if wanted not in (_written(word) if entry.is_exact else _spellings(word)):
            return False
        if offset and word.gap and word.kind == "han":
            return False
    return True


def _spellings(word: Token) -> tuple[str, ...]:
    """A word as written and as a stem; an Arabic one without a joined `and` too."""
    written = _written(word)
    return written if word.lexeme == word.text else (*written, word.lexeme)


def _written(word: Token) -> tuple[str, ...]:
    text = word.text
    return (text, text[1:]) if text[0] == ARABIC_AND and len(text) > 2 else (text,)
