"""What articles of canon state, in pieces that a clause can be held against."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from factcheck.claims.core.dates import parse_iso_date
from factcheck.claims.core.replies.clauses import split_pieces
from factcheck.claims.core.replies.closures import Opening, list_openings
from factcheck.claims.core.replies.epithets import KnownEpithet, join_words, list_epithets, list_field_epithets
from factcheck.claims.core.replies.lexicon import ARABIC_AND, Lexicon
from factcheck.claims.core.replies.passages import Passage, SentenceRead, list_passages, read_field
from factcheck.claims.core.replies.person_names import NameIndex, find_places
from factcheck.claims.core.replies.quantities import YEARS
from factcheck.claims.core.replies.sides import SideFact, list_sides
from factcheck.claims.core.replies.slots import list_nouns
from factcheck.claims.core.replies.texts import (
    Kind,
    Text,
    TypedValue,
    key_of,
    list_typed_values,
    read_text,
    script_of,
)
from factcheck.claims.core.subjects import NAMELESS_WORDS, REFERENCE
from factcheck.core.sentences import split_sentences
from factcheck.core.tokens import Token, name_sequence, tokenize

YEAR_FIELD_WORDS = frozenset({"since", "year", "founded", "built", "opened", "made", "born", "died", "established",
                              "chartered", "cast", "forged", "held"})  # fmt: skip
YEAR_CONCEPTS = frozenset({"@found", "@build", "@make", "@born", "@die_year", "@first_held", "@open_start", "@fought"})
HEAD_WORDS = 3
HEAD_DISTANCE = 5
"""So many telling words, within so many words from a value, say what has it."""
NEGATION_DISTANCE = 3
MAX_NAME_LENGTH = 40
"""A longer text in a field is no name."""
QUALITIES = frozenset({"%colour", "%material", "%temperature"})
ABSENT = frozenset({"нет", "нету"})
"""Russian denies behind what it denies too: `каменных домов нет`."""
UNSURE = ("rumour", "hypothetical", "condition", "opinion", "plan")


@dataclass(frozen=True, slots=True)
class CanonArticle:
    """What an NPC may know of one article."""

    slug: str
    title: str
    text: str
    aliases: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    field_labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    passage_ids: tuple[int, ...] = ()

    def describe_field(self, name: str) -> str:
        """The words for a field: its name and its labels."""
        return " ".join([name.replace("_", " "), *self.field_labels.get(name, ())])

    def quote_field(self, name: str) -> str:
        """A field and its value, as findings quote them."""
        return f"{self.title}: {name} = {self.fields[name]}"


@dataclass(frozen=True, slots=True)
class NumberFact:
    """A number that canon states, with what it counts and what is said around it."""

    slug: str
    value: Fraction
    nouns: frozenset[str]
    context: frozenset[str]
    is_year: bool
    quote: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class KindFact:
    """A colour, a direction, a material … and what has it."""

    slug: str
    group: str
    value: str
    heads: frozenset[str]
    quote: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class NameFact:
    """Who did something."""

    slug: str
    roles: frozenset[str]
    parts: frozenset[str]
    """The words of the name, as lexemes."""
    shown: str
    quote: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A clause of canon as a whole."""

    slug: str
    text: Text
    quote: str
    is_negated: bool
    is_unsure: bool
    is_rule: bool
    """Whether it forbids something."""
    values: tuple[TypedValue, ...]
    """The values of classes that it holds, whether it affirms them or not."""


@dataclass(frozen=True, slots=True)
class Source:
    """A clause or a text field of canon with the values of classes that it holds."""

    slug: str
    keys: frozenset[str]
    """Of its words, and for a field those of its label."""
    values: tuple[TypedValue, ...]
    quote: str
    field: str | None
    is_unsure: bool


@dataclass(frozen=True, slots=True)
class Canon:
    """All that a reply is held against."""

    articles: tuple[CanonArticle, ...]
    names: Mapping[str, tuple[tuple[str, ...], ...]]
    """Slug to titles and aliases as lexemes."""
    types: Mapping[str, frozenset[str]]
    """Slug to the words that say what sort of thing it is (`bridge`)."""
    numbers: tuple[NumberFact, ...]
    kinds: tuple[KindFact, ...]
    persons: tuple[NameFact, ...]
    statements: tuple[Statement, ...]
    sources: tuple[Source, ...]
    passages: tuple[Passage, ...]
    known_names: frozenset[tuple[str, ...]]
    name_words: frozenset[str]
    """The words of all names, as lexemes."""
    keys_of: Mapping[str, frozenset[str]]
    """Slug to the keys of all its words."""
    names_of_people: NameIndex
    epithets: tuple[KnownEpithet, ...]
    """What canon calls those whom it names."""
    openings: tuple[Opening, ...]
    sides: tuple[SideFact, ...]
    others: frozenset[str]
    """Words of persons in fields whose deed has no name here (`librarian`): they may be who is meant."""


