"""Sentences of canon: their words, those that a pronoun takes up, and the values of classes that they affirm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.person_names import find_places
from factcheck.claims.core.replies.texts import Text, TypedValue, script_of, word_set
from factcheck.core.tokens import Token

TAKING_UP = word_set("it its he his she her they their them there он она оно они его ее её их там")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence or a text field of canon with the values of classes that it affirms."""

    slug: str
    words: tuple[Token, ...]
    keys: frozenset[str]
    context: frozenset[str]
    """Its keys, and those of the sentence before where a pronoun takes it up."""
    labels: frozenset[str]
    quote: str
    field: str | None
    is_unsure: bool
    is_past: bool
    is_only: bool

    def labels_of(self, group: str) -> frozenset[str]:
        """Its values of one class."""
        return frozenset(label for label in self.labels if label.startswith(f"{group}:"))


@dataclass(frozen=True, slots=True)
class SentenceRead:
    """A sentence of an article, clause by clause."""

    quote: str
    clauses: tuple[tuple[Text, tuple[TypedValue, ...]], ...]
    """Each with the values that it affirms."""
    is_unsure: bool


@dataclass(frozen=True, slots=True)
class FieldRead:
    """A text field of an article."""

    name: str
    label: Text
    text: Text
    values: tuple[TypedValue, ...]
    quote: str


def list_passages(
    slug: str, sentences: Iterable[SentenceRead], names: Iterable[tuple[str, ...]], lexicon: Lexicon
) -> Iterable[Passage]:
    """The sentences of one article, in order; a word of its own `names` is no value: `铁塔` may be of stone."""
    own = tuple(names)
    before: frozenset[str] = frozenset()
    for sentence in sentences:
        words = tuple(word for text, _ in sentence.clauses for word in text.words)
        keys = frozenset().union(*(text.all_keys() for text, _ in sentence.clauses))
        yield Passage(
            slug=slug,
            words=words,
            keys=keys,
            context=keys | before if _takes_up(words) else keys,
            labels=frozenset(label for each in sentence.clauses for label in _list_labels(*each, own)),
            quote=sentence.quote,
            field=None,
            is_unsure=sentence.is_unsure,
            is_past=lexicon.lists["canon_past"].is_in(words),
            is_only=lexicon.lists["only"].is_in(words),
        )
        before = keys


def build_field_passage(slug: str, field: FieldRead) -> Passage:
    """A text field and its label."""
    keys = field.label.all_keys() | field.text.all_keys()
    return Passage(
        slug=slug,
        words=field.text.words,
        keys=keys,
        context=keys,
        labels=frozenset(each.label for each in field.values),
        quote=field.quote,
        field=field.name,
        is_unsure=False,
        is_past=False,
        is_only=False,
    )


def _list_labels(text: Text, values: Sequence[TypedValue], names: tuple[tuple[str, ...], ...]) -> Iterable[str]:
    masked = find_places(text.words, names) if values else frozenset()
    return (each.label for each in values if each.start not in masked)


def _takes_up(words: Sequence[Token]) -> bool:
    """Whether a sentence speaks of what the one before named; Arabic and Chinese may leave the pronoun out."""
    return words[0].text in TAKING_UP or script_of(words[0].text) in {"arabic", "han"}