def build_canon(articles: Iterable[CanonArticle], lexicon: Lexicon) -> Canon:
    """The statements of the articles' fields and sentences."""
    chosen = tuple(articles)
    names = {article.slug: _spellings(article) for article in chosen}
    numbers: list[NumberFact] = []
    kinds: list[KindFact] = []
    persons: list[NameFact] = []
    statements: list[Statement] = []
    sources: list[Source] = []
    passages: list[Passage] = []
    known: set[tuple[str, ...]] = {name for spellings in names.values() for name in spellings}
    read: list[list[list[Statement]]] = []
    for article in chosen:
        own = [_read_sentence(article, sentence, lexicon) for sentence in split_sentences(article.text)]
        read.append(own)
        said = [statement for sentence in own for statement in sentence]
        statements += said
        for statement in said:
            if statement.is_unsure:
                continue
            numbers += _numbers_of(statement, lexicon)
            kinds += _kinds_of(statement, names[article.slug], lexicon)
            persons += _persons_of(statement, names[article.slug], lexicon)
            known |= set(_capital_runs(statement.text.words))
        sources += [_source_of(statement, lexicon) for statement in said]
        sources += _field_sources(article, lexicon)
        passages += _passages_of(article, own, lexicon)
        _add_fields(article, lexicon, numbers, kinds, persons)
    known |= {tuple(name_sequence(person.shown)) for person in persons}
    people = _index_people(chosen, names, known)
    return Canon(
        articles=chosen,
        names=names,
        types={article.slug: _types_of(article, lexicon) for article in chosen},
        numbers=tuple(numbers),
        kinds=tuple(kinds),
        persons=tuple(persons),
        statements=tuple(statements),
        sources=tuple(sources),
        passages=tuple(passages),
        known_names=frozenset(name for name in known if name),
        name_words=frozenset(word for name in known for word in name),
        keys_of={
            article.slug: frozenset().union(*(each.keys for each in sources if each.slug == article.slug))
            for article in chosen
        },
        names_of_people=people,
        epithets=tuple(
            each
            for article, sentences in zip(chosen, read, strict=True)
            for each in _epithets_of(article, sentences, people, lexicon)
        ),
        sides=tuple(
            side
            for each in statements
            if not (each.is_unsure or each.is_negated)
            for side in list_sides(each.slug, each.text, each.values, each.quote)
        ),
        openings=tuple(
            opening
            for each in statements
            if not each.is_unsure
            for opening in list_openings(
                each.slug, each.text, each.values, each.quote, lexicon, is_negated=each.is_negated
            )
        ),
        others=_list_others(chosen, lexicon),
    )


def _index_people(
    articles: Iterable[CanonArticle], names: Mapping[str, tuple[tuple[str, ...], ...]], known: set[tuple[str, ...]]
) -> NameIndex:
    values = {
        name_sequence(value)
        for article in articles
        for value in article.fields.values()
        if isinstance(value, str) and len(value) <= MAX_NAME_LENGTH
    }
    own = frozenset(name for spellings in names.values() for name in spellings)
    spellings = frozenset(name for name in known | values if name)
    return NameIndex(spellings, frozenset(word for name in spellings for word in name), own)


def _epithets_of(
    article: CanonArticle, sentences: Iterable[Sequence[Statement]], people: NameIndex, lexicon: Lexicon
) -> Iterable[KnownEpithet]:
    for statements in sentences:
        words = join_words([each.text for each in statements])
        for each in list_epithets(words, people, lexicon):
            yield KnownEpithet(article.slug, each.name, each.group, each.label, statements[0].quote)
    labelled = {
        name: value
        for name, value in article.fields.items()
        if isinstance(value, str) and len(value) <= MAX_NAME_LENGTH
    }
    quotes = {name: article.quote_field(name) for name in labelled}
    yield from list_field_epithets(article.slug, labelled, quotes, lexicon)


def _source_of(statement: Statement, lexicon: Lexicon) -> Source:
    values = () if statement.is_negated else statement.values
    keys = statement.text.all_keys()
    return Source(statement.slug, keys, values, statement.quote, None, statement.is_unsure)


def _passages_of(
    article: CanonArticle, sentences: Iterable[Sequence[Statement]], lexicon: Lexicon
) -> Iterable[Passage]:
    read = [
        SentenceRead(
            quote=statements[0].quote,
            clauses=tuple((each.text, () if each.is_negated else each.values) for each in statements),
            is_unsure=any(lexicon.cues[name].is_in(each.text.words) for each in statements for name in UNSURE),
        )
        for statements in sentences
        if statements
    ]
    yield from list_passages(article.slug, read, _spellings(article), lexicon)
    for name, value in article.fields.items():
        if isinstance(value, str):
            label = read_text(article.describe_field(name), lexicon)
            yield read_field(article.slug, name, label, read_text(value, lexicon), article.quote_field(name), lexicon)


def _field_sources(article: CanonArticle, lexicon: Lexicon) -> Iterable[Source]:
    for name, value in article.fields.items():
        if isinstance(value, str):
            label = article.describe_field(name)
            keys = read_text(label, lexicon).all_keys()
            values = tuple(list_typed_values(read_text(value, lexicon), lexicon))
            yield Source(article.slug, keys, values, article.quote_field(name), name, is_unsure=False)


def _list_others(articles: Iterable[CanonArticle], lexicon: Lexicon) -> frozenset[str]:
    found: set[str] = set()
    for article in articles:
        for name, value in article.fields.items():
            label = article.describe_field(name)
            if isinstance(value, str) and not read_text(label, lexicon).labels() & lexicon.roles:
                found |= set(name_sequence(value))
    return frozenset(found)


def _spellings(article: CanonArticle) -> tuple[tuple[str, ...], ...]:
    return tuple(dict.fromkeys(name_sequence(text) for text in (article.title, *article.aliases) if text.strip()))


def _read_sentence(article: CanonArticle, sentence: str, lexicon: Lexicon) -> list[Statement]:
    words = tokenize(sentence).words
    is_unsure = any(lexicon.cues[name].is_in(words) for name in UNSURE)
    found = []
    for _, quote in split_pieces(sentence, lexicon):
        text = read_text(quote, lexicon)
        found.append(
            Statement(
                slug=article.slug,
                text=text,
                quote=sentence,
                is_negated=lexicon.lists["negations"].is_in(text.words) or lexicon.lists["forbid"].is_in(text.words),
                is_rule=lexicon.lists["rule"].is_in(text.words),
                values=tuple(list_typed_values(text, lexicon)),
                is_unsure=is_unsure
                or _is_twice_negated(text, lexicon)
                or lexicon.lists["canon_past"].is_in(text.words),
            )
        )
    return found


def _is_twice_negated(text: Text, lexicon: Lexicon) -> bool:
    """Whether two negations make a yes (`nobody crosses without having paid`); Russian ones do not."""
    words = text.words
    found = lexicon.lists["negations"].find(words)
    starts = sorted({each.start for each in found if not any(o.start < each.start < o.end for o in found)})
    single = [start for start in starts[1:] if not (words[start].text[:1] == ARABIC_AND or _follows_and(words, start))]
    return bool(single) and script_of(text.tokens.text) != "cyrillic"


def _follows_and(words: Sequence[Token], start: int) -> bool:
    """Whether a denial only joins another one (`no wife and no child`)."""
    return any(word.text in {"and", "or", "nor"} for word in words[max(start - 2, 0) : start])


def _numbers_of(statement: Statement, lexicon: Lexicon) -> list[NumberFact]:
    text = statement.text
    return [
        NumberFact(
            slug=statement.slug,
            value=quantity.value,
            nouns=list_nouns(text, quantity),
            context=text.all_keys(),
            is_year=quantity.is_year,
            quote=statement.quote,
        )
        for quantity in text.quantities
        if quantity.value != 1 or text.words[quantity.start].kind == "number" or _is_only(text, quantity.start, lexicon)
    ]


def _is_only(text: Text, place: int, lexicon: Lexicon) -> bool:
    return lexicon.lists["only"].is_in(text.words[max(place - 2, 0) : place + 3])


def _kinds_of(statement: Statement, own_names: Iterable[tuple[str, ...]], lexicon: Lexicon) -> list[KindFact]:
    text = statement.text
    found = []
    masked = find_places(text.words, own_names)
    for kind in text.kinds:
        if kind.start in masked:
            continue
        before = text.words[max(kind.start - NEGATION_DISTANCE, 0) : kind.start]
        if lexicon.lists["negations"].is_in(before) or any(word.text in ABSENT for word in text.words[kind.end :]):
            continue
        heads = {key for place in _near(text, kind) for key in text.keys[place]} - lexicon.units
        heads -= {key for key in heads if key.startswith(f"%{kind.group}:")}
        found.append(KindFact(statement.slug, kind.group, kind.value, frozenset(heads), statement.quote))
    return found


def _near(text: Text, kind: Kind) -> list[int]:
    """The places of the next words on both sides that say something."""
    sides = (range(kind.start - 1, -1, -1), range(kind.end, len(text.words)))
    telling = ([place for place in side if text.keys[place] and not _is_quality(text.keys[place])] for side in sides)
    return [place for side in telling for place in side[:HEAD_WORDS] if abs(place - kind.start) <= HEAD_DISTANCE]


def _is_quality(keys: frozenset[str]) -> bool:
    """Whether a word only says what something is like: `stone` does not say what is yellow."""
    return any(key.split(":")[0] in QUALITIES for key in keys)


def _persons_of(statement: Statement, own_names: tuple[tuple[str, ...], ...], lexicon: Lexicon) -> list[NameFact]:
    """Names with a capital in a clause that tells of one deed that persons do."""
    roles = statement.text.labels() & lexicon.roles
    runs = [run for run in _capital_runs(statement.text.words) if len(run) > 1 and run not in own_names]
    if len(roles) != 1 or len(runs) != 1 or statement.is_negated:
        return []
    parts = _without_titles(runs[0], statement.text)
    return [NameFact(statement.slug, frozenset(roles), parts, " ".join(runs[0]), statement.quote)]


def _without_titles(name: tuple[str, ...], text: Text) -> frozenset[str]:
    """The words of a name that are no title (`Margrave`), which others bear too."""
    titles = {text.words[each.start].lexeme for each in text.concepts}
    return frozenset(name) - titles or frozenset(name)


def _capital_runs(words: Sequence[Token]) -> list[tuple[str, ...]]:
    """Names within a sentence: words with capitals in a row, the first word of all not alone."""
    runs: list[tuple[str, ...]] = []
    place = 0
    while place < len(words):
        end = place
        while end < len(words) and words[end].capital and (end == place or not words[end].gap):
            end += 1
        run = tuple(word.lexeme for word in words[place:end] if word.text not in {"the", "it", "its", "some"})
        if run and (place > 0 or len(run) > 1):
            runs.append(run)
        place = max(end, place + 1)
    return runs


def _add_fields(
    article: CanonArticle,
    lexicon: Lexicon,
    numbers: list[NumberFact],
    kinds: list[KindFact],
    persons: list[NameFact],
) -> None:
    for name, value in article.fields.items():
        label = article.describe_field(name)
        words = read_text(label, lexicon)
        quote = article.quote_field(name)
        if isinstance(value, bool) or value is None:
            continue
        if isinstance(value, int | float):
            _add_number(article, name, value, words, quote, numbers)
        elif isinstance(value, str) and parse_iso_date(value) is None:
            _add_text(article, name, value, words, quote, lexicon, kinds, persons)


def _add_number(
    article: CanonArticle, name: str, value: float, words: Text, quote: str, numbers: list[NumberFact]
) -> None:
    """A number field; what sentences of the article say of the same number speaks of it too."""
    amount = Fraction(str(value))
    keys = words.all_keys() - NAMELESS_WORDS
    is_dated = bool(set(name.split("_")) & YEAR_FIELD_WORDS or words.labels() & YEAR_CONCEPTS)
    is_year = is_dated and amount.denominator == 1 and int(amount) in YEARS
    same = [
        each
        for each in numbers
        if each.slug == article.slug and each.value == amount and each.is_year == is_year and each.field is None
    ]
    for each in same if len(same) == 1 else []:
        numbers.remove(each)
        numbers.append(NumberFact(each.slug, amount, each.nouns | keys, each.context | keys, is_year, each.quote, name))
        return
    numbers.append(NumberFact(article.slug, amount, keys, keys, is_year, quote, name))


def _add_text(
    article: CanonArticle,
    name: str,
    value: str,
    words: Text,
    quote: str,
    lexicon: Lexicon,
    kinds: list[KindFact],
    persons: list[NameFact],
) -> None:
    said = read_text(value, lexicon)
    heads = words.all_keys() | frozenset(f"?{part}" for part in name.split("_"))
    kinds += [KindFact(article.slug, kind.group, kind.value, heads, quote, name) for kind in said.kinds]
    roles = words.labels() & lexicon.roles
    sequence = name_sequence(value)
    if not roles or REFERENCE.search(value) or (value[:1].islower() and not _ends_in_name(value)):
        return
    sentence = next(
        (text for text in split_sentences(article.text) if set(sequence) <= set(tokenize(text).lexemes())), quote
    )
    persons.append(NameFact(article.slug, roles, _without_titles(sequence, said), value, sentence, name))


def _ends_in_name(value: str) -> bool:
    """Whether a title in small letters stands before a name (`князь Ратмир`)."""
    return any(word.capital for word in tokenize(value).words)


def _types_of(article: CanonArticle, lexicon: Lexicon) -> frozenset[str]:
    """The words of its names, and of `is a …` in the first sentence, that say what sort of thing it is."""
    title = read_text(" ".join([article.title, *article.aliases]), lexicon)
    first = next(iter(split_sentences(article.text)), "")
    match = re.search(r"\b(?:is|was) (?:a|an|the) ([^.,;]+)", first)
    kind = read_text(match[1], lexicon).keys[:3] if match else ()
    return title.all_keys() | frozenset(key_of(word) for word in title.words) | frozenset().union(*kind)
